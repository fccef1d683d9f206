/* SPDX-License-Identifier: Apache-2.0 */
/* Slots have names, `<pool>-<slot>`: however stale our view, the API server refuses the duplicate,
   so a pool can never overshoot. */
#include "plan/pool_turn.h"

#include "plan/desired.h"

/* Claims under way go first, unless Instances wait for a clone to be made: a developer waits for
   the PV binder's 20 writes a second (30 at once), and a new holding PVC takes some of them. Fifty
   claims take it 2 to 5 s (bench/claim). */
#define FILLS_AFTER_MS (INT64_C(15) * 1000)
#define DELETION_STUCK_MS (INT64_C(60) * 1000)

static bool slot_taken(const struct pool_observation *seen, const char *name)
{
    for (size_t i = 0; i < seen->holding_count; i++) {
        if (text_equal(seen->holdings[i]->meta.name, name)) {
            return true;
        }
    }
    for (size_t i = 0; i < seen->foreign_claim_count; i++) {
        if (text_equal(seen->foreign_claims[i], name)) {
            return true;
        }
    }
    return false;
}

/* Holding PVCs that take a place. One that is stuck in its deletion (a pod somebody made uses it)
   does not, or the pool would run dry. */
static int64_t places_taken(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t taken = 0;
    for (size_t i = 0; i < seen->holding_count; i++) {
        int64_t deleting_ms = seen->holdings[i]->meta.deleting_ms;
        int64_t age_ms = turn->plan->now.wall_ms - deleting_ms;
        if (deleting_ms != 0 && age_ms >= DELETION_STUCK_MS) {
            continue;
        }
        taken++;
        if (deleting_ms != 0) {
            plan_look_again(turn->plan, DELETION_STUCK_MS - (age_ms < 0 ? 0 : age_ms));
        }
    }
    return taken;
}

void pool_fill(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    struct pool_counts *counts = &turn->next.counts;
    int64_t missing = turn->wanted - counts->warm - counts->filling;
    int64_t room = seen->pool->pool->in_flight_max - counts->filling;
    int64_t places = turn->wanted - places_taken(turn);
    int64_t starting = missing < room ? missing : room;
    starting = starting < places ? starting : places;
    int64_t left_ms = pool_head_start_left(turn, FILLS_AFTER_MS);
    if (starting > 0 && left_ms > 0) {
        plan_look_again(turn->plan, left_ms);
        return;
    }
    for (int slot = 0; starting > 0 && slot < 2 * LIMIT_POOL_SIZE; slot++) {
        const char *name = arena_print(turn->plan->arena, "%s-%d", seen->pool->meta.name, slot);
        if (slot_taken(seen, name)) {
            continue;
        }
        starting--;
        pool_act(turn, (struct action){.kind = ACTION_CREATE,
                                       .purpose = PURPOSE_FILL,
                                       .object = KIND_VOLUME_CLAIM,
                                       .namespace = seen->pool->meta.namespace,
                                       .name = name,
                                       .body = desired_holding_claim(seen->pool, &turn->golden,
                                                                     name, turn->plan->arena),
                                       .reason = "a clone is missing"});
    }
}
