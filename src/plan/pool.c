/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool's turn: what it wants, its parts in their order, and its end. */
#include "plan/pool.h"

#include "api/names.h"
#include "plan/finalizer.h"
#include "plan/pool_turn.h"

#include <assert.h>

static void change_finalizer(struct pool_turn *turn, bool present, const char *reason)
{
    const struct object *pool = turn->seen->pool;
    pool_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                   .purpose = PURPOSE_FINALIZER,
                                   .object = KIND_POOL,
                                   .namespace = pool->meta.namespace,
                                   .name = pool->meta.name,
                                   .body = finalizer_patch(pool, present, turn->plan->arena),
                                   .reason = reason});
}

/* false: something is left that only the Pool looks after. */
static bool finish_deletion(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    if (!object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        return true;
    }
    for (size_t i = 0; i < seen->volume_count; i++) {
        if (seen->volumes[i]->volume->state == VOLUME_STATE_WARM &&
            !volume_was_claimed(seen->volumes[i])) {
            return false;
        }
    }
    if (seen->holding_count > 0) {
        return false;
    }
    change_finalizer(turn, false, "no clone is left that only the Pool looks after");
    return true;
}

void plan_pool(struct plan *plan, const struct pool_observation *seen)
{
    assert(seen->pool->kind == KIND_POOL);
    const struct pool *pool = seen->pool->pool;
    struct pool_turn turn = {
        .plan = plan,
        .seen = seen,
        .deleting = seen->pool->meta.deleting_ms != 0,
        .golden = golden_judge(seen->pool, &seen->golden, plan->arena),
        .next = *pool,
    };
    turn.next.counts = (struct pool_counts){.waiting = seen->waiting_count};
    int64_t demand =
        seen->waiting_count < pool->in_flight_max ? seen->waiting_count : pool->in_flight_max;
    turn.wanted = pool->size > demand ? pool->size : demand;
    if (!turn.deleting && !object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        change_finalizer(&turn, true, "its volumes must be gone before it is");
    }
    pool_look_at_clones(&turn);
    if (turn.deleting && finish_deletion(&turn)) {
        return; /* nobody reads a last status */
    }
    if (!turn.deleting && turn.golden.ready && object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        pool_fill(&turn);
    }
    pool_status_plan(&turn);
}
