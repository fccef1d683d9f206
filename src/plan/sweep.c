/* SPDX-License-Identifier: Apache-2.0 */
/* Level-based like the rest: what a crash or a person left is not remembered but seen on the PV. */
#include "plan/sweep.h"

#include "api/instance.h"
#include "api/names.h"
#include "api/volume.h"
#include "base/timestamp.h"
#include "plan/disposal.h"
#include "plan/pool.h"
#include "plan/volume_patch.h"

/* A provisioner destroys a volume in seconds; the driver can also leave a PV Released for ever
   (FSx CSI driver v1.2.0: DeleteVolume of a volume already gone is an error). */
#define DISPOSAL_STUCK_MS (INT64_C(15) * 60 * 1000)

struct sweep {
    struct plan *plan;
    const struct volume_observation *seen;
    struct volume_finding *finding;
};

static void act(struct sweep *sweep, struct action action)
{
    if (!sweep->seen->held) {
        plan_add(sweep->plan, action);
    }
}

static void patch_volume(struct sweep *sweep, enum purpose purpose, const char *body,
                         const char *reason)
{
    act(sweep, (struct action){.kind = ACTION_JSON_PATCH,
                               .purpose = purpose,
                               .object = KIND_VOLUME,
                               .name = sweep->seen->volume->meta.name,
                               .body = body,
                               .reason = reason});
}

static void report(struct sweep *sweep, const char *reason, const char *message)
{
    *sweep->finding = (struct volume_finding){.reason = reason, .message = message, .leaked = true};
}

/* false: not known yet; a read of it is in the plan. */
static bool owner_is_gone(struct sweep *sweep, enum object_kind kind)
{
    const struct object *volume = sweep->seen->volume;
    bool pool = kind == KIND_POOL;
    const char *namespace =
        object_label(volume, pool ? LABEL_POOL_NAMESPACE : LABEL_INSTANCE_NAMESPACE);
    const char *name = object_label(volume, pool ? LABEL_POOL : LABEL_INSTANCE);
    const char *uid = object_label(volume, pool ? LABEL_POOL_UID : LABEL_INSTANCE_UID);
    if (uid != NULL && text_equal(sweep->seen->gone_owner_uid, uid)) {
        return true;
    }
    if (namespace == NULL || name == NULL || uid == NULL) {
        report(sweep, "OwnerUnknown", "its labels do not name its owner: it is left alone");
        return false;
    }
    act(sweep, (struct action){.kind = ACTION_READ,
                               .purpose = PURPOSE_CONFIRM,
                               .object = kind,
                               .namespace = namespace,
                               .name = name,
                               .uid = uid,
                               .reason = "the volume's owner is not in sight"});
    return false;
}

/* warm and retiring are said of clones that nobody had. Said of another they are a person's edit:
   believing it would destroy somebody's data. */
static bool is_edited(struct sweep *sweep)
{
    const struct object *volume = sweep->seen->volume;
    if (!volume_was_claimed(volume)) {
        return false;
    }
    report(sweep, "StateEdited",
           arena_print(sweep->plan->arena,
                       "its label says %s, but it was an Instance's: it is left alone. Put the "
                       "label back: kubectl label pv %s --overwrite " LABEL_STATE "=" STATE_CLAIMED,
                       object_label(volume, LABEL_STATE), volume->meta.name));
    return true;
}

static void sweep_warm(struct sweep *sweep)
{
    if (is_edited(sweep)) {
        return;
    }
    if (sweep->seen->pool != NULL || !owner_is_gone(sweep, KIND_POOL)) {
        return;
    }
    patch_volume(
        sweep, PURPOSE_RETIRE_VOLUME,
        volume_patch_retire(sweep->seen->volume, sweep->plan->now.wall_ms, sweep->plan->arena),
        "its Pool is gone");
}

/* Its policy is Delete since the time it says. */
static void look_for_stuck(struct sweep *sweep)
{
    const struct object *volume = sweep->seen->volume;
    const char *at = object_annotation(volume, ANNOTATION_AT);
    int64_t since_ms = 0;
    struct error error;
    if (at == NULL || !timestamp_parse(at, &since_ms, &error)) {
        since_ms = volume->meta.created_ms;
    }
    int64_t age_ms = sweep->plan->now.wall_ms - since_ms;
    if (age_ms < DISPOSAL_STUCK_MS) {
        plan_look_again(sweep->plan, DISPOSAL_STUCK_MS - (age_ms < 0 ? 0 : age_ms));
        return;
    }
    report(sweep, "DisposalStuck",
           arena_print(
               sweep->plan->arena,
               "its provisioner does not destroy %s. If FSx still has it, see the PV's events; "
               "if FSx does not have it any more: kubectl patch pv %s -p "
               "'{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}' && kubectl delete "
               "pv %s",
               volume->volume->handle == NULL ? "its storage" : volume->volume->handle,
               volume->meta.name, volume->meta.name));
}

static void sweep_retiring(struct sweep *sweep)
{
    const struct object *volume = sweep->seen->volume;
    const struct object *holding = sweep->seen->holding;
    if (is_edited(sweep)) {
        return;
    }
    if (volume->volume->policy == RECLAIM_DELETE && volume->volume->phase == VOLUME_RELEASED) {
        look_for_stuck(sweep);
    }
    if (sweep->seen->pool != NULL) {
        return; /* the rest is the Pool's own work */
    }
    if (volume->volume->policy != RECLAIM_DELETE) {
        patch_volume(sweep, PURPOSE_RETIRE_VOLUME, volume_patch_delete(volume, sweep->plan->arena),
                     "retiring");
    }
    if (holding != NULL && holding->meta.deleting_ms == 0) {
        act(sweep, (struct action){.kind = ACTION_DELETE,
                                   .purpose = PURPOSE_DELETE,
                                   .object = KIND_VOLUME_CLAIM,
                                   .namespace = holding->meta.namespace,
                                   .name = holding->meta.name,
                                   .uid = holding->meta.uid,
                                   .reason = "its clone is retired"});
    }
}

static void sweep_claimed(struct sweep *sweep)
{
    const struct volume_observation *seen = sweep->seen;
    if (seen->instance != NULL) {
        const char *chosen = seen->instance->instance->volume;
        if (chosen != NULL && !text_equal(chosen, seen->volume->meta.name)) {
            *sweep->finding = (struct volume_finding){
                .reason = "SecondVolume",
                .message = arena_print(sweep->plan->arena,
                                       "its Instance runs on volume %s; this one is kept until the "
                                       "Instance is deleted",
                                       chosen)};
        }
        return; /* the Instance's own work */
    }
    if (!owner_is_gone(sweep, KIND_INSTANCE)) {
        return;
    }
    const char *policy = object_annotation(seen->volume, ANNOTATION_DELETION_POLICY);
    struct disposal disposal = {
        .plan = sweep->plan,
        .held = seen->held,
        .instance_uid = object_label(seen->volume, LABEL_INSTANCE_UID),
        .why = "its Instance is deleted",
        .policy = text_equal(policy, "Delete") ? DELETION_DELETE : DELETION_RETAIN,
        .cluster = seen->cluster,
        .data_claim = seen->data_claim,
        .volume = seen->volume,
        .holding = seen->holding,
    };
    const char *waits_for = disposal_plan(&disposal);
    *sweep->finding = (struct volume_finding){
        .reason = "InstanceGone",
        .message = arena_print(sweep->plan->arena,
                               "its Instance is gone without its finalizer's work; deletionPolicy "
                               "%s is carried out: %s",
                               policy == NULL ? "unknown, so Retain" : policy,
                               waits_for == NULL ? "done" : waits_for)};
}

static void sweep_reserved(struct sweep *sweep)
{
    if (sweep->seen->instance == NULL && owner_is_gone(sweep, KIND_INSTANCE)) {
        patch_volume(sweep, PURPOSE_RETURN_VOLUME,
                     volume_patch_return(sweep->seen->volume, sweep->plan->arena),
                     "its Instance is gone, and nobody has had it");
    }
}

static void sweep_disposing(struct sweep *sweep)
{
    if (sweep->seen->volume->volume->policy != RECLAIM_DELETE) {
        report(sweep, "DisposalStopped",
               "someone took its policy Delete away, so its storage is kept: set it again to have "
               "it destroyed, or delete the PV to keep it");
        return;
    }
    look_for_stuck(sweep);
}

static bool is_holding(const struct object *object)
{
    return text_equal(object_label(object, LABEL_ROLE), ROLE_HOLDING);
}

/* Not Bound yet, and the volume it asks for is gone or another's: it never will be. */
static bool asks_in_vain(const struct object *claim, const struct object *volume)
{
    return claim->volume_claim->phase == CLAIM_PENDING &&
           (volume == NULL || !text_equal(volume->volume->claim_name, claim->meta.name) ||
            !text_equal(volume->volume->claim_namespace, claim->meta.namespace));
}

/* A holding PVC may go with the volume that was made for it, which nobody has labelled yet: what
   has labels is swept itself, and what was there before is nobody's to destroy. */
static bool keeps_a_volume(const struct remnant_observation *seen)
{
    const struct object *object = seen->object;
    const struct object *volume = seen->volume;
    if (object->kind != KIND_VOLUME_CLAIM || object->volume_claim->volume == NULL) {
        return false;
    }
    if (!is_holding(object)) {
        return !asks_in_vain(object, volume);
    }
    return volume == NULL || volume->volume->state != VOLUME_STATE_NONE ||
           volume_was_claimed(volume) ||
           object_annotation(volume, ANNOTATION_BOUND_BY_CONTROLLER) != NULL;
}

static const char *owner_label(const struct object *object)
{
    return object_label(object, is_holding(object) ? LABEL_POOL : LABEL_INSTANCE);
}

static bool is_remnant(const struct remnant_observation *seen)
{
    const struct object *object = seen->object;
    return !seen->held && !seen->is_owned && !seen->has_volume && !keeps_a_volume(seen) &&
           object->meta.deleting_ms == 0 && owner_label(object) != NULL && seen->owner_uid != NULL;
}

static void ask_for_owner(struct plan *plan, const struct remnant_observation *seen)
{
    const struct object *object = seen->object;
    const char *reason = object->kind == KIND_CLUSTER ? "the Cluster's Instance is not in sight"
                         : is_holding(object)         ? "the claim's Pool is not in sight"
                                                      : "the claim's Instance is not in sight";
    plan_add(plan, (struct action){.kind = ACTION_READ,
                                   .purpose = PURPOSE_CONFIRM,
                                   .object = is_holding(object) ? KIND_POOL : KIND_INSTANCE,
                                   .namespace = object->meta.namespace,
                                   .name = owner_label(object),
                                   .uid = seen->owner_uid,
                                   .reason = reason});
}

/* A Cluster whose PVC is there has data, which the sweep of its volume disposes of, when it is
   seen: without our labels the Cluster would keep that PVC for ever. */
static void let_cluster_go(struct plan *plan, const struct remnant_observation *seen)
{
    const struct object_meta *meta = &seen->object->meta;
    if (seen->claim == NULL && !seen->claim_was_asked_for) {
        plan_add(plan, (struct action){.kind = ACTION_READ,
                                       .purpose = PURPOSE_CONFIRM,
                                       .object = KIND_VOLUME_CLAIM,
                                       .namespace = meta->namespace,
                                       .name = arena_print(plan->arena, "%s-1", meta->name),
                                       .reason = "the Cluster's PVC is not in sight"});
    } else if (seen->claim == NULL ||
               !text_equal(object_label(seen->claim, LABEL_INSTANCE_UID), seen->owner_uid)) {
        disposal_forget(plan, seen->object);
    }
}

void plan_remnant(struct plan *plan, const struct remnant_observation *seen)
{
    const struct object *object = seen->object;
    if (!is_remnant(seen)) {
        return;
    }
    if (!text_equal(seen->gone_owner_uid, seen->owner_uid)) {
        ask_for_owner(plan, seen);
    } else if (object->kind == KIND_CLUSTER) {
        let_cluster_go(plan, seen);
    } else {
        plan_add(plan, (struct action){.kind = ACTION_DELETE,
                                       .purpose = PURPOSE_DELETE,
                                       .object = object->kind,
                                       .namespace = object->meta.namespace,
                                       .name = object->meta.name,
                                       .uid = object->meta.uid,
                                       .reason = is_holding(object)
                                                     ? "it was posted while its Pool went"
                                                     : "its Instance is gone and it never got a "
                                                       "volume"});
    }
}

void plan_volume(struct plan *plan, const struct volume_observation *seen,
                 struct volume_finding *out_finding)
{
    struct sweep sweep = {plan, seen, out_finding};
    *out_finding = (struct volume_finding){.reason = NULL};
    if (seen->volume->meta.deleting_ms != 0) {
        return;
    }
    if (seen->twin != NULL && seen->volume->volume->state != VOLUME_STATE_NONE) {
        *out_finding = (struct volume_finding){
            .reason = "StorageShared",
            .message = arena_print(
                plan->arena,
                "PersistentVolume %s is the same storage, %s: neither is handed out or "
                "destroyed. Set the policy of the one that is wrong to Retain and delete "
                "it",
                seen->twin, seen->volume->volume->handle)};
        return;
    }
    switch (seen->volume->volume->state) {
    case VOLUME_STATE_NONE:
        break;
    case VOLUME_STATE_WARM:
        sweep_warm(&sweep);
        break;
    case VOLUME_STATE_RESERVED:
        sweep_reserved(&sweep);
        break;
    case VOLUME_STATE_CLAIMED:
        sweep_claimed(&sweep);
        break;
    case VOLUME_STATE_RETIRING:
        sweep_retiring(&sweep);
        break;
    case VOLUME_STATE_DISPOSING:
        sweep_disposing(&sweep);
        break;
    case VOLUME_STATE_STRANGE:
        report(&sweep, "UnknownState",
               "its label " LABEL_STATE " has a value that is none of ours: it is left alone");
        break;
    }
}
