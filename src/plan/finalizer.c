/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON patch that tests the list it changes and nothing else, so that it cannot lose against a
   status written at the same time, nor against somebody else's finalizer. */
#include "plan/finalizer.h"

#include "api/names.h"
#include "plan/body.h"

#define PATH_FINALIZERS "/metadata/finalizers"

static void add(struct body *body, const struct object *object)
{
    if (object->meta.finalizer_count == 0) {
        body_operation_raw(body, "test", PATH_FINALIZERS, "null");
        body_operation_raw(body, "add", PATH_FINALIZERS, "[\"" NAME_FINALIZER "\"]");
    } else {
        body_operation(body, "test", PATH_FINALIZERS "/0", object->meta.finalizers[0]);
        body_operation(body, "add", PATH_FINALIZERS "/-", NAME_FINALIZER);
    }
}

static void remove_ours(struct body *body, const struct object *object, struct arena *arena)
{
    for (size_t i = 0; i < object->meta.finalizer_count; i++) {
        if (text_equal(object->meta.finalizers[i], NAME_FINALIZER)) {
            const char *path = arena_print(arena, PATH_FINALIZERS "/%zu", i);
            body_operation(body, "test", path, NAME_FINALIZER);
            body_operation_raw(body, "remove", path, "null");
            return;
        }
    }
}

const char *finalizer_patch(const struct object *object, bool present, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    json_begin_array(&body.json);
    if (present) {
        add(&body, object);
    } else {
        remove_ours(&body, object, arena);
    }
    json_end_array(&body.json);
    return body_end(&body, arena);
}
