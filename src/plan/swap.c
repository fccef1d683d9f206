/* SPDX-License-Identifier: Apache-2.0 */
/* The hand-off, from the chosen volume to the commit point on its PV. One planner for both orders;
   they differ in when the developer's PVC is made:

       Swap     choose + PVC  ->  PV by the PVC's uid
       Release  choose        ->  PV by the PVC's name  ->  PVC with volumeName

   In Swap the volume is never free for others: claimRef goes from one uid to the other in one
   write, and the binder reacts to it at once (syncVolume adds the claim to its queue when
   volumeName is empty). A volume that was chosen and is no longer what it was is given up, and the
   Instance waits again: nothing had been written to it. A commit whose answer never came may still
   arrive, and find the volume as it was once more (its labels are put back): so it is withdrawn
   before another is chosen, by a write after which no such commit fits. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/desired.h"
#include "plan/pool.h"
#include "plan/trouble.h"
#include "plan/volume_patch.h"

#include <string.h>

void swap_note_chosen(struct instance_turn *turn, const struct object *volume)
{
    struct instance *next = &turn->next;
    turn->choosing = true;
    reset_note_done(turn);
    next->phase = PHASE_CLAIMING;
    next->volume = volume->meta.name;
    next->volume_handle = volume->volume->handle;
    next->holding_uid = volume->volume->claim_uid;
    next->offer = object_annotation(volume, ANNOTATION_OFFER);
    next->golden = object_annotation(volume, ANNOTATION_GOLDEN);
    next->golden_uid = object_annotation(volume, ANNOTATION_GOLDEN_UID);
    next->system_id = object_annotation(volume, ANNOTATION_SYSTEM_ID);
    memset(next->steps, 0, sizeof next->steps);
    next->steps[STEP_CHOSEN] = turn->plan->now.wall_ms;
    credentials_reserve(turn, volume);
}

void swap_choose(struct instance_turn *turn)
{
    const struct object *volume = turn->seen->assigned;
    swap_note_chosen(turn, volume);
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    instance_not_bound(turn, "Claiming", "a clone is chosen and on its way");
    if (turn->seen->pool->pool->order == CLAIM_ORDER_SWAP && turn->seen->data_claim == NULL) {
        adoption_post_data_claim(turn, volume, "the volume's new claim");
    }
}

/* Why nothing goes on, if a write was refused; else that it does. */
static void say_on_its_way(struct instance_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    bool ours = trouble->purpose == PURPOSE_CLAIM_VOLUME || trouble->purpose == PURPOSE_WITHDRAW;
    turn->next.phase = PHASE_CLAIMING;
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    if (ours && trouble_is_lasting(trouble)) {
        instance_not_bound(turn, trouble_reason(trouble),
                           arena_print(turn->plan->arena, "%s: %s", purpose_name(trouble->purpose),
                                       trouble->message));
        return;
    }
    instance_not_bound(turn, "Claiming", "a clone is chosen and on its way");
}

static bool is_as_offered(const struct instance_turn *turn)
{
    return text_equal(object_annotation(turn->seen->volume, ANNOTATION_OFFER), turn->before->offer);
}

/* States that end a volume, and a claim of another, are final: nothing of ours fits there. */
static bool may_still_be_claimed(const struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    if (volume == NULL || volume->meta.deleting_ms != 0 || !is_as_offered(turn) ||
        !text_equal(volume->volume->claim_uid, turn->before->holding_uid)) {
        return false;
    }
    enum volume_state state = volume->volume->state;
    return state == VOLUME_STATE_WARM || state == VOLUME_STATE_NONE ||
           state == VOLUME_STATE_STRANGE;
}

/* Held or not: what keeps the rest from going on is why it is given up. */
static void withdraw(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    bool again = seen->held && seen->trouble.purpose == PURPOSE_WITHDRAW;
    say_on_its_way(turn);
    if (!again && !trouble_silences(&seen->trouble, seen->held)) {
        plan_add(turn->plan,
                 (struct action){.kind = ACTION_MERGE_PATCH,
                                 .purpose = PURPOSE_WITHDRAW,
                                 .object = KIND_VOLUME,
                                 .name = seen->volume->meta.name,
                                 .body = volume_patch_withdraw(seen->volume, turn->plan->arena),
                                 .reason = "another is chosen: no write of this claim, however "
                                           "late, may fit any more"});
    }
}

/* A reserved one is given back first: its labels would say that it is this Instance's. */
void swap_give_up(struct instance_turn *turn, const char *message)
{
    struct instance *next = &turn->next;
    if (reset_return(turn, message)) {
        say_on_its_way(turn);
        return;
    }
    if (may_still_be_claimed(turn)) {
        withdraw(turn);
        return;
    }
    reset_note_done(turn);
    turn->choosing = true;
    next->phase = PHASE_WAITING;
    next->volume = next->volume_handle = next->holding_uid = next->offer = NULL;
    next->golden = next->golden_uid = next->system_id = NULL;
    memset(next->steps, 0, sizeof next->steps);
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    instance_not_bound(turn, "ChoosingAnother", message);
}

static void claim_volume(struct instance_turn *turn, const char *claim_uid)
{
    const struct object *volume = turn->seen->volume;
    struct arena *arena = turn->plan->arena;
    struct volume_claimant claimant = {
        .instance = turn->object,
        .claim_name = desired_data_claim_name(turn->object, arena),
        .claim_uid = claim_uid,
        .holding_uid = turn->before->holding_uid,
        .offer = turn->before->offer,
        .wall_ms = turn->plan->now.wall_ms,
    };
    instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                       .purpose = PURPOSE_CLAIM_VOLUME,
                                       .object = KIND_VOLUME,
                                       .name = volume->meta.name,
                                       .body = volume_patch_claim(volume, &claimant, arena),
                                       .reason = volume->volume->state == VOLUME_STATE_RESERVED
                                                     ? "reserved to claimed: the commit point"
                                                     : "warm to claimed: the commit point"});
}

/* Why this Instance cannot have the volume it has chosen; NULL: it can. */
static const char *obstacle(const struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    const struct object *data_claim = seen->data_claim;
    bool refused = trouble_is_lasting(&seen->trouble) && seen->held &&
                   seen->trouble.purpose == PURPOSE_DATA_CLAIM;
    if (seen->pool == NULL) {
        return "its Pool is gone; see the condition Eligible";
    }
    if (refused) {
        return "its PVC was refused; see the condition Eligible";
    }
    if (seen->pool->pool->order == CLAIM_ORDER_SWAP && data_claim != NULL) {
        if (!instance_owns(turn, data_claim) || data_claim->meta.deleting_ms != 0) {
            return "the PVC of its name is not its own any more; see the condition Eligible";
        }
        if (data_claim->volume_claim->volume != NULL || seen->rival != NULL) {
            return "its PVC was bound to another volume; see the condition Eligible";
        }
    }
    return is_as_offered(turn) ? NULL : "the chosen volume was given up; another is chosen";
}

static void plan_warm(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    const char *why_not = obstacle(turn);
    turn->next.phase = PHASE_CLAIMING;
    if (why_not != NULL) {
        swap_give_up(turn, why_not);
    } else if (seen->pool->pool->order == CLAIM_ORDER_RELEASE) {
        claim_volume(turn, NULL);
    } else if (seen->data_claim == NULL) {
        adoption_post_data_claim(turn, seen->volume, "the volume's new claim");
    } else {
        claim_volume(turn, seen->data_claim->meta.uid);
    }
    if (turn->next.conditions.count == 0) {
        say_on_its_way(turn);
    }
}

/* Chosen by a reset: nobody else can have it meanwhile. */
static void plan_reserved(struct instance_turn *turn)
{
    if (reset_is_reserved(turn, turn->seen->volume)) {
        plan_warm(turn);
    } else {
        swap_give_up(turn, "the reserved clone lost its holding PVC");
    }
}

/* Ours by its label, or, when a person took the labels off, by its claimRef. */
static bool is_ours(const struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    const struct object *data_claim = turn->seen->data_claim;
    if (volume->volume->state == VOLUME_STATE_CLAIMED) {
        return instance_owns(turn, volume);
    }
    return volume->volume->state == VOLUME_STATE_NONE &&
           (instance_owns(turn, volume) ||
            (data_claim != NULL && instance_owns(turn, data_claim) &&
             text_equal(volume->volume->claim_uid, data_claim->meta.uid)));
}

/* Past the commit point, for all that can be seen: another volume must never take its place. */
static bool was_claimed(const struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    const struct object *data_claim = turn->seen->data_claim;
    const struct object *cluster = turn->seen->cluster;
    const char *name = volume != NULL ? volume->meta.name : turn->before->volume;
    return turn->before->steps[STEP_BOUND] != 0 || turn->before->steps[STEP_READY] != 0 ||
           (volume != NULL && instance_owns(turn, volume)) ||
           (cluster != NULL && instance_owns(turn, cluster)) ||
           (data_claim != NULL && instance_owns(turn, data_claim) &&
            text_equal(data_claim->volume_claim->volume, name));
}

static void plan_edited(struct instance_turn *turn, const char *name, const char *state)
{
    turn->next.phase = PHASE_FAILED;
    instance_not_bound(turn, "VolumeEdited",
                       arena_print(turn->plan->arena,
                                   "PersistentVolume %s does not say any more that it is this "
                                   "Instance's (state %s). Nothing is changed; put its labels back "
                                   "as they were: " LABEL_STATE "=" STATE_CLAIMED
                                   ", " LABEL_INSTANCE_UID "=%s",
                                   name, state == NULL ? "none" : state, turn->object->meta.uid));
}

static void plan_lost(struct instance_turn *turn)
{
    turn->next.phase = PHASE_FAILED;
    instance_not_bound(
        turn, "VolumeLost",
        arena_print(turn->plan->arena,
                    "PersistentVolume %s is gone. If its storage (%s) still "
                    "exists, make a PV of that name for it by hand, with the labels " LABEL_STATE
                    "=" STATE_CLAIMED ", " LABEL_INSTANCE_UID "=%s; "
                    "else delete this Instance",
                    turn->before->volume, turn->before->volume_handle, turn->object->meta.uid));
}

/* The chosen PV is not in the store: gone, or stripped of our labels. */
static void plan_unseen(struct instance_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    const char *name = turn->before->volume;
    bool lost = trouble->purpose == PURPOSE_CONFIRM && trouble->class == ERROR_NOT_FOUND;
    bool edited = trouble->purpose == PURPOSE_CONFIRM && trouble->class == ERROR_INVALID;
    if ((lost || edited) && !was_claimed(turn)) {
        swap_give_up(turn, arena_print(turn->plan->arena, "volume %s was %s before it was claimed",
                                       name, lost ? "destroyed" : "taken out of its pool"));
    } else if (lost) {
        plan_lost(turn);
    } else if (edited) {
        plan_edited(turn, name, NULL);
    } else {
        instance_act(turn, (struct action){.kind = ACTION_READ,
                                           .purpose = PURPOSE_CONFIRM,
                                           .object = KIND_VOLUME,
                                           .name = name,
                                           .reason = "the chosen volume is not in sight"});
    }
}

void swap_plan(struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    turn->next.queue_position = 0;
    if (volume == NULL) {
        plan_unseen(turn);
    } else if (is_ours(turn)) {
        adoption_plan(turn);
    } else if (volume->volume->state == VOLUME_STATE_RESERVED && instance_owns(turn, volume)) {
        plan_reserved(turn);
    } else if (was_claimed(turn)) {
        plan_edited(turn, volume->meta.name, object_label(volume, LABEL_STATE));
    } else if (turn->seen->own != NULL) {
        swap_give_up(turn, arena_print(turn->plan->arena, "volume %s is its own already",
                                       turn->seen->own->meta.name));
    } else if (volume_claimable(volume) &&
               text_equal(volume->volume->claim_uid, turn->before->holding_uid)) {
        plan_warm(turn);
    } else {
        swap_give_up(turn,
                     arena_print(turn->plan->arena, "volume %s was %s meanwhile", volume->meta.name,
                                 volume->volume->state == VOLUME_STATE_CLAIMED
                                     ? "claimed by another Instance"
                                     : "taken out of its pool"));
    }
}
