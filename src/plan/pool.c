/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool's turn: what it wants, its parts in their order, and its end. */
#include "plan/pool.h"

#include "api/names.h"
#include "plan/finalizer.h"
#include "plan/pool_sizing.h"

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

/* Somebody took its claimRef off, and the binder gave it to a PVC of somebody else's: it goes with
   that. */
static bool is_taken(const struct object *pool, const struct object *volume)
{
    return volume->volume->phase == VOLUME_BOUND &&
           !text_equal(volume->volume->claim_namespace, pool->meta.namespace);
}

/* false: something is left that only the Pool looks after. */
static bool finish_deletion(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    if (!object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        return true;
    }
    for (size_t i = 0; i < seen->volume_count; i++) {
        const struct object *volume = seen->volumes[i];
        if (volume->volume->state == VOLUME_STATE_WARM && !volume_was_claimed(volume) &&
            !is_taken(seen->pool, volume)) {
            return false;
        }
    }
    if (seen->holding_count > 0) {
        return false;
    }
    change_finalizer(turn, false, "no clone is left that only the Pool looks after");
    return true;
}

static struct pool_turn begin(struct plan *plan, const struct pool_observation *seen)
{
    assert(seen->pool->kind == KIND_POOL);
    const struct pool *pool = seen->pool->pool;
    int64_t width = seen->lane == NULL ? 0 : seen->lane->measured.width;
    int64_t demand = seen->waiting_count < width ? seen->waiting_count : width;
    struct pool_turn turn = {
        .plan = plan,
        .seen = seen,
        .deleting = seen->pool->meta.deleting_ms != 0,
        .golden = golden_judge(seen->pool, &seen->golden, plan->arena),
        .next = *pool,
    };
    pool_size_now(&turn);
    turn.wanted = turn.size > demand ? turn.size : demand;
    turn.next.counts = (struct pool_counts){.waiting = seen->waiting_count};
    return turn;
}

/* It is found out as its plan does it, and what that would do is forgotten: so the two cannot
   differ. */
struct pool_stock pool_stock(const struct pool_observation *seen, struct arena *arena,
                             struct now now)
{
    struct plan *plan = arena_new(arena, 1, sizeof *plan);
    plan_init(plan, arena, now);
    struct pool_turn turn = begin(plan, seen);
    pool_look_at_clones(&turn);
    pool_rotate(&turn);
    return pool_fill_stock(&turn);
}

void plan_pool(struct plan *plan, const struct pool_observation *seen)
{
    struct pool_turn turn = begin(plan, seen);
    if (!turn.deleting && !object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        change_finalizer(&turn, true, "its volumes must be gone before it is");
    }
    pool_look_at_clones(&turn);
    pool_rotate(&turn);
    if (turn.deleting && finish_deletion(&turn)) {
        return; /* nobody reads a last status */
    }
    pool_fill(&turn);
    pool_ask_why(&turn);
    pool_note_arrivals(&turn);
    pool_plan_size(&turn);
    pool_status_plan(&turn);
}
