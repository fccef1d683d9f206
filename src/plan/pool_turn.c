/* SPDX-License-Identifier: Apache-2.0 */
/* What holds a Pool's actions back: a failure, or claims that should go first. */
#include "plan/pool_turn.h"

#include "plan/clones.h"
#include "plan/trouble.h"

/* A time to come is of another clock, and starts none. */
int64_t pool_head_start_left(const struct pool_turn *turn, int64_t whole_ms)
{
    const struct pool_observation *seen = turn->seen;
    int64_t left_ms = seen->claiming_since_ms + whole_ms - turn->plan->now.wall_ms;
    bool over = left_ms > whole_ms || left_ms < 0 || turn->deleting || clones_awaited(seen);
    return over ? 0 : left_ms;
}

/* While the last failure's back-off runs: what was refused waits, the rest goes on (a quota that
   refuses a new holding PVC must not keep a finished clone from becoming warm); a server that
   could not be reached is left alone altogether. */
bool pool_is_held(const struct pool_turn *turn, enum purpose purpose)
{
    const struct trouble *trouble = &turn->seen->trouble;
    bool concerned = purpose == trouble->purpose || !trouble_is_lasting(trouble);
    return turn->seen->held && concerned;
}

void pool_act(struct pool_turn *turn, struct action action)
{
    if (!pool_is_held(turn, action.purpose)) {
        plan_add(turn->plan, action);
    }
}
