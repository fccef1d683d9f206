/* SPDX-License-Identifier: Apache-2.0 */
/* Which PV is whose, by one look at all of them. */
#include "operator/assignment_index.h"

#include "api/names.h"
#include "api/volume.h"

/* Whose storage another PV has, too. */
static void note_handle(struct assignment *assignment, const struct object *volume)
{
    if (volume->volume->handle == NULL) {
        return;
    }
    char *handle = arena_print(&assignment->arena, "%s/%s",
                               volume->volume->driver == NULL ? "" : volume->volume->driver,
                               volume->volume->handle);
    char *name = arena_copy(&assignment->arena, volume->meta.name);
    char *other = map_put(&assignment->by_handle, handle, name);
    if (other != NULL) {
        (void)map_put(&assignment->twins, name, other);
        (void)map_put(&assignment->twins, other, name);
    }
}

void assignment_index(struct assignment *assignment, const struct store *store)
{
    const struct object *object;
    size_t at = 0;
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        note_handle(assignment, object);
        const char *uid = object_label(object, LABEL_INSTANCE_UID);
        if (uid == NULL || object->volume->state == VOLUME_STATE_DISPOSING) {
            continue;
        }
        struct map *map = object->volume->state == VOLUME_STATE_RESERVED ? &assignment->reserved
                                                                         : &assignment->owned;
        const char *name = map_get(map, uid);
        const struct object *elder =
            name == NULL ? NULL : store_get(store, KIND_VOLUME, NULL, name);
        if (elder == NULL || object_compare_age(elder, object) > 0) {
            /* of two, the elder: the order of the store means nothing */
            (void)map_put(map, arena_copy(&assignment->arena, uid),
                          arena_copy(&assignment->arena, object->meta.name));
        }
    }
}
