/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/wipe.h"

static const enum object_kind kinds[] = {KIND_INSTANCE, KIND_POOL, KIND_CLUSTER, KIND_VOLUME_CLAIM,
                                         KIND_VOLUME};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static void send_end(struct surroundings *around, const struct object *object)
{
    struct api_request request = {.method = METHOD_DELETE,
                                  .kind = object->kind,
                                  .namespace = object->meta.namespace,
                                  .name = object->meta.name};
    if (object->meta.deleting_ms == 0) {
        api_send(around->api, &request, NULL, NULL);
    }
    request.method = METHOD_PATCH;
    request.content_type = MERGE_PATCH;
    request.body = "{'metadata':{'finalizers':null}}";
    api_send(around->api, &request, NULL, NULL);
}

/* The first of the kind that is the world's; NULL: none. */
static const struct object *next_of(struct surroundings *around, const struct world *world,
                                    enum object_kind kind, size_t *at)
{
    const struct object *object;
    while ((object = store_next(mirror_store(around->mirror), kind, at)) != NULL) {
        if (surroundings_world_of(around, object) == world) {
            return object;
        }
    }
    return NULL;
}

void wipe_send(struct surroundings *around, const struct world *world)
{
    for (size_t i = 0; i < KINDS; i++) {
        const struct object *object;
        size_t at = 0;
        while ((object = next_of(around, world, kinds[i], &at)) != NULL) {
            send_end(around, object);
        }
    }
}

bool wipe_is_done(struct surroundings *around, const struct world *world)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t at = 0;
        if (next_of(around, world, kinds[i], &at) != NULL) {
            return false;
        }
    }
    return true;
}
