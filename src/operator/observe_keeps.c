/* SPDX-License-Identifier: Apache-2.0 */
/* What of all PersistentVolumes is ours to see: a fresh one has no label that could select it. */
#include "operator/observe.h"

#include "api/names.h"
#include "base/text.h"

/* A PV whose state somebody took off is still known by another label, or by a claim of ours. */
static bool is_ours(const struct store *store, const struct object *object)
{
    const struct volume *volume = object->volume;
    return volume->state != VOLUME_STATE_NONE || object_label(object, LABEL_POOL_UID) != NULL ||
           object_label(object, LABEL_INSTANCE_UID) != NULL ||
           (volume->claim_name != NULL &&
            store_get(store, KIND_VOLUME_CLAIM, volume->claim_namespace, volume->claim_name) !=
                NULL);
}

bool observe_keeps(const struct store *store, const struct object *object)
{
    if (object->kind != KIND_VOLUME || is_ours(store, object) ||
        object->volume->file_system != NULL) {
        return true;
    }
    const char *namespace = object->volume->claim_namespace;
    const struct object *pool;
    size_t at = 0;
    while (namespace != NULL && (pool = store_next(store, KIND_POOL, &at)) != NULL) {
        if (text_equal(pool->meta.namespace, namespace)) {
            return true;
        }
    }
    return false;
}
