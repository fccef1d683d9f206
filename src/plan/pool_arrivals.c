/* SPDX-License-Identifier: Apache-2.0 */
/* The record of what a Pool is asked for. One that cannot be read gives way to a new one as soon as
   there is something to count, and until then the condition says so. */
#include "plan/pool_turn.h"

#include "plan/arrivals.h"

/* A request that is of a time to come is of another clock. */
#define LOOK_AGAIN_MS_MAX (INT64_C(3600) * 1000)

/* false: some of them can be counted now. */
static bool wait(struct pool_turn *turn, int64_t until_ms)
{
    const struct pool_observation *seen = turn->seen;
    int64_t wait_ms =
        arrivals_wait_ms(until_ms, seen->arrivals_ms, seen->arrival_count, turn->plan->now.wall_ms);
    if (wait_ms == 0) {
        return false;
    }
    if (wait_ms != NOW_NEVER) {
        plan_look_again(turn->plan, wait_ms < LOOK_AGAIN_MS_MAX ? wait_ms : LOOK_AGAIN_MS_MAX);
    }
    return true;
}

void pool_note_arrivals(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    const struct arrival_record *told = &seen->pool->pool->arrivals;
    struct arena *arena = turn->plan->arena;
    struct error error;
    struct arrivals *arrivals = arena_new(arena, 1, sizeof *arrivals);
    turn->arrivals = arrivals;
    if (!arrivals_read(told, arena, arrivals, &error)) {
        turn->unreadable = arena_copy(arena, error.message);
    }
    if (turn->deleting || wait(turn, arrivals->until * ARRIVAL_BUCKET_MS)) {
        return;
    }
    if (arrivals_add(arrivals, seen->arrivals_ms, seen->arrival_count, turn->plan->now.wall_ms)) {
        turn->next.arrivals = arrivals_write(arrivals, arena);
    }
}
