/* SPDX-License-Identifier: Apache-2.0 */
/* Ready is a proof, not a report: PVC ours and on our volume (adoption.c comes here only then), no
   bootstrap Job, and the system identifier of the golden. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "plan/body.h"
#include "plan/errand.h"
#include "plan/network_policy.h"

#include <string.h>

static void fail(struct instance_turn *turn, const char *reason, const char *message)
{
    turn->next.phase = PHASE_FAILED;
    instance_condition(turn, CONDITION_READY, false, reason, message);
}

/* What a person changes in the Cluster is theirs; that it is not as it was any more is said. */
static void compare_cluster(struct instance_turn *turn)
{
    struct instance *next = &turn->next;
    const struct object_meta *meta = &turn->seen->cluster->meta;
    if (!text_equal(next->cluster_uid, meta->uid)) {
        next->cluster_uid = meta->uid;
        next->cluster_generation = meta->generation;
    }
    next->cluster_edited = next->cluster_generation != meta->generation;
    for (size_t i = 0; i < DURABILITY_PARAMETER_COUNT; i++) {
        const char *value = turn->seen->cluster->cluster->parameters[i];
        next->parameters_in_force[i] = value == NULL ? "on" : value;
    }
}

/* CloudNativePG says Ready; is it the golden's data that is ready? */
static void prove(struct instance_turn *turn)
{
    const struct cluster *cluster = turn->seen->cluster->cluster;
    const char *golden = turn->next.system_id;
    struct arena *arena = turn->plan->arena;
    if (cluster->system_id == NULL) {
        instance_condition(turn, CONDITION_READY, false, "IdentityUnknown",
                           "CloudNativePG has not reported the system identifier yet");
        return;
    }
    if (!text_equal(cluster->system_id, golden)) {
        fail(turn, "SystemIDMismatch",
             arena_print(arena,
                         "the database's system identifier is %s, the golden's %s: this is not "
                         "the golden's data. The volume is kept; look at it before you delete this "
                         "Instance",
                         cluster->system_id, golden == NULL ? "unknown" : golden));
        return;
    }
    if (!errands_plan(turn)) {
        return;
    }
    errands_clean_up(turn);
    turn->next.phase = PHASE_READY;
    if (turn->next.steps[STEP_READY] == 0) {
        turn->next.steps[STEP_READY] = turn->plan->now.wall_ms;
    }
    credentials_tell(turn);
    compare_cluster(turn);
    const char *of = turn->next.golden == NULL ? "its golden" : turn->next.golden;
    if (turn->next.cluster_edited) {
        instance_condition(turn, CONDITION_READY, true, "ClusterEdited",
                           arena_print(arena,
                                       "Postgres runs on a clone of %s; the spec of its Cluster "
                                       "was changed by someone since it was ready, and nothing of "
                                       "that is put back",
                                       of));
        return;
    }
    const char *refusal = hibernation_refusal(turn);
    if (refusal != NULL) {
        instance_condition(
            turn, CONDITION_READY, true, "HibernationRefused",
            arena_print(arena, "Postgres runs on, its Cluster cannot be hibernated: %s", refusal));
        return;
    }
    refusal = network_policy_refusal(turn);
    if (refusal != NULL) {
        instance_condition(turn, CONDITION_READY, true, "EgressOpen",
                           arena_print(arena,
                                       "Postgres runs, and its NetworkPolicy does not keep it from "
                                       "production: %s",
                                       refusal));
        return;
    }
    instance_condition(turn, CONDITION_READY, true, "Ready",
                       arena_print(arena, "Postgres runs on a clone of %s", of));
}

/* CloudNativePG adopts by two writes: the Cluster's status, then the PVC's ownerReferences
   (cluster_restore.go). Interrupted between them it finds the Cluster initialised and no PVC of its
   own, and gives up for ever. The second write is done for it. */
static void finish_adoption(struct instance_turn *turn)
{
    const struct object *cluster = turn->seen->cluster;
    const struct object *data_claim = turn->seen->data_claim;
    struct arena *arena = turn->plan->arena;
    struct body body cleanup_body;
    body_init(&body);
    json_begin_array(&body.json);
    body_operation_raw(&body, "test", "/metadata/deletionTimestamp", "null");
    body_operation_raw(&body, "test", "/metadata/ownerReferences", "null");
    body_operation_raw(&body, "add", "/metadata/ownerReferences",
                       arena_print(arena,
                                   "[{\"apiVersion\":\"" CNPG_API_VERSION
                                   "\",\"kind\":\"Cluster\",\"name\":\"%s\",\"uid\":\"%s\","
                                   "\"controller\":true}]",
                                   cluster->meta.name, cluster->meta.uid));
    body_operation(&body, "add", body_annotation_path(arena, CNPG_ANNOTATION_PVC_STATUS), "ready");
    json_end_array(&body.json);
    instance_act(turn, (struct action){.kind = ACTION_JSON_PATCH,
                                       .purpose = PURPOSE_DATA_CLAIM,
                                       .object = KIND_VOLUME_CLAIM,
                                       .namespace = data_claim->meta.namespace,
                                       .name = data_claim->meta.name,
                                       .body = body_end(&body, arena),
                                       .reason = "CloudNativePG was interrupted in its adoption"});
    instance_condition(turn, CONDITION_READY, false, "PostgresStarting",
                       "CloudNativePG was interrupted while it adopted the volume; that is put "
                       "right");
}

void proof_plan(struct instance_turn *turn)
{
    if (turn->seen->job_count > 0 && turn->before->steps[STEP_READY] == 0) {
        fail(turn, "BootstrapJobFound",
             "CloudNativePG made a bootstrap Job for this Cluster, which would replace the data: "
             "look at the Job and at the volume before you delete this Instance");
        return;
    }
    const struct object *object = turn->seen->cluster;
    const struct cluster *cluster = object == NULL ? NULL : object->cluster;
    if (cluster != NULL && hibernation_plan(turn)) {
        return;
    }
    if (cluster != NULL && cluster->ready && cluster->ready_instances > 0) {
        prove(turn);
        return;
    }
    bool unrecoverable = cluster != NULL && cluster->phase != NULL &&
                         strstr(cluster->phase, "unrecoverable") != NULL;
    if (unrecoverable && turn->seen->data_claim->meta.owner_count == 0) {
        finish_adoption(turn);
    } else if (unrecoverable) {
        fail(turn, "ClusterUnrecoverable",
             "CloudNativePG says the Cluster is unrecoverable: `kubectl describe cluster` has its "
             "reason; the volume is kept");
    } else {
        instance_condition(turn, CONDITION_READY, false, "PostgresStarting",
                           "CloudNativePG starts Postgres on the volume; `kubectl get cluster` "
                           "shows how far it is");
    }
}
