/* SPDX-License-Identifier: Apache-2.0 */
/* Goldens are few: the newest is looked for each time. */
#include "operator/observe.h"

static const struct object *newest_snapshot(const struct store *store, const struct object *pool)
{
    const struct object *newest = NULL;
    const struct object *snapshot;
    size_t at = 0;
    while ((snapshot = store_next(store, KIND_SNAPSHOT, &at)) != NULL) {
        if (text_equal(snapshot->meta.namespace, pool->meta.namespace)) {
            newest = golden_newer(pool, newest, snapshot);
        }
    }
    return newest;
}

void observe_golden(const struct view *view, const struct object *pool,
                    struct golden_observation *out)
{
    const struct store *store = view->store;
    const char *name = pool->pool->golden_snapshot;
    *out = (struct golden_observation){
        .snapshot = name == NULL ? newest_snapshot(store, pool)
                                 : store_get(store, KIND_SNAPSHOT, pool->meta.namespace, name),
        .storage_class = store_get(store, KIND_STORAGE_CLASS, NULL, pool->pool->storage_class)};
    const struct snapshot *snapshot = out->snapshot == NULL ? NULL : out->snapshot->snapshot;
    if (snapshot != NULL && snapshot->content != NULL) {
        out->content = store_get(store, KIND_SNAPSHOT_CONTENT, NULL, snapshot->content);
    }
    if (snapshot != NULL && snapshot->storage_class != NULL) {
        out->origin_class = store_get(store, KIND_STORAGE_CLASS, NULL, snapshot->storage_class);
    }
}
