/* SPDX-License-Identifier: Apache-2.0 */
/* The parent of an Instance's planning: it decides which part of its life it is in; the parts are
   in files of their own. */
#include "plan/instance.h"

#include "api/names.h"
#include "plan/disposal.h"
#include "plan/finalizer.h"
#include "plan/instance_turn.h"

#include <assert.h>

enum { VOUCH_WAIT_MS = 1000 }; /* it is marked when the answer comes: only in case it does not */

static void change_finalizer(struct instance_turn *turn, bool present, const char *reason)
{
    instance_act(turn,
                 (struct action){.kind = ACTION_JSON_PATCH,
                                 .purpose = PURPOSE_FINALIZER,
                                 .object = KIND_INSTANCE,
                                 .namespace = turn->object->meta.namespace,
                                 .name = turn->object->meta.name,
                                 .body = finalizer_patch(turn->object, present, turn->plan->arena),
                                 .reason = reason});
}

static bool has_finalizer(const struct object *instance)
{
    return object_has_finalizer(instance, NAME_FINALIZER);
}

/* It stays as it is. */
static void keep_status(struct instance_turn *turn)
{
    turn->next = *turn->before;
    conditions_copy(&turn->next.conditions, &turn->before->conditions, turn->plan->arena);
}

static void plan_waiting(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    if (waiting_is_over(turn->object)) {
        keep_status(turn);
        return;
    }
    struct verdict verdict = eligibility_check(seen, turn->plan->arena);
    turn->next.queue_position = 0;
    if (verdict.reason == NULL) {
        if (seen->preflight.state == PREFLIGHT_NONE && seen->vouch == VOUCH_ASKED) {
            plan_look_again(turn->plan, VOUCH_WAIT_MS);
        } else if (seen->preflight.state == PREFLIGHT_NONE) {
            verdict = eligibility_plan_preflight(turn);
        }
    }
    if (verdict.reason == NULL) {
        verdict = eligibility_preflight(seen, turn->plan->arena);
    }
    if (verdict.reason != NULL) {
        turn->next.phase = PHASE_PENDING;
        instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, false, verdict.reason,
                           verdict.message);
        instance_not_bound(turn, "NotEligible", "see the condition Eligible");
        return;
    }
    if (seen->preflight.state == PREFLIGHT_NONE) {
        return; /* known in a moment: nothing to tell anybody yet */
    }
    if (seen->assigned != NULL && has_finalizer(turn->object)) {
        swap_choose(turn);
        return;
    }
    waiting_plan(turn);
}

static void plan_deletion(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    struct disposal disposal = {
        .plan = turn->plan,
        .held = seen->held,
        .instance_uid = turn->object->meta.uid,
        .why = "its Instance is deleted",
        .policy = turn->before->deletion_policy,
        .cluster = seen->cluster,
        .data_claim = seen->data_claim,
        .volume = seen->volume,
        .holding = seen->holding,
        .twin = seen->twin,
    };
    turn->next.phase = PHASE_DELETING;
    turn->next.queue_position = 0;
    const char *waits_for = reset_return(turn, "its Instance is deleted, and nobody has had it")
                                ? "the clone that was reserved goes back to its Pool"
                                : cancel_plan(turn);
    if (waits_for == NULL) {
        waits_for = disposal_plan(&disposal);
    }
    if (waits_for != NULL) {
        instance_condition(turn, CONDITION_READY, false, "Deleting", waits_for);
        return;
    }
    keep_status(turn); /* nobody reads a last one */
    if (has_finalizer(turn->object)) {
        change_finalizer(turn, false, "nothing of it is left");
    }
}

bool instance_eligible(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *instance = seen->instance;
    if (reset_waits(seen, arena)) {
        return !seen->held && has_finalizer(instance);
    }
    if (instance->meta.deleting_ms != 0 || instance->instance->volume != NULL ||
        seen->volume != NULL || seen->held || !has_finalizer(instance) ||
        waiting_is_over(instance) || seen->preflight.state != PREFLIGHT_PASSED) {
        return false;
    }
    return eligibility_check(seen, arena).reason == NULL;
}

bool instance_waits(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *instance = seen->instance;
    return reset_waits(seen, arena) ||
           (instance->meta.deleting_ms == 0 && instance->instance->volume == NULL &&
            instance->instance->phase == PHASE_WAITING && seen->volume == NULL &&
            seen->preflight.state != PREFLIGHT_FAILED &&
            eligibility_check(seen, arena).reason == NULL);
}

bool instance_undecided(const struct instance_observation *seen, struct arena *arena)
{
    const struct object *instance = seen->instance;
    return instance->meta.deleting_ms == 0 && instance->instance->volume == NULL &&
           seen->volume == NULL && seen->preflight.state == PREFLIGHT_NONE &&
           !waiting_is_over(instance) && eligibility_check(seen, arena).reason == NULL;
}

void plan_instance(struct plan *plan, const struct instance_observation *seen)
{
    assert(seen->instance->kind == KIND_INSTANCE);
    struct instance_turn turn = {
        .plan = plan,
        .seen = seen,
        .object = seen->instance,
        .before = seen->instance->instance,
        .next = *seen->instance->instance,
    };
    conditions_begin(&turn.next.conditions, plan->arena);
    turn.next.observed_generation = turn.object->meta.generation;
    if (turn.object->meta.deleting_ms != 0) {
        plan_deletion(&turn);
    } else {
        if (!has_finalizer(turn.object)) {
            change_finalizer(&turn, true, "its volume must be disposed of before it is gone");
        }
        if (turn.before->volume == NULL && seen->volume == NULL) {
            reset_drop(&turn);
            plan_waiting(&turn);
        } else if (reset_wanted(seen)) {
            reset_plan(&turn);
        } else {
            swap_plan(&turn);
        }
        expiry_plan(&turn);
    }
    bool is_news = turn.next.conditions.count > 0 && instance_status_plan(&turn);
    if (!is_news && turn.object->meta.deleting_ms == 0) {
        expiry_end(&turn);
    }
}
