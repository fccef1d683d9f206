/* SPDX-License-Identifier: Apache-2.0 */
/* Slots have names, `<pool>-<slot>`: however stale our view, the API server refuses the duplicate,
   so a pool can never overshoot. A holding PVC lives exactly as long as its clone is ours to hand
   out: once the clone is claimed, or is to be destroyed, the PVC is deleted. */
#include "plan/pool.h"

#include "api/names.h"
#include "plan/clones.h"
#include "plan/desired.h"
#include "plan/finalizer.h"
#include "plan/pool_status.h"
#include "plan/trouble.h"
#include "plan/volume_patch.h"

#include <assert.h>

/* A fill that has waited this long is reported: csi-provisioner's own timeout is 5 min, and the
   slowest of ten clones measured on FSx took 611 s. */
#define FILL_STUCK_MS (INT64_C(20) * 60 * 1000)
/* Claims under way go first, unless Instances wait for a clone to be made: a developer waits for
   the PV binder's 20 writes a second (30 at once), and a new holding PVC takes some of them. Fifty
   claims take it 2 to 5 s (bench/claim). */
#define FILLS_AFTER_MS (INT64_C(15) * 1000)
/* The PVCs that held claimed clones go as soon as the API server has the last of a burst of claims
   behind it: that costs the binder nothing, but at a resync it would mark each of them Lost, with a
   write of its own. */
#define DELETIONS_AFTER_MS INT64_C(300)
#define DELETION_STUCK_MS (INT64_C(60) * 1000)

/* What is left of a head start of whole_ms since the youngest claim under way chose its clone; 0:
   none. A time to come is of another clock, and starts none. */
static int64_t head_start_left(const struct pool_turn *turn, int64_t whole_ms)
{
    const struct pool_observation *seen = turn->seen;
    int64_t left_ms = seen->claiming_since_ms + whole_ms - turn->plan->now.wall_ms;
    bool over = left_ms > whole_ms || left_ms < 0 || turn->deleting || clones_awaited(seen);
    return over ? 0 : left_ms;
}

/* While the last failure's back-off runs: what was refused waits, the rest goes on (a quota that
   refuses a new holding PVC must not keep a finished clone from becoming warm); a server that
   could not be reached is left alone altogether. */
static void act(struct pool_turn *turn, struct action action)
{
    const struct trouble *trouble = &turn->seen->trouble;
    bool concerned = action.purpose == trouble->purpose || !trouble_is_lasting(trouble);
    if (turn->seen->held && concerned) {
        return;
    }
    plan_add(turn->plan, action);
}

static void delete_holding(struct pool_turn *turn, const struct object *holding, const char *reason)
{
    if (holding->meta.deleting_ms == 0) {
        act(turn, (struct action){.kind = ACTION_DELETE,
                                  .purpose = PURPOSE_DELETE,
                                  .object = KIND_VOLUME_CLAIM,
                                  .namespace = holding->meta.namespace,
                                  .name = holding->meta.name,
                                  .uid = holding->meta.uid,
                                  .reason = reason});
    }
}

static void delete_claimed(struct pool_turn *turn, const struct object *holding)
{
    int64_t left_ms = head_start_left(turn, DELETIONS_AFTER_MS);
    if (left_ms > 0) {
        plan_look_again(turn->plan, left_ms);
    } else {
        delete_holding(turn, holding, "its clone was claimed");
    }
}

static void patch_volume(struct pool_turn *turn, const struct object *volume, enum purpose purpose,
                         const char *body, const char *reason)
{
    act(turn, (struct action){.kind = purpose == PURPOSE_LABEL_VOLUME ? ACTION_MERGE_PATCH
                                                                      : ACTION_JSON_PATCH,
                              .purpose = purpose,
                              .object = KIND_VOLUME,
                              .name = volume->meta.name,
                              .body = body,
                              .reason = reason});
}

/* A holding PVC that has no volume of its own yet. */
static void look_at_filling(struct pool_turn *turn, const struct object *holding)
{
    if (holding->meta.deleting_ms != 0) {
        return;
    }
    turn->next.counts.filling++;
    int64_t age_ms = turn->plan->now.wall_ms - holding->meta.created_ms;
    if (age_ms >= FILL_STUCK_MS) {
        turn->stuck = holding;
        if (turn->deleting) {
            delete_holding(turn, holding, "the Pool is deleted and this clone does not come");
        }
    } else {
        plan_look_again(turn->plan, FILL_STUCK_MS - age_ms);
    }
}

/* A holding PVC whose volume has no label yet. */
static void look_at_new(struct pool_turn *turn, const struct object *holding,
                        const struct object *volume)
{
    if (object_annotation(volume, ANNOTATION_BOUND_BY_CONTROLLER) != NULL) {
        turn->misbound = holding;
        return;
    }
    turn->next.counts.filling++;
    if (holding->volume_claim->phase == CLAIM_BOUND && volume->volume->phase == VOLUME_BOUND &&
        holding->meta.deleting_ms == 0) {
        patch_volume(turn, volume, PURPOSE_LABEL_VOLUME,
                     volume_patch_warm(volume, holding, turn->seen->pool, turn->plan->arena),
                     "the clone is bound: it is warm now");
    }
}

/* A holding PVC whose volume still names it. */
static void look_at_held(struct pool_turn *turn, const struct object *holding,
                         const struct object *volume)
{
    if (volume_was_claimed(volume)) {
        return; /* a person's edit; nothing is deleted */
    }
    if (volume->meta.deleting_ms != 0) {
        delete_holding(turn, holding, "its volume is being deleted by someone else");
        return;
    }
    switch (volume->volume->state) {
    case VOLUME_STATE_NONE:
        look_at_new(turn, holding, volume);
        break;
    case VOLUME_STATE_WARM:
        if (holding->meta.deleting_ms == 0 && volume_claimable(volume)) {
            turn->next.counts.warm++;
        }
        break;
    case VOLUME_STATE_RETIRING:
        delete_holding(turn, holding, "its clone is retired");
        break;
    case VOLUME_STATE_CLAIMED:
    case VOLUME_STATE_DISPOSING:
    case VOLUME_STATE_STRANGE:
        break; /* a person's edit: the claimRef contradicts the label; nothing is deleted */
    }
}

static void look_at_holdings(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    for (size_t i = 0; i < seen->holding_count; i++) {
        const struct object *holding = seen->holdings[i];
        const struct object *volume = seen->holding_volumes[i];
        if (volume == NULL && holding->volume_claim->phase == CLAIM_LOST) {
            delete_holding(turn, holding, "its volume is gone");
        } else if (volume == NULL) {
            look_at_filling(turn, holding);
        } else if (text_equal(volume->volume->claim_uid, holding->meta.uid)) {
            look_at_held(turn, holding, volume);
        } else if (volume->volume->state == VOLUME_STATE_CLAIMED ||
                   volume->volume->state == VOLUME_STATE_DISPOSING) {
            delete_claimed(turn, holding);
        } else if (holding->volume_claim->phase == CLAIM_LOST) {
            delete_holding(turn, holding, "its clone has another claim, whatever its label says");
        }
    }
}

static void retire(struct pool_turn *turn, const struct object *volume, const char *reason)
{
    turn->next.counts.retiring++;
    patch_volume(turn, volume, PURPOSE_RETIRE_VOLUME,
                 volume_patch_retire(volume, turn->plan->arena), reason);
}

/* What is wrong with a clone that nobody had; NULL: nothing. */
static const char *unfit(const struct object *volume)
{
    if (volume->volume->phase == VOLUME_RELEASED) {
        return "its holding PVC was deleted by someone else";
    }
    return object_annotation(volume, ANNOTATION_SYSTEM_ID) == NULL
               ? "it does not say any more what it was made from"
               : NULL;
}

static void look_at_own(struct pool_turn *turn, const struct object *volume)
{
    const struct volume *state = volume->volume;
    if (state->state == VOLUME_STATE_WARM && volume->meta.deleting_ms == 0 &&
        unfit(volume) != NULL) {
        retire(turn, volume, unfit(volume));
    }
    if (state->state == VOLUME_STATE_RETIRING && state->policy != RECLAIM_DELETE) {
        patch_volume(turn, volume, PURPOSE_RETIRE_VOLUME,
                     volume_patch_delete(volume, turn->plan->arena),
                     "retiring, but its policy would keep the volume for ever");
    }
}

/* Youngest first, so that what is handed out next stays what it was. What a claim has chosen is as
   good as gone: it is not one too many, nor does it make another one so. */
static void look_at_volumes(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t chosen = clones_claimable(seen, true);
    for (size_t i = seen->volume_count; i-- > 0;) {
        const struct object *volume = seen->volumes[i];
        const struct volume *state = volume->volume;
        if (state->state == VOLUME_STATE_CLAIMED) {
            turn->next.counts.claimed++;
        } else if (state->state == VOLUME_STATE_RETIRING && !volume_was_claimed(volume)) {
            turn->next.counts.retiring++;
        }
        if (!volume_was_claimed(volume)) {
            look_at_own(turn, volume);
        }
        if (!volume_claimable(volume) || clone_is_chosen(seen, volume)) {
            continue;
        }
        struct pool_counts *counts = &turn->next.counts;
        bool too_many = counts->warm > chosen && counts->warm - chosen + counts->filling >
                                                     turn->wanted + seen->undecided_count;
        if (turn->deleting || too_many) {
            counts->warm -= counts->warm > 0;
            retire(turn, volume,
                   turn->deleting ? "the Pool is deleted" : "more clones than spec.size");
        }
    }
}

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

static void fill(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    struct pool_counts *counts = &turn->next.counts;
    int64_t missing = turn->wanted - counts->warm - counts->filling;
    int64_t room = seen->pool->pool->in_flight_max - counts->filling;
    int64_t places = turn->wanted - places_taken(turn);
    int64_t starting = missing < room ? missing : room;
    starting = starting < places ? starting : places;
    int64_t left_ms = head_start_left(turn, FILLS_AFTER_MS);
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
        act(turn, (struct action){.kind = ACTION_CREATE,
                                  .purpose = PURPOSE_FILL,
                                  .object = KIND_VOLUME_CLAIM,
                                  .namespace = seen->pool->meta.namespace,
                                  .name = name,
                                  .body = desired_holding_claim(seen->pool, &turn->golden, name,
                                                                turn->plan->arena),
                                  .reason = "a clone is missing"});
    }
}

static void change_finalizer(struct pool_turn *turn, bool present, const char *reason)
{
    const struct object *pool = turn->seen->pool;
    act(turn, (struct action){.kind = ACTION_JSON_PATCH,
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
    look_at_holdings(&turn);
    look_at_volumes(&turn);
    if (turn.deleting && finish_deletion(&turn)) {
        return; /* nobody reads a last status */
    }
    if (!turn.deleting && turn.golden.ready && object_has_finalizer(seen->pool, NAME_FINALIZER)) {
        fill(&turn);
    }
    pool_status_plan(&turn);
}
