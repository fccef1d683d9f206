/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets which clone, computed anew for each change of the store. */
#include "operator/state.h"

static void mark_waiters(struct operator* op)
{
    const struct assignment *assignment = &op->assignment;
    for (size_t i = 0; i < assignment->place_count; i++) {
        const struct assignment_place *place = &assignment->places[i];
        const struct object *object =
            store_get(op->store, KIND_INSTANCE, place->instance_namespace, place->instance_name);
        const struct instance *told = object == NULL ? NULL : object->instance;
        bool moved = told != NULL && told->queue_position != place->position;
        bool late = told != NULL && eta_is_news(told->queue_eta_ms, place->eta_ms, op->now.wall_ms);
        if (place->eligible && (place->volume != NULL || moved || late)) {
            routes_mark(op, KIND_INSTANCE, place->instance_namespace, place->instance_name);
        }
        if (place->eligible && place->volume == NULL && moved) {
            routes_mark(op, KIND_POOL, place->pool_namespace, place->pool_name);
        }
    }
}

/* What one Pool of a lane does changes what the others may. */
static void mark_pools(struct operator* op, const struct lane *lane)
{
    for (size_t i = 0; i < lane->pool_count; i++) {
        const struct object *pool = lane->pools[i].pool;
        if (lane->pools[i].granted > 0 || lane_is_news(&pool->pool->measured, &lane->measured)) {
            routes_mark(op, KIND_POOL, pool->meta.namespace, pool->meta.name);
        }
    }
}

void refresh_assignment(struct operator* op)
{
    if (op->assignment_fresh) {
        return;
    }
    assignment_compute(&op->assignment, op->store, &op->memos, &op->zones, op->now);
    op->assignment_fresh = true;
    op->assigned_ms = op->now.mono_ms;
    mark_waiters(op);
    for (size_t i = 0; i < op->assignment.lane_count; i++) {
        mark_pools(op, &op->assignment.lanes[i]);
    }
}
