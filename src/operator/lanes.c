/* SPDX-License-Identifier: Apache-2.0 */
/* Everything is looked at anew: which file system a Pool's clones are on is known from the first of
   them on, and what was measured is in the Pools' statuses. */
#include "operator/lanes.h"

#include "api/names.h"
#include "api/volume.h"

#include <stdlib.h>
#include <string.h>

/* ---- which lane ---- */

static const char *file_system_of_golden(const struct view *view, const struct object *pool)
{
    struct golden_observation golden;
    observe_golden(view, pool, &golden);
    const char *handle =
        golden.content == NULL ? NULL : golden.content->snapshot_content->volume_handle;
    const struct object *volume;
    size_t at = 0;
    while (handle != NULL && (volume = store_next(view->store, KIND_VOLUME, &at)) != NULL) {
        if (text_equal(volume->volume->handle, handle)) {
            return volume->volume->file_system;
        }
    }
    return NULL;
}

/* The youngest volume's: a class that was made anew may be on another. */
static const char *file_system_of(const struct view *view, const struct object *pool)
{
    const struct object *youngest = NULL;
    const struct object *volume;
    size_t at = 0;
    while ((volume = store_next(view->store, KIND_VOLUME, &at)) != NULL) {
        if (volume->volume->file_system != NULL &&
            text_equal(volume->volume->storage_class, pool->pool->storage_class) &&
            (youngest == NULL || object_compare_age(volume, youngest) > 0)) {
            youngest = volume;
        }
    }
    return youngest != NULL ? youngest->volume->file_system : file_system_of_golden(view, pool);
}

/* As long as nothing else is known, each class is one. */
static const char *lane_name(const struct store *store, const struct object *pool,
                             const char *file_system)
{
    if (pool->pool->lane != NULL || file_system != NULL) {
        return pool->pool->lane != NULL ? pool->pool->lane : file_system;
    }
    const struct object *class =
        store_get(store, KIND_STORAGE_CLASS, NULL, pool->pool->storage_class);
    return class == NULL ? pool->pool->storage_class : class->storage_class->provisioner;
}

/* ---- the lanes ---- */

struct placed {
    const struct object *pool;
    const char *lane, *file_system;
};

static int compare_placed(const void *one, const void *other)
{
    const struct placed *left = one;
    const struct placed *right = other;
    int order = strcmp(left->lane, right->lane);
    return order != 0 ? order : object_compare_age(left->pool, right->pool);
}

static struct placed *place_pools(struct arena *arena, const struct view *view, size_t *out_count)
{
    const struct store *store = view->store;
    struct placed *placed = arena_new(arena, store_count(store, KIND_POOL) + 1, sizeof *placed);
    const struct object *pool;
    size_t at = 0;
    size_t count = 0;
    while ((pool = store_next(store, KIND_POOL, &at)) != NULL) {
        const char *file_system = file_system_of(view, pool);
        placed[count++] = (struct placed){
            .pool = pool, .lane = lane_name(store, pool, file_system), .file_system = file_system};
    }
    qsort(placed, count, sizeof *placed, compare_placed);
    *out_count = count;
    return placed;
}

static void seat(struct assignment *assignment, struct lane *lane, const struct placed *placed)
{
    struct arena *arena = &assignment->arena;
    const struct object_meta *meta = &placed->pool->meta;
    struct lane_seat *seat = arena_new(arena, 1, sizeof *seat);
    *seat = (struct lane_seat){
        .lane = lane,
        .at = lane->pool_count,
        .queue = assignment->seats.count,
        .file_system = placed->file_system,
    };
    lane->pools[lane->pool_count++] = (struct lane_pool){.pool = placed->pool};
    char key[KEY_BYTES];
    key_write(KIND_POOL, meta->namespace, meta->name, key);
    (void)map_put(&assignment->seats, arena_copy(arena, key), seat);
}

/* ---- what was measured ---- */

static bool observe(const struct view *view, const struct object *pool, struct arena *arena,
                    struct pool_observation *out)
{
    char text[KEY_BYTES];
    struct key key;
    key_write(KIND_POOL, pool->meta.namespace, pool->meta.name, text);
    return key_read(text, &key) && observe_pool(view, &key, arena, out);
}

static int compare_creates(const void *one, const void *other)
{
    const struct lane_create *left = one;
    const struct lane_create *right = other;
    if (left->completed_ms != right->completed_ms) {
        return left->completed_ms < right->completed_ms ? -1 : 1;
    }
    return left->started_ms < right->started_ms ? -1 : left->started_ms > right->started_ms;
}

static void measure(struct lane *lane, const struct view *view, struct arena *arena)
{
    struct lane_create *creates =
        arena_new(arena, store_count(view->store, KIND_VOLUME_CLAIM) + 1, sizeof *creates);
    size_t count = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        struct pool_observation seen = {.pool = lane->pools[i].pool};
        observe_holdings(view, arena, &seen);
        count += pool_creates(&seen, &creates[count]);
    }
    qsort(creates, count, sizeof *creates, compare_creates);
    lane_measure(lane, creates, count);
}

void lanes_find(struct assignment *assignment, const struct view *view)
{
    struct arena *arena = &assignment->arena;
    struct arena *scratch = &assignment->scratch;
    size_t count;
    struct placed *placed = place_pools(scratch, view, &count);
    assignment->lanes = arena_new(arena, count + 1, sizeof *assignment->lanes);
    for (size_t i = 0; i < count; i++) {
        bool begins = i == 0 || strcmp(placed[i].lane, placed[i - 1].lane) != 0;
        struct lane *lane = &assignment->lanes[assignment->lane_count - !begins];
        if (begins) {
            assignment->lane_count++;
            lane->measured.name = arena_copy(arena, placed[i].lane);
            lane->pools = arena_new(arena, count - i, sizeof *lane->pools);
        }
        seat(assignment, lane, &placed[i]);
    }
    for (size_t i = 0; i < assignment->lane_count; i++) {
        struct lane *lane = &assignment->lanes[i];
        lane->caps = lane_caps(lane->pools, lane->pool_count);
        measure(lane, view, scratch);
    }
}

/* ---- what may start, and when it comes ---- */

static bool is_on(const struct object *volume, const struct assignment *assignment,
                  const struct lane *lane)
{
    const char *file_system = volume->volume->file_system;
    for (size_t i = 0; i < lane->pool_count; i++) {
        const struct object_meta *pool = &lane->pools[i].pool->meta;
        const struct lane_seat *seat = assignment_seat(assignment, pool->namespace, pool->name);
        if (text_equal(object_label(volume, LABEL_POOL_UID), pool->uid) ||
            (file_system != NULL && text_equal(seat->file_system, file_system))) {
            return true;
        }
    }
    return false;
}

static void count_volumes(struct lane *lane, const struct assignment *assignment,
                          const struct store *store)
{
    const struct object *volume;
    size_t at = 0;
    while ((volume = store_next(store, KIND_VOLUME, &at)) != NULL) {
        lane->volume_count += is_on(volume, assignment, lane);
    }
    for (size_t i = 0; i < lane->pool_count; i++) {
        lane->volume_count += (int64_t)lane->pools[i].stock.flight_count;
    }
}

/* Those of its queue that wait and have been given nothing. */
static void hand_waiters(struct lane_pool *pool, const struct queue *queue, struct arena *arena)
{
    pool->waiters = arena_new(arena, queue->waiter_count + 1, sizeof *pool->waiters);
    for (size_t i = 0; i < queue->waiter_count; i++) {
        if (queue->waiters[i].waits && queue->waiters[i].volume == NULL) {
            pool->waiters[pool->waiter_count++] = queue->waiters[i];
        }
    }
}

static void tell(const struct lane_pool *pool, struct queue *queue)
{
    size_t next = 0;
    for (size_t i = 0; i < queue->waiter_count; i++) {
        if (next < pool->waiter_count &&
            queue->waiters[i].instance == pool->waiters[next].instance) {
            queue->waiters[i].eta_ms = pool->waiters[next++].eta_ms;
        }
    }
}

static void plan_lane(struct assignment *assignment, struct lane *lane, const struct view *view,
                      struct queue *queues)
{
    struct arena *arena = &assignment->scratch;
    for (size_t i = 0; i < lane->pool_count; i++) {
        struct pool_observation seen;
        if (observe(view, lane->pools[i].pool, arena, &seen)) {
            lane->pools[i].stock = pool_stock(&seen, arena, view->now);
        }
        hand_waiters(&lane->pools[i], &queues[i], arena);
    }
    count_volumes(lane, assignment, view->store);
    lane_grant(lane, view->now.wall_ms);
    lane_forecast(lane, view->now.wall_ms, arena);
    for (size_t i = 0; i < lane->pool_count; i++) {
        tell(&lane->pools[i], &queues[i]);
        lane->pools[i].waiters = NULL; /* they go with the scratch; their numbers stay */
        lane->pools[i].stock.flights = NULL;
    }
}

void lanes_plan(struct assignment *assignment, const struct view *view, struct queue *queues)
{
    for (size_t i = 0; i < assignment->lane_count; i++) {
        struct lane *lane = &assignment->lanes[i];
        plan_lane(assignment, lane, view, queues);
        queues += lane->pool_count;
    }
}
