/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance that is deleted between the commit point and the first moment its PVC is Bound has
   not used its clone, which another can have. But only if that can be proven: the binder may be
   about to bind it, and a pod may mount what is Bound.

       PVC: volumeName to a name that no volume has  ->  PV: claimRef back  ->  the PVC is deleted

   The first write tests that volumeName is empty. It is set once, so the PVC was never bound to the
   volume and never will be, and the PVC itself says so to whoever goes on from here: hence it goes
   last. (What the binder had in hand fails, because a PVC's update carries its version.) The second
   one gives the volume back to the uid of its holding PVC, which that finds again (syncVolume:
   claim found, volumeName is this PV). Without the holding PVC there is nothing to give it back to
   that is not free for others; it is disposed of then, as what was Bound is. So is a volume of
   order Release, whose PVC names its volume from the start. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/body.h"
#include "plan/volume_patch.h"

static bool is_fenced(const struct object *data_claim)
{
    return text_equal(data_claim->volume_claim->volume, NAME_CANCELLED_VOLUME);
}

/* The claim's or, when the binder has taken that off, nobody's but the PVC's of this name. */
static bool is_for(const struct volume *volume, const struct object *data_claim)
{
    return text_equal(volume->claim_namespace, data_claim->meta.namespace) &&
           text_equal(volume->claim_name, data_claim->meta.name) &&
           (volume->claim_uid == NULL || text_equal(volume->claim_uid, data_claim->meta.uid));
}

static bool can_go_back(const struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    const struct object *volume = seen->volume;
    const struct object *data_claim = seen->data_claim;
    if (volume == NULL || data_claim == NULL || seen->former == NULL || seen->pool == NULL ||
        seen->cluster != NULL) {
        return false;
    }
    bool unbound = turn->before->steps[STEP_BOUND] == 0 && turn->before->steps[STEP_READY] == 0 &&
                   (data_claim->volume_claim->volume == NULL || is_fenced(data_claim)) &&
                   data_claim->volume_claim->phase == CLAIM_PENDING;
    bool held = seen->former->meta.deleting_ms == 0 && seen->pool->meta.deleting_ms == 0 &&
                text_equal(seen->former->volume_claim->volume, volume->meta.name);
    return unbound && held && volume->meta.deleting_ms == 0 &&
           volume->volume->state == VOLUME_STATE_CLAIMED && instance_owns(turn, volume) &&
           instance_owns(turn, data_claim) && is_for(volume->volume, data_claim);
}

static const char *fence(struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    json_begin_array(&body.json);
    body_operation_raw(&body, "test", "/spec/volumeName", "null");
    body_operation_raw(&body, "test", "/metadata/deletionTimestamp", "null");
    body_operation(&body, "add", "/spec/volumeName", NAME_CANCELLED_VOLUME);
    json_end_array(&body.json);
    return body_end(&body, arena);
}

const char *cancel_plan(struct instance_turn *turn)
{
    const struct object *data_claim = turn->seen->data_claim;
    const struct object *volume = turn->seen->volume;
    struct arena *arena = turn->plan->arena;
    if (!can_go_back(turn) || (!is_fenced(data_claim) && data_claim->meta.deleting_ms != 0)) {
        return NULL;
    }
    if (!is_fenced(data_claim)) {
        instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                           .purpose = PURPOSE_DATA_CLAIM,
                                           .object = KIND_VOLUME_CLAIM,
                                           .namespace = data_claim->meta.namespace,
                                           .name = data_claim->meta.name,
                                           .body = fence(arena),
                                           .reason = "cancelled before it was Bound: it never is"});
        return "its PVC is kept from ever being bound";
    }
    instance_act(turn,
                 (struct action){.kind = ACTION_JSON_PATCH,
                                 .purpose = PURPOSE_RETURN_VOLUME,
                                 .object = KIND_VOLUME,
                                 .name = volume->meta.name,
                                 .body = volume_patch_swap_back(volume, turn->seen->former, arena),
                                 .reason = "nobody has had it: back to its holding PVC"});
    return "its volume goes back to its Pool";
}
