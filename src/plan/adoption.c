/* SPDX-License-Identifier: Apache-2.0 */
/* Past the commit point: the volume is the Instance's, and what is around it is made, in the order
   CloudNativePG needs (PVC before Cluster, or it makes a volume and an initdb Job of its own).
   Until the Instance has been Ready once, what is missing is simply made again. After that, a PVC
   or Cluster somebody deleted stays deleted until a person asks (annotation adjoint.dev/adopt):
   nobody's decision is reverted, and the data stays where it is. What runs then is judged in
   proof.c. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "base/timestamp.h"
#include "plan/body.h"
#include "plan/desired.h"
#include "plan/errand.h"
#include "plan/network_policy.h"
#include "plan/trouble.h"
#include "plan/volume_patch.h"

static struct handoff handoff_of(const struct instance_turn *turn, const struct object *volume)
{
    return (struct handoff){.instance = turn->object,
                            .pool = turn->seen->pool,
                            .volume = volume,
                            .wall_ms = turn->plan->now.wall_ms,
                            .unsanitized = turn->seen->pool != NULL &&
                                           errand_holds_cluster(turn->object, turn->seen->pool)};
}

void adoption_post_data_claim(struct instance_turn *turn, const struct object *volume,
                              const char *reason)
{
    struct handoff handoff = handoff_of(turn, volume);
    turn->next.steps[STEP_CLAIM_CREATED] = turn->plan->now.wall_ms;
    instance_act(turn,
                 (struct action){.kind = ACTION_CREATE,
                                 .purpose = PURPOSE_DATA_CLAIM,
                                 .object = KIND_VOLUME_CLAIM,
                                 .namespace = turn->object->meta.namespace,
                                 .name = desired_data_claim_name(turn->object, turn->plan->arena),
                                 .body = desired_data_claim(&handoff, turn->plan->arena),
                                 .reason = reason});
}

static void patch_volume(struct instance_turn *turn, const char *body, const char *reason)
{
    instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                       .purpose = PURPOSE_CLAIM_VOLUME,
                                       .object = KIND_VOLUME,
                                       .name = turn->seen->volume->meta.name,
                                       .body = body,
                                       .reason = reason});
}

/* A step's time from the annotation the write carried, so that a restart loses none. */
static void note_step(struct instance_turn *turn, enum claim_step step, const struct object *object)
{
    const char *at = object == NULL ? NULL : object_annotation(object, ANNOTATION_AT);
    struct error error;
    int64_t wall_ms = 0;
    if (turn->next.steps[step] == 0 && at != NULL && timestamp_parse(at, &wall_ms, &error)) {
        turn->next.steps[step] = wall_ms;
    }
}

/* May what is missing be made again without asking? */
static bool may_make(const struct instance_turn *turn)
{
    return turn->before->steps[STEP_READY] == 0 ||
           object_annotation(turn->object, ANNOTATION_ADOPT) != NULL;
}

static void ask_to_adopt(struct instance_turn *turn, const char *reason, const char *what,
                         bool bound)
{
    const char *message = arena_print(
        turn->plan->arena,
        "%s was deleted by someone; the data is kept on volume %s. To run it again: `adj adopt %s` "
        "(or annotate this Instance with " ANNOTATION_ADOPT "); to dispose of it, delete this "
        "Instance",
        what, turn->seen->volume->meta.name, turn->object->meta.name);
    turn->next.phase = PHASE_FAILED;
    if (bound) {
        instance_condition(turn, CONDITION_READY, false, reason, message);
    } else {
        instance_not_bound(turn, reason, message);
    }
}

/* Something that keeps us from acting, or the last refusal in its words. */
static void say_claiming(struct instance_turn *turn, const char *reason, const char *message)
{
    const struct trouble *trouble = &turn->seen->trouble;
    if (trouble_is_lasting(trouble) && trouble->purpose != PURPOSE_STATUS) {
        reason = trouble_reason(trouble);
        message = arena_print(turn->plan->arena, "%s: %s", purpose_name(trouble->purpose),
                              trouble->message);
    }
    turn->next.phase = PHASE_CLAIMING;
    instance_not_bound(turn, reason, message);
}

/* That the PVC is not in sight may be our own lag: another operator at work has made it, and what
   its Cluster runs on would go with that. false: not known yet; a read of it is in the plan. */
static bool data_claim_is_gone(struct instance_turn *turn)
{
    const struct object_meta *meta = &turn->object->meta;
    const char *uid = turn->seen->volume->volume->claim_uid;
    if (uid == NULL || text_equal(turn->seen->gone_claim_uid, uid)) {
        return true;
    }
    instance_act(turn, (struct action){.kind = ACTION_READ,
                                       .purpose = PURPOSE_CONFIRM,
                                       .object = KIND_VOLUME_CLAIM,
                                       .namespace = meta->namespace,
                                       .name = arena_print(turn->plan->arena, "%s-1", meta->name),
                                       .uid = uid,
                                       .reason = "its PVC is not in sight"});
    return false;
}

/* CloudNativePG adopts for a Cluster that is not initialised yet, and only then: one whose PVC went
   must go, too, and is made again after the new PVC. */
static void make_data_claim(struct instance_turn *turn)
{
    const struct object *cluster = turn->seen->cluster;
    if (!may_make(turn)) {
        ask_to_adopt(turn, "ClaimDeleted", "its PVC", false);
    } else if (turn->seen->pool == NULL) {
        say_claiming(turn, "PoolNotFound",
                     "its Pool is gone, and with it the Cluster's template: make the Pool again");
    } else if (cluster != NULL && instance_owns(turn, cluster)) {
        if (cluster->meta.deleting_ms == 0 && data_claim_is_gone(turn)) {
            instance_act(turn, (struct action){.kind = ACTION_DELETE,
                                               .purpose = PURPOSE_DELETE,
                                               .object = KIND_CLUSTER,
                                               .namespace = cluster->meta.namespace,
                                               .name = cluster->meta.name,
                                               .uid = cluster->meta.uid,
                                               .reason = "its PVC is gone: both are made again"});
        }
        say_claiming(turn, "ClusterDeleting", "its PVC was deleted: its Cluster is made again");
    } else {
        adoption_post_data_claim(turn, turn->seen->volume, "the volume's claim is not there");
        say_claiming(turn, "Claiming", "a clone is chosen and on its way");
    }
}

static bool have_data_claim(struct instance_turn *turn)
{
    const struct object *data_claim = turn->seen->data_claim;
    if (data_claim == NULL) {
        make_data_claim(turn);
        return false;
    }
    if (!instance_owns(turn, data_claim)) {
        say_claiming(turn, "LeftoverOfSameName",
                     "the PVC of its name belongs to an earlier Instance; this one goes on when it "
                     "is gone");
        return false;
    }
    if (data_claim->meta.deleting_ms != 0) {
        say_claiming(turn, "ClaimDeleting",
                     arena_print(turn->plan->arena,
                                 "its PVC is being deleted by someone, and goes when no pod uses "
                                 "it any more; the volume is kept. To end that, delete Cluster "
                                 "%s; then `adj adopt %s` runs it again",
                                 turn->object->meta.name, turn->object->meta.name));
        return false;
    }
    return true;
}

/* Somebody took the volume's claimRef off, and the binder gave it to a PVC that fits. One of a
   Pool's is used by nobody, and gives it back. */
static void say_taken(struct instance_turn *turn)
{
    const struct volume *volume = turn->seen->volume->volume;
    turn->next.phase = PHASE_FAILED;
    instance_not_bound(turn, "VolumeTaken",
                       arena_print(turn->plan->arena,
                                   "volume %s is bound to PVC %s of namespace %s, because its "
                                   "claimRef was changed. Delete that PVC: the volume is kept, and "
                                   "comes back",
                                   turn->seen->volume->meta.name, volume->claim_name,
                                   volume->claim_namespace));
}

/* The PVC is there; is the volume its, and has the binder seen it? */
static bool is_bound(struct instance_turn *turn)
{
    const struct object *data_claim = turn->seen->data_claim;
    const struct volume *volume = turn->seen->volume->volume;
    const char *bound_to = data_claim->volume_claim->volume;
    if (bound_to == NULL && turn->seen->rival != NULL) {
        bound_to = turn->seen->rival->meta.name;
    }
    if (bound_to != NULL && !text_equal(bound_to, turn->seen->volume->meta.name)) {
        turn->next.phase = PHASE_FAILED;
        instance_not_bound(
            turn, "BoundToAnotherVolume",
            arena_print(turn->plan->arena,
                        "its PVC is bound to volume %s, which is not its own: delete that PVC",
                        bound_to));
        return false;
    }
    bool by_name = volume->claim_uid == NULL &&
                   text_equal(volume->claim_name, data_claim->meta.name) &&
                   text_equal(volume->claim_namespace, data_claim->meta.namespace);
    if (!by_name && !text_equal(volume->claim_uid, data_claim->meta.uid)) {
        struct volume_claimant claimant = {.instance = turn->object,
                                           .claim_name = data_claim->meta.name,
                                           .claim_uid = data_claim->meta.uid,
                                           .wall_ms = turn->plan->now.wall_ms};
        bool taken = volume->phase == VOLUME_BOUND && turn->seen->holding == NULL;
        if (taken && !text_equal(volume->claim_name, data_claim->meta.name)) {
            say_taken(turn);
            return false;
        }
        if (!taken) {
            patch_volume(turn, volume_patch_adopt(turn->seen->volume, &claimant, turn->plan->arena),
                         "its claim is another one now");
        }
        say_claiming(turn, "Claiming", "the volume is given to its new PVC");
        return false;
    }
    if (data_claim->volume_claim->phase != CLAIM_BOUND || bound_to == NULL) {
        say_claiming(turn, "Claiming", "a clone is chosen and on its way");
        return false;
    }
    if (turn->next.steps[STEP_BOUND] == 0) {
        turn->next.steps[STEP_BOUND] = turn->plan->now.wall_ms;
    }
    return true;
}

static bool have_cluster(struct instance_turn *turn)
{
    const struct object *cluster = turn->seen->cluster;
    if (cluster != NULL && !instance_owns(turn, cluster)) {
        instance_condition(turn, CONDITION_READY, false, "LeftoverOfSameName",
                           "the Cluster of its name belongs to an earlier Instance");
        return false;
    }
    if (cluster != NULL && cluster->meta.deleting_ms != 0) {
        instance_condition(turn, CONDITION_READY, false, "ClusterDeleting",
                           "its Cluster is being deleted; the volume is kept");
        return false;
    }
    if (cluster != NULL) {
        return true;
    }
    if (!may_make(turn)) {
        ask_to_adopt(turn, "ClusterDeleted", "its Cluster", true);
        return false;
    }
    struct handoff handoff = handoff_of(turn, turn->seen->volume);
    struct error error;
    const char *body = NULL;
    if (turn->seen->pool == NULL) {
        instance_condition(turn, CONDITION_READY, false, "PoolNotFound",
                           "its Pool is gone, and with it the Cluster's template: make the Pool "
                           "again");
        return false;
    }
    if (!desired_cluster(&handoff, turn->plan->arena, &body, &error)) {
        instance_condition(turn, CONDITION_READY, false, "TemplateInvalid",
                           arena_copy(turn->plan->arena, error.message));
        return false;
    }
    instance_act(turn,
                 (struct action){.kind = ACTION_CREATE,
                                 .purpose = PURPOSE_CLUSTER,
                                 .object = KIND_CLUSTER,
                                 .namespace = turn->object->meta.namespace,
                                 .name = turn->object->meta.name,
                                 .body = body,
                                 .reason = "the volume is bound: CloudNativePG may adopt it"});
    const struct trouble *trouble = &turn->seen->trouble;
    if (trouble->purpose == PURPOSE_CLUSTER && trouble_is_lasting(trouble)) {
        instance_condition(turn, CONDITION_READY, false, trouble_reason(trouble),
                           arena_print(turn->plan->arena, "cluster: %s", trouble->message));
        return false;
    }
    if (turn->next.steps[STEP_CLUSTER_CREATED] == 0) {
        turn->next.steps[STEP_CLUSTER_CREATED] = turn->plan->now.wall_ms;
    }
    return true;
}

static void plan_cluster(struct instance_turn *turn)
{
    turn->next.phase = PHASE_STARTING;
    instance_condition(turn, INSTANCE_CONDITION_VOLUME_BOUND, true, "Bound",
                       "its PVC is bound to its volume");
    if (!have_cluster(turn)) {
        return;
    }
    note_step(turn, STEP_CLUSTER_CREATED, turn->seen->cluster);
    proof_plan(turn);
}

static void say_before_cluster(struct instance_turn *turn)
{
    const char *refusal = network_policy_refusal(turn);
    if (refusal == NULL) {
        say_claiming(turn, "Claiming", "a clone is chosen and on its way");
    } else {
        say_claiming(turn, "NameTaken", refusal);
    }
}

static void plan_bound(struct instance_turn *turn)
{
    network_policy_plan(turn);
    if (may_make(turn)) {
        credentials_plan(turn);
    }
    if (!is_bound(turn)) {
        return;
    }
    if (may_make(turn) && turn->seen->cluster == NULL &&
        !(credentials_ready(turn) && network_policy_ready(turn))) {
        say_before_cluster(turn);
    } else {
        plan_cluster(turn);
    }
}

static void remove_adopt_annotation(struct instance_turn *turn)
{
    bool made = turn->seen->data_claim != NULL && turn->seen->cluster != NULL;
    if (object_annotation(turn->object, ANNOTATION_ADOPT) == NULL || !made ||
        turn->next.phase == PHASE_FAILED) {
        return;
    }
    instance_act(turn, (struct action){.kind = ACTION_MERGE_PATCH,
                                       .purpose = PURPOSE_FINALIZER,
                                       .object = KIND_INSTANCE,
                                       .namespace = turn->object->meta.namespace,
                                       .name = turn->object->meta.name,
                                       .body = "{\"metadata\":{\"annotations\":{\"" ANNOTATION_ADOPT
                                               "\":null}}}",
                                       .reason = "adopted again"});
}

/* What a person changed on a volume that is ours is put back before anything else: the policy must
   be Retain while the Instance lives. true: the volume is as it must be. */
static bool keep_volume_right(struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    if (volume->volume->state == VOLUME_STATE_NONE) {
        instance_act(
            turn, (struct action){.kind = ACTION_MERGE_PATCH,
                                  .purpose = PURPOSE_CLAIM_VOLUME,
                                  .object = KIND_VOLUME,
                                  .name = volume->meta.name,
                                  .body = volume_patch_relabel(volume, turn->object,
                                                               turn->seen->pool, turn->plan->arena),
                                  .reason = "its labels were removed by someone"});
        say_claiming(turn, "VolumeEdited",
                     "the labels of its volume were removed; they are put "
                     "back");
        return false;
    }
    bool says_delete = !text_equal(object_annotation(volume, ANNOTATION_DELETION_POLICY), "Retain");
    bool wants_delete = turn->before->deletion_policy == DELETION_DELETE;
    if (volume->volume->policy != RECLAIM_RETAIN || says_delete != wants_delete) {
        patch_volume(turn, volume_patch_keep(volume, turn->before, turn->plan->arena),
                     "Retain while the Instance lives, and its deletionPolicy on record");
    }
    return true;
}

/* What the status knows stays when somebody removes the annotation. */
static void remember(const char **known, const char *seen)
{
    *known = seen != NULL ? seen : *known;
}

void adoption_plan(struct instance_turn *turn)
{
    const struct object *volume = turn->seen->volume;
    struct instance *next = &turn->next;
    next->volume = volume->meta.name;
    next->volume_handle = volume->volume->handle;
    if (next->holding_uid == NULL) {
        next->holding_uid = object_annotation(volume, ANNOTATION_HOLDING_UID);
    }
    remember(&next->golden, object_annotation(volume, ANNOTATION_GOLDEN));
    remember(&next->golden_uid, object_annotation(volume, ANNOTATION_GOLDEN_UID));
    remember(&next->system_id, object_annotation(volume, ANNOTATION_SYSTEM_ID));
    note_step(turn, STEP_VOLUME_CLAIMED, volume);
    note_step(turn, STEP_CLAIM_CREATED, turn->seen->data_claim);
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    if (keep_volume_right(turn) && have_data_claim(turn)) {
        plan_bound(turn);
    }
    remove_adopt_annotation(turn);
}
