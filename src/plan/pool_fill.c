/* SPDX-License-Identifier: Apache-2.0 */
/* Slots have names, `<pool>-<slot>`: however stale our view, the API server refuses the duplicate,
   so a pool can never overshoot. */
#include "plan/pool_turn.h"

#include "api/names.h"
#include "base/extremes.h"
#include "plan/clones.h"
#include "plan/desired.h"

/* Claims under way go first, unless Instances wait for a clone to be made: a developer waits for
   the PV binder's 20 writes a second (30 at once), and a new holding PVC takes some of them. Fifty
   claims take it 2 to 5 s (bench/claim). */
#define FILLS_AFTER_MS (INT64_C(15) * 1000)

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

/* Holding PVCs that take a place. One that is put aside or stuck in its deletion (a pod somebody
   made uses it) does not, or the pool would run dry. */
static int64_t places_taken(const struct pool_turn *turn)
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
    return taken - turn->aside_count;
}

/* The binder picked that volume: nobody made it. */
static bool was_made(const struct object *holding, const struct object *volume)
{
    return text_equal(volume->volume->claim_uid, holding->meta.uid) &&
           object_annotation(volume, ANNOTATION_BOUND_BY_CONTROLLER) == NULL;
}

size_t pool_creates(const struct pool_observation *seen, struct lane_create *out)
{
    size_t count = 0;
    for (size_t i = 0; i < seen->holding_count; i++) {
        const struct object *volume = seen->holding_volumes[i];
        if (volume != NULL && was_made(seen->holdings[i], volume)) {
            out[count++] = (struct lane_create){.started_ms = seen->holdings[i]->meta.created_ms,
                                                .completed_ms = volume->meta.created_ms};
        }
    }
    return count;
}

static void find_flights(const struct pool_turn *turn, struct pool_stock *stock)
{
    const struct pool_observation *seen = turn->seen;
    size_t most = seen->holding_count + (size_t)seen->starting_count + 1;
    int64_t *flights = arena_new(turn->plan->arena, most, sizeof *flights);
    for (size_t i = 0; i < seen->holding_count; i++) {
        const struct object *holding = seen->holdings[i];
        if (seen->holding_volumes[i] == NULL && holding->meta.deleting_ms == 0 &&
            holding->volume_claim->phase != CLAIM_LOST && !pool_is_aside(turn, holding)) {
            flights[stock->flight_count++] = holding->meta.created_ms;
        }
    }
    for (int64_t i = 0; i < seen->starting_count; i++) {
        flights[stock->flight_count++] = turn->plan->now.wall_ms;
    }
    stock->flights = flights;
}

/* Creates that fail stay in flight, and must not multiply: one Pool has never more of them than
   maxInFlight, however old they are. */
struct pool_stock pool_fill_stock(const struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    const struct pool_counts *counts = &turn->next.counts;
    struct pool_stock stock = {.size = turn->size,
                               .fills = !turn->deleting && turn->golden.ready &&
                                        object_has_finalizer(seen->pool, NAME_FINALIZER) &&
                                        !pool_is_held(turn, PURPOSE_FILL)};
    find_flights(turn, &stock);
    int64_t flight_count = (int64_t)stock.flight_count;
    int64_t filling = counts->filling + seen->starting_count;
    stock.ready = clones_claimable(seen, false) - turn->untaken_count + filling - flight_count;
    int64_t wanted = turn->wanted + turn->rotation.surge;
    int64_t missing = wanted - counts->warm - filling;
    int64_t startable = smaller(missing, wanted - places_taken(turn) - seen->starting_count);
    int64_t in_flight_max = seen->lane == NULL ? 0 : seen->lane->caps.in_flight_max;
    startable = smaller(startable, in_flight_max - flight_count);
    stock.startable = stock.fills && startable > 0 ? startable : 0;
    return stock;
}

static void start(struct pool_turn *turn, const char *name)
{
    const struct object *pool = turn->seen->pool;
    pool_act(turn, (struct action){
                       .kind = ACTION_CREATE,
                       .purpose = PURPOSE_FILL,
                       .object = KIND_VOLUME_CLAIM,
                       .namespace = pool->meta.namespace,
                       .name = name,
                       .body = desired_holding_claim(pool, &turn->golden, name, turn->plan->arena),
                       .reason = "a clone is missing"});
}

void pool_fill(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t starting = smaller(pool_fill_stock(turn).startable, seen->granted);
    int64_t left_ms = pool_head_start_left(turn, FILLS_AFTER_MS);
    if (seen->lane != NULL && seen->lane->look_again_ms != NOW_NEVER) {
        plan_look_again(turn->plan, seen->lane->look_again_ms);
    }
    if (starting > 0 && left_ms > 0) {
        plan_look_again(turn->plan, left_ms);
        return;
    }
    for (int slot = 0; starting > 0 && slot < 2 * LIMIT_POOL_SIZE; slot++) {
        const char *name = arena_print(turn->plan->arena, "%s-%d", seen->pool->meta.name, slot);
        if (!slot_taken(seen, name)) {
            starting--;
            start(turn, name);
        }
    }
}
