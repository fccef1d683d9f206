/* SPDX-License-Identifier: Apache-2.0 */
/* Which PV is whose, by one look at all of them. */
#include "operator/assignment_index.h"

#include "api/names.h"
#include "api/volume.h"

/* Whose storage another PV has, too. */
static void note_handle(struct assignment *assignment, struct map *by_handle,
                        const struct object **volume)
{
    const struct volume *fields = (*volume)->volume;
    if (fields->handle == NULL) {
        return;
    }
    const char *handle = arena_print(&assignment->scratch, "%s/%s",
                                     fields->driver == NULL ? "" : fields->driver, fields->handle);
    const struct object **other = map_put(by_handle, handle, volume);
    if (other != NULL) {
        (void)map_put(&assignment->twins, (*volume)->meta.name, other);
        (void)map_put(&assignment->twins, (*other)->meta.name, volume);
    }
}

/* In the order of the store, which is that of a search. */
static void note_holder(struct assignment *assignment, const struct object **volume)
{
    const char *uid = (*volume)->volume->claim_uid;
    if (uid == NULL) {
        return;
    }
    if (map_get(&assignment->holders, uid) != NULL) {
        assignment->two_hold = true;
    } else {
        (void)map_put(&assignment->holders, uid, volume);
    }
}

static void note_owner(struct assignment *assignment, const struct object **volume)
{
    const char *uid = object_label(*volume, LABEL_INSTANCE_UID);
    enum volume_state state = (*volume)->volume->state;
    if (uid == NULL || state == VOLUME_STATE_DISPOSING) {
        return;
    }
    struct map *map = state == VOLUME_STATE_RESERVED ? &assignment->reserved : &assignment->owned;
    const struct object **elder = map_get(map, uid);
    if (elder == NULL || object_compare_age(*elder, *volume) > 0) {
        /* of two, the elder: the order of the store means nothing */
        (void)map_put(map, uid, volume);
    }
}

void assignment_index(struct assignment *assignment, const struct store *store)
{
    struct map by_handle; /* CSI handles to PVs */
    const struct object **volume =
        arena_new(&assignment->arena, store_count(store, KIND_VOLUME) + 1, sizeof(void *));
    size_t at = 0;
    assignment->two_hold = false;
    map_init(&by_handle);
    while ((*volume = store_next(store, KIND_VOLUME, &at)) != NULL) {
        note_handle(assignment, &by_handle, volume);
        note_holder(assignment, volume);
        note_owner(assignment, volume++);
    }
    map_release(&by_handle);
}
