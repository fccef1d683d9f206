/* SPDX-License-Identifier: Apache-2.0 */
/* A create that is late takes no place in the width, or a few that failed would stop the lane; but
   it counts against maxInFlight, or what is merely slow would be asked for more and more. One that
   has not come after twenty minutes stands only in the way of its own Pool, which says FillStuck.
 */
#include "plan/lane.h"

#include "base/extremes.h"
#include "plan/lane_state.h"

#define FORGOTTEN_AFTER_MS (INT64_C(20) * 60 * 1000)

struct lane_caps lane_caps(const struct lane_pool *pools, size_t pool_count)
{
    struct lane_caps caps = {INT64_MAX, INT64_MAX, INT64_MAX, false};
    const struct pool *first = pools[0].pool->pool;
    for (size_t i = 0; i < pool_count; i++) {
        const struct pool *pool = pools[i].pool->pool;
        int64_t running_max = pool->running_max == 0 ? INT64_MAX : pool->running_max;
        caps.in_flight_max = smaller(caps.in_flight_max, pool->in_flight_max);
        caps.volumes_max = smaller(caps.volumes_max, pool->volumes_max);
        caps.running_max = smaller(caps.running_max, running_max);
        caps.differ = caps.differ || pool->in_flight_max != first->in_flight_max ||
                      pool->volumes_max != first->volumes_max ||
                      pool->running_max != first->running_max;
    }
    return caps;
}

/* ---- how many may start ---- */

static void note_turn(struct lane *lane, int64_t wall_ms, int64_t turn_ms)
{
    if (wall_ms < turn_ms) {
        lane->look_again_ms = smaller(lane->look_again_ms, turn_ms - wall_ms);
    }
}

static int64_t places_left(struct lane *lane, int64_t wall_ms)
{
    int64_t in_time = 0;
    int64_t late = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        const struct lane_pool *pool = &lane->pools[i];
        for (size_t j = 0; j < pool->stock.flight_count; j++) {
            int64_t late_ms = lane_late_at(&lane->measured, pool->stock.flights[j]);
            int64_t forgotten_ms = pool->stock.flights[j] + FORGOTTEN_AFTER_MS;
            in_time += wall_ms < late_ms;
            late += wall_ms >= late_ms && wall_ms < forgotten_ms;
            note_turn(lane, wall_ms, late_ms);
            note_turn(lane, wall_ms, forgotten_ms);
        }
    }
    lane->places = smaller(lane->measured.width, lane->caps.in_flight_max - late);
    return lane->places - in_time;
}

/* ---- whose turn it is ---- */

static bool may_start(const struct lane_pool *pool)
{
    return pool->stock.startable > pool->granted;
}

static int64_t clones_of(const struct lane_pool *pool)
{
    return pool->stock.ready + (int64_t)pool->stock.flight_count + pool->granted;
}

static struct lane_pool *pool_of_oldest_waiter(const struct lane *lane)
{
    struct lane_pool *found = NULL;
    const struct object *oldest = NULL;
    for (size_t i = 0; i < lane->pool_count; i++) {
        struct lane_pool *pool = &lane->pools[i];
        int64_t covered = clones_of(pool);
        if (!may_start(pool) || covered >= (int64_t)pool->waiter_count) {
            continue;
        }
        const struct object *waits = pool->waiters[covered].instance;
        if (found == NULL || object_compare_age(waits, oldest) < 0) {
            found = pool;
            oldest = waits;
        }
    }
    return found;
}

/* Its size is what somebody thinks that it needs, so what it has is measured by that. */
static bool is_drier(const struct lane_pool *one, const struct lane_pool *other)
{
    int64_t left = clones_of(one) * other->stock.size;
    int64_t right = clones_of(other) * one->stock.size;
    return left < right;
}

static struct lane_pool *driest_pool(const struct lane *lane)
{
    struct lane_pool *found = NULL;
    for (size_t i = 0; i < lane->pool_count; i++) {
        struct lane_pool *pool = &lane->pools[i];
        if (may_start(pool) && (found == NULL || is_drier(pool, found))) {
            found = pool;
        }
    }
    return found;
}

void lane_grant(struct lane *lane, int64_t wall_ms)
{
    lane->look_again_ms = NOW_NEVER;
    lane->is_full = lane->volume_count >= lane->caps.volumes_max && driest_pool(lane) != NULL;
    int64_t places = places_left(lane, wall_ms);
    places = smaller(places, lane->caps.volumes_max - lane->volume_count);
    for (; places > 0; places--) {
        struct lane_pool *pool = pool_of_oldest_waiter(lane);
        pool = pool == NULL ? driest_pool(lane) : pool;
        if (pool == NULL) {
            break;
        }
        pool->granted++;
    }
}
