/* SPDX-License-Identifier: Apache-2.0 */
/* A fresh clone under the same name. The old database runs until a clone has been promised, which
   is more than chosen: a write on the PV takes it out of the Pool for this Instance (warm to
   reserved), while its holding PVC keeps it bound. From then on each write leaves a state from
   which the next follows, whoever makes it:

       status: the clone       ->  PV of the clone: reserved
       -> Cluster, PVC, old PV go as at an Instance's end (disposal.c)
       -> status: the clone is its volume  ->  the hand-off as always (swap.c)

   Taken back before the old Cluster goes (spec.reset.count is lowered), or with the Instance, the
   reserved clone is warm again: no PVC of a developer was ever its claim. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/disposal.h"
#include "plan/finalizer.h"
#include "plan/pool.h"
#include "plan/trouble.h"
#include "plan/volume_patch.h"

#include <string.h>

static bool is_asked(const struct instance *instance)
{
    return instance->reset_count > instance->reset.count;
}

bool reset_wanted(const struct instance_observation *seen)
{
    return is_asked(seen->instance->instance) || seen->instance->instance->reset.volume != NULL ||
           seen->promised != NULL;
}

/* Could somebody have written to what it has? Before, its clone is as fresh as another. */
static bool is_used(const struct instance_observation *seen)
{
    const struct instance *instance = seen->instance->instance;
    const struct object *data_claim = seen->data_claim;
    return instance->steps[STEP_BOUND] != 0 || instance->steps[STEP_READY] != 0 ||
           seen->cluster != NULL ||
           (data_claim != NULL && data_claim->volume_claim->volume != NULL);
}

static bool is_reserved(const struct instance_turn *turn, const struct object *volume)
{
    return volume != NULL && volume->volume->state == VOLUME_STATE_RESERVED &&
           instance_owns(turn, volume);
}

static bool is_held(const struct object *volume, const char *holding_uid)
{
    return volume->volume->phase == VOLUME_BOUND && volume->meta.deleting_ms == 0 &&
           text_equal(volume->volume->claim_uid, holding_uid);
}

bool reset_is_reserved(const struct instance_turn *turn, const struct object *volume)
{
    return is_reserved(turn, volume) && is_held(volume, turn->before->holding_uid);
}

void reset_note_done(struct instance_turn *turn)
{
    const struct instance *before = turn->before;
    int64_t count =
        before->reset_count > before->reset.count ? before->reset_count : before->reset.count;
    turn->next.reset = (struct reset_progress){.count = count};
}

static void say(struct instance_turn *turn, const char *reason, const char *message)
{
    const struct trouble *trouble = &turn->seen->trouble;
    if (trouble->purpose == PURPOSE_RESERVE_VOLUME && trouble_is_lasting(trouble)) {
        reason = trouble_reason(trouble);
        message = arena_print(turn->plan->arena, "%s: %s", purpose_name(trouble->purpose),
                              trouble->message);
    }
    instance_condition(turn, INSTANCE_CONDITION_RESETTING, true, reason, message);
}

static void patch(struct instance_turn *turn, enum purpose purpose, const struct object *volume,
                  const char *body, const char *reason)
{
    instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                       .purpose = purpose,
                                       .object = KIND_VOLUME,
                                       .name = volume->meta.name,
                                       .body = body,
                                       .reason = reason});
}

bool reset_return(struct instance_turn *turn, const char *reason)
{
    const struct object *const volumes[] = {turn->seen->volume, turn->seen->promised};
    bool found = false;
    for (size_t i = 0; i < sizeof volumes / sizeof volumes[0]; i++) {
        if (is_reserved(turn, volumes[i])) {
            found = true;
            patch(turn, PURPOSE_RETURN_VOLUME, volumes[i],
                  volume_patch_return(volumes[i], turn->plan->arena), reason);
        }
    }
    return found;
}

void reset_drop(struct instance_turn *turn)
{
    (void)reset_return(turn, "its Instance has nothing that could be reset");
    turn->next.reset.volume = turn->next.reset.holding_uid = NULL;
}

/* ---- until a clone is promised ---- */

bool reset_waits(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *instance = seen->instance;
    return is_asked(instance->instance) && instance->instance->reset.asked_ms != 0 &&
           instance->instance->reset.volume == NULL && seen->promised == NULL &&
           instance->meta.deleting_ms == 0 && is_used(seen) &&
           eligibility_check_pool(seen, arena).reason == NULL;
}

static void wait_for_clone(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    struct instance *next = &turn->next;
    struct verdict verdict = eligibility_check_pool(seen, turn->plan->arena);
    swap_plan(turn);
    if (next->reset.asked_ms == 0) {
        next->reset.asked_ms = turn->plan->now.wall_ms;
    }
    if (verdict.reason != NULL) {
        say(turn, verdict.reason, verdict.message);
    } else if (seen->assigned != NULL && object_has_finalizer(turn->object, NAME_FINALIZER)) {
        turn->choosing = true;
        next->reset.volume = seen->assigned->meta.name;
        next->reset.holding_uid = seen->assigned->volume->claim_uid;
        say(turn, "ClonePromised", "a clone is chosen: the old database goes when it is reserved");
    } else {
        waiting_tell_turn(turn);
        say(turn, "WaitingForClone",
            "this Instance takes its turn for a clone, and keeps its database until then");
    }
}

/* Neither what it had, nor anything that runs on it. */
static bool nothing_is_left(const struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    const struct object *volume = seen->volume;
    bool runs = (seen->cluster != NULL && instance_owns(turn, seen->cluster)) ||
                (seen->data_claim != NULL && instance_owns(turn, seen->data_claim));
    return !runs && (volume == NULL ? is_asked(turn->before)
                                    : volume->volume->state == VOLUME_STATE_DISPOSING);
}

/* Its lifetime goes on, and its names stay its own. */
static void note_served(struct instance_turn *turn)
{
    struct instance *next = &turn->next;
    if (next->served_ms == 0) {
        int64_t claimed_ms = next->steps[STEP_VOLUME_CLAIMED];
        next->served_ms = claimed_ms != 0 ? claimed_ms : turn->plan->now.wall_ms;
    }
}

/* What was promised cannot be had. */
static void abandon(struct instance_turn *turn, const char *message)
{
    struct instance *next = &turn->next;
    if (nothing_is_left(turn)) {
        note_served(turn);
        swap_give_up(turn, message);
        return;
    }
    swap_plan(turn);
    turn->choosing = true;
    next->reset.volume = next->reset.holding_uid = NULL;
    if (is_asked(turn->before)) {
        say(turn, "ChoosingAnother", message);
    } else {
        next->reset.asked_ms = 0;
    }
}

static void find_promised(struct instance_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    bool is_known = trouble->purpose == PURPOSE_CONFIRM &&
                    (trouble->class == ERROR_NOT_FOUND || trouble->class == ERROR_INVALID);
    if (is_known) {
        abandon(turn, "the promised clone is gone");
        return;
    }
    swap_plan(turn);
    say(turn, "ClonePromised", "the promised clone is looked for");
    instance_act(turn, (struct action){.kind = ACTION_READ,
                                       .purpose = PURPOSE_CONFIRM,
                                       .object = KIND_VOLUME,
                                       .name = turn->before->reset.volume,
                                       .reason = "the promised clone is not in sight"});
}

static void give_back(struct instance_turn *turn, const char *message)
{
    swap_plan(turn);
    say(turn, "ChoosingAnother", message);
    (void)reset_return(turn, message);
}

static void keep_promise(struct instance_turn *turn)
{
    const struct object *promised = turn->seen->promised;
    const struct instance *before = turn->before;
    bool is_named = text_equal(before->reset.volume, promised->meta.name);
    if (is_reserved(turn, promised) && !is_named && before->reset.volume == NULL &&
        is_asked(before)) { /* the status was lost, the promise stands */
        swap_plan(turn);
        turn->choosing = true;
        turn->next.reset.volume = promised->meta.name;
        turn->next.reset.holding_uid = promised->volume->claim_uid;
        say(turn, "ClonePromised", "a clone is reserved");
    } else if (is_reserved(turn, promised)) {
        give_back(turn, is_asked(before) ? "the reserved clone lost its holding PVC"
                                         : "the reset was taken back");
    } else if (is_asked(before) && volume_claimable(promised) &&
               is_held(promised, before->reset.holding_uid)) {
        swap_plan(turn);
        say(turn, "ClonePromised", "a clone is chosen: the old database goes when it is reserved");
        patch(turn, PURPOSE_RESERVE_VOLUME, promised,
              volume_patch_reserve(promised, turn->object, turn->plan->arena),
              "promised: nobody else may have it");
    } else {
        abandon(turn, "the promised clone was taken out of its Pool");
    }
}

/* ---- from then on ---- */

/* false: wait; what for is said. */
static bool dispose_of_old(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    const struct trouble *trouble = &seen->trouble;
    struct disposal disposal = {
        .plan = turn->plan,
        .held = seen->held,
        .instance_uid = turn->object->meta.uid,
        .why = "its Instance is reset, and a clone is reserved",
        .policy = DELETION_DELETE, /* deletionPolicy is about the Instance's own end */
        .cluster = seen->cluster,
        .data_claim = seen->data_claim,
        .volume = seen->volume,
    };
    const char *waits_for = disposal_plan(&disposal);
    bool is_known = trouble->purpose == PURPOSE_CONFIRM &&
                    (trouble->class == ERROR_NOT_FOUND || trouble->class == ERROR_INVALID);
    if (waits_for == NULL && seen->volume == NULL && turn->before->volume != NULL && !is_known) {
        waits_for = "the old volume is looked for";
        instance_act(turn, (struct action){.kind = ACTION_READ,
                                           .purpose = PURPOSE_CONFIRM,
                                           .object = KIND_VOLUME,
                                           .name = turn->before->volume,
                                           .reason = "is the old volume gone?"});
    }
    if (waits_for != NULL) {
        instance_not_bound(turn, "Resetting", waits_for);
    }
    return waits_for == NULL;
}

static void replace(struct instance_turn *turn)
{
    struct instance *next = &turn->next;
    const struct object *volume = turn->seen->volume;
    enum volume_state state = volume == NULL ? VOLUME_STATE_NONE : volume->volume->state;
    if (volume != NULL && state != VOLUME_STATE_CLAIMED && state != VOLUME_STATE_DISPOSING) {
        swap_plan(turn); /* puts right what a person did to it, or says how */
        say(turn, "ClonePromised", "a clone is reserved; see the condition VolumeBound");
        return;
    }
    next->phase = PHASE_RESETTING;
    next->queue_position = 0;
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    if (!dispose_of_old(turn)) {
        say(turn, "Replacing", "a clone is reserved, and the old database goes");
        return;
    }
    note_served(turn);
    swap_note_chosen(turn, turn->seen->promised);
    instance_not_bound(turn, "Claiming", "a clone is chosen and on its way");
}

void reset_plan(struct instance_turn *turn)
{
    const struct object *promised = turn->seen->promised;
    const struct instance *before = turn->before;
    bool is_promised = is_reserved(turn, promised) &&
                       text_equal(before->reset.volume, promised->meta.name) &&
                       is_held(promised, before->reset.holding_uid);
    if (is_promised && (is_asked(before) || nothing_is_left(turn))) {
        replace(turn);
    } else if (promised != NULL) {
        keep_promise(turn);
    } else if (before->reset.volume != NULL) {
        find_promised(turn);
    } else if (is_used(turn->seen)) {
        wait_for_clone(turn);
    } else {
        reset_note_done(turn);
        swap_plan(turn);
    }
}
