/* SPDX-License-Identifier: Apache-2.0 */
/* Order: Cluster, then PVC (pvc-protection keeps it while a pod uses it), then the volume: an NFS
   volume that goes before its pod's unmount wedges the kubelet. The PV is marked and set to Delete
   in one write that tests phase Released and the claim it was released of, so destroying contends
   with claiming on one object. With deletionPolicy Retain all three stay and lose our labels. */
#include "plan/disposal.h"

#include "api/names.h"
#include "api/volume.h"
#include "plan/body.h"
#include "plan/volume_patch.h"

static void act(const struct disposal *disposal, struct action action)
{
    if (!disposal->held) {
        plan_add(disposal->plan, action);
    }
}

static bool owns(const struct disposal *disposal, const struct object *object)
{
    return object != NULL &&
           text_equal(object_label(object, LABEL_INSTANCE_UID), disposal->instance_uid);
}

static void delete_object(const struct disposal *disposal, const struct object *object,
                          const char *reason)
{
    if (object->meta.deleting_ms == 0) {
        act(disposal, (struct action){.kind = ACTION_DELETE,
                                      .purpose = PURPOSE_DELETE,
                                      .object = object->kind,
                                      .namespace = object->meta.namespace,
                                      .name = object->meta.name,
                                      .uid = object->meta.uid,
                                      .reason = reason});
    }
}

static void patch_volume(const struct disposal *disposal, enum purpose purpose, const char *body,
                         const char *reason)
{
    act(disposal, (struct action){.kind = ACTION_JSON_PATCH,
                                  .purpose = purpose,
                                  .object = KIND_VOLUME,
                                  .name = disposal->volume->meta.name,
                                  .body = body,
                                  .reason = reason});
}

static const char *say_bound(const struct object *object, struct arena *arena)
{
    const struct volume *volume = object->volume;
    const char *instance = object_label(object, LABEL_INSTANCE);
    const char *own = arena_print(arena, "%s-1", instance == NULL ? "" : instance);
    if (instance == NULL || text_equal(volume->claim_name, own)) {
        return "the binder has not released the volume yet";
    }
    return arena_print(arena,
                       "volume %s is bound to PVC %s of namespace %s, because its claimRef was "
                       "changed: it goes when that PVC is deleted",
                       object->meta.name, volume->claim_name, volume->claim_namespace);
}

static const char *dispose_volume(const struct disposal *disposal)
{
    const struct object *object = disposal->volume;
    struct arena *arena = disposal->plan->arena;
    const struct volume *volume = object->volume;
    if (disposal->twin != NULL) {
        return arena_print(arena,
                           "PersistentVolume %s is the same storage as %s: delete the one that is "
                           "wrong, with policy Retain",
                           disposal->twin, object->meta.name);
    }
    switch (volume->phase) {
    case VOLUME_RELEASED:
        if (volume->claim_uid != NULL) {
            patch_volume(disposal, PURPOSE_DISPOSE_VOLUME,
                         volume_patch_dispose(object, disposal->plan->now.wall_ms, arena),
                         "nothing uses it and its Instance asked for its end");
            return "the volume is handed to its provisioner to be destroyed";
        }
        break;
    case VOLUME_BOUND:
        if (disposal->holding == NULL) {
            return say_bound(object, arena);
        }
        break;
    case VOLUME_PENDING:
    case VOLUME_AVAILABLE:
        if (text_equal(volume->claim_uid, disposal->instance_uid)) {
            return "the binder has not seen yet that the volume has no claim";
        }
        break;
    case VOLUME_FAILED:
        return "the volume's PV is Failed: `kubectl describe pv` says why";
    }
    patch_volume(disposal, PURPOSE_DISPOSE_VOLUME, volume_patch_expel(object, arena),
                 "no PVC may have it any more");
    return "the volume is taken back from its claim";
}

void disposal_forget(struct plan *plan, const struct object *object)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "metadata");
    json_member_object(json, "labels");
    const struct label *label;
    size_t at = 0;
    while ((label = object_next_label(object, &at)) != NULL) {
        if (text_starts_with(label->key, NAME_GROUP "/")) {
            json_member_raw(json, label->key, "null");
        }
    }
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
    plan_add(plan, (struct action){.kind = ACTION_MERGE_PATCH,
                                   .purpose = PURPOSE_RELEASE_VOLUME,
                                   .object = object->kind,
                                   .namespace = object->meta.namespace,
                                   .name = object->meta.name,
                                   .body = body_end(&body, plan->arena),
                                   .reason = "it stays, and is nobody's but its user's"});
}

static void forget(const struct disposal *disposal, const struct object *object)
{
    if (!disposal->held) {
        disposal_forget(disposal->plan, object);
    }
}

/* What is left after a part of it went through must not be taken for something to delete, so
   nothing here depends on the rest being there; and the volume comes last, because by it the sweep
   finds the others. Only a PVC that never got a volume has nothing to keep. */
static const char *retain_all(const struct disposal *disposal, bool claimed)
{
    const struct object *data_claim = disposal->data_claim;
    bool has_cluster = owns(disposal, disposal->cluster);
    bool has_claim = owns(disposal, data_claim);
    if (has_cluster) {
        forget(disposal, disposal->cluster);
    }
    if (has_claim && (claimed || has_cluster || data_claim->volume_claim->volume != NULL)) {
        forget(disposal, data_claim);
    } else if (has_claim) {
        delete_object(disposal, data_claim, "its Instance is deleted and it never got a volume");
    }
    if (claimed && !has_cluster && !has_claim) {
        patch_volume(disposal, PURPOSE_RELEASE_VOLUME,
                     volume_patch_forget(disposal->volume, disposal->plan->arena),
                     "deletionPolicy Retain");
    }
    return claimed || has_cluster || has_claim
               ? "Cluster, PVC and volume stay; our labels are taken off"
               : NULL;
}

const char *disposal_plan(const struct disposal *disposal)
{
    const struct object *volume = disposal->volume;
    bool claimed = owns(disposal, volume) && volume->volume->state == VOLUME_STATE_CLAIMED;
    if (disposal->policy == DELETION_RETAIN) {
        return retain_all(disposal, claimed);
    }
    if (owns(disposal, disposal->cluster)) {
        delete_object(disposal, disposal->cluster, disposal->why);
        return "its Cluster shuts Postgres down";
    }
    if (owns(disposal, disposal->data_claim)) {
        delete_object(disposal, disposal->data_claim, disposal->why);
        return "its PVC goes when no pod uses it any more";
    }
    return claimed ? dispose_volume(disposal) : NULL;
}
