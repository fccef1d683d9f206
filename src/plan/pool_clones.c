/* SPDX-License-Identifier: Apache-2.0 */
/* A holding PVC lives exactly as long as its clone is ours to hand out: once the clone is claimed,
   or is to be destroyed, the PVC is deleted. */
#include "plan/pool_turn.h"

#include "api/names.h"
#include "plan/clones.h"
#include "plan/volume_patch.h"

/* The PVCs that held claimed clones go as soon as the API server has the last of a burst of claims
   behind it: that costs the binder nothing, but at a resync it would mark each of them Lost, with a
   write of its own. */
#define DELETIONS_AFTER_MS INT64_C(300)

static void delete_holding(struct pool_turn *turn, const struct object *holding, const char *reason)
{
    if (holding->meta.deleting_ms == 0) {
        pool_act(turn, (struct action){.kind = ACTION_DELETE,
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
    int64_t left_ms = pool_head_start_left(turn, DELETIONS_AFTER_MS);
    if (left_ms > 0) {
        plan_look_again(turn->plan, left_ms);
    } else {
        delete_holding(turn, holding, "its clone was claimed");
    }
}

static void patch_volume(struct pool_turn *turn, const struct object *volume, enum purpose purpose,
                         const char *body, const char *reason)
{
    pool_act(turn, (struct action){.kind = purpose == PURPOSE_LABEL_VOLUME ? ACTION_MERGE_PATCH
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
    turn->next.counts.filling += pool_look_at_fill(turn, holding);
    if (turn->deleting && turn->stuck == holding) {
        delete_holding(turn, holding, "the Pool is deleted and this clone does not come");
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
        if (clone_twin(turn->seen, volume) != NULL) {
            turn->shared = volume;
            turn->next.counts.broken++;
            (void)pool_put_aside(turn, holding);
        } else if (holding->meta.deleting_ms == 0 && volume_claimable(volume)) {
            turn->next.counts.warm++;
            turn->next.counts.stale += pool_clone_is_stale(turn, volume);
        }
        break;
    case VOLUME_STATE_RETIRING:
        delete_holding(turn, holding, "its clone is retired");
        break;
    case VOLUME_STATE_RESERVED:
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
        int64_t deleting_ms = holding->meta.deleting_ms;
        if (deleting_ms != 0 && turn->plan->now.wall_ms - deleting_ms >= DELETION_STUCK_MS) {
            turn->hanging = holding;
        }
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

void pool_retire(struct pool_turn *turn, const struct object *volume, const char *reason)
{
    turn->next.counts.retiring++;
    patch_volume(turn, volume, PURPOSE_RETIRE_VOLUME,
                 volume_patch_retire(volume, turn->plan->now.wall_ms, turn->plan->arena), reason);
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
        pool_retire(turn, volume, unfit(volume));
    }
    if (state->state == VOLUME_STATE_RETIRING && state->policy != RECLAIM_DELETE) {
        patch_volume(turn, volume, PURPOSE_RETIRE_VOLUME,
                     volume_patch_delete(volume, turn->plan->arena),
                     "retiring, but its policy would keep the volume for ever");
    }
}

static void look_at_volumes(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    for (size_t i = 0; i < seen->volume_count; i++) {
        const struct object *volume = seen->volumes[i];
        enum volume_state state = volume->volume->state;
        if (state == VOLUME_STATE_CLAIMED) {
            turn->next.counts.claimed++;
        }
        if (volume_was_claimed(volume) || clone_twin(seen, volume) != NULL) {
            continue;
        }
        turn->next.counts.retiring += state == VOLUME_STATE_RETIRING;
        look_at_own(turn, volume);
    }
}

void pool_look_at_clones(struct pool_turn *turn)
{
    look_at_holdings(turn);
    look_at_volumes(turn);
}
