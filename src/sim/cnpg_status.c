/* SPDX-License-Identifier: Apache-2.0 */
/* What a Cluster's status says of its PVCs, pods and Jobs (persistentvolumeclaim.EnrichStatus,
   hibernation.EnrichStatus, updateResourceStatus) and of what Postgres reports
   (updateClusterStatusThatRequiresInstancesState). An instance is what has a PVC: status.instances
   counts those, not pods. */
#include "sim/cnpg_ward.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

enum { NEXT_LOOP_MS = 1000 };

/* The lists of PVC names in a status, and the one of instances. */
static const char *const lists[] = {"instanceNames", "initializingPVC", "danglingPVC", "healthyPVC",
                                    "unusablePVC"};

static bool has_known_status(const cJSON *claim)
{
    const char *status = value_annotation(claim, CNPG_STATUS_OF_PVC);
    return status == NULL || status[0] == '\0' || text_equal(status, "ready") ||
           text_equal(status, "initializing");
}

/* Pending or Bound, not being deleted, with a serial: the rest is no instance's. */
static bool belongs_to_instance(const cJSON *claim, int64_t *out_serial)
{
    struct error error;
    const char *serial = value_annotation(claim, CNPG_SERIAL);
    const char *phase = value_text(claim, "status", "phase", NULL);
    return (text_equal(phase, "Pending") || text_equal(phase, "Bound")) &&
           !value_is_deleting(claim) && serial != NULL &&
           text_parse_int64(serial, out_serial, &error);
}

static bool has_pod(const struct ward *ward, const char *claim)
{
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        if (pod_uses_claim(pod->value, claim)) {
            return true;
        }
    }
    return false;
}

static bool has_running_job(const struct ward *ward, const char *claim)
{
    size_t at = 0;
    const struct record *job;
    while ((job = ward_next_owned(ward, &resource_jobs, &at)) != NULL) {
        if (pod_uses_claim(value_at(job->value, "spec", "template", NULL), claim)) {
            return value_int64(job->value, 0, "status", "succeeded", NULL) == 0;
        }
    }
    return false;
}

/* The group of a Cluster with walStorage or tablespaces is never complete here: such goldens are
   refused, and nothing makes the other PVCs. */
static bool is_expected(const struct ward *ward, const char *instance, const char *claim)
{
    const cJSON *spec = value_at(ward->cluster->value, "spec", NULL);
    return text_equal(instance, claim) && value_at(spec, "walStorage", NULL) == NULL &&
           cJSON_GetArraySize(value_at(spec, "tablespaces", NULL)) == 0;
}

/* The list a PVC goes to; NULL: none, it is ignored. */
static const char *list_of(const struct ward *ward, const char *instance,
                           const struct record *claim)
{
    if (!has_known_status(claim->value)) {
        return NULL;
    }
    if (!is_expected(ward, instance, claim->name)) {
        return "unusablePVC";
    }
    if (has_pod(ward, claim->name)) {
        return "healthyPVC";
    }
    return has_running_job(ward, claim->name) ? "initializingPVC" : "danglingPVC";
}

static void add_to(cJSON *status, const char *list, const char *name)
{
    cJSON *array = value_at(status, list, NULL);
    if (array == NULL) {
        array = cJSON_CreateArray();
        value_set(status, list, array);
    }
    value_list_add(array, name);
}

/* PVCs come in the order of their names, so the lists are sorted. */
static void classify_claims(const struct ward *ward, cJSON *status)
{
    int64_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        value_set(status, lists[i], NULL);
    }
    size_t at = 0;
    const struct record *claim;
    while ((claim = ward_next_owned(ward, &resource_persistent_volume_claims, &at)) != NULL) {
        int64_t serial = 0;
        count++;
        if (!belongs_to_instance(claim->value, &serial)) {
            continue;
        }
        char instance[CNPG_NAME_BYTES_MAX];
        ward_instance_name(ward, serial, instance);
        const char *list = list_of(ward, instance, claim);
        if (list != NULL) {
            add_to(status, list, claim->name);
        }
        add_to(status, "instanceNames", instance);
    }
    value_set_int64(status, "pvcCount", count);
    value_set_int64(status, "instances",
                    cJSON_GetArraySize(value_at(status, "instanceNames", NULL)));
}

static void classify_pods(const struct ward *ward, cJSON *status)
{
    int64_t ready = 0;
    cJSON *by_state = cJSON_CreateObject();
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        bool is_active = pod_is_active(pod->value);
        bool is_ready = is_active && pod_is_ready(pod->value);
        ready += is_ready ? 1 : 0;
        add_to(by_state, is_ready ? "healthy" : (is_active ? "replicating" : "failed"), pod->name);
    }
    value_set_int64(status, "readyInstances", ready);
    value_set(status, "instancesStatus", by_state->child == NULL ? NULL : by_state);
    if (by_state->child == NULL) {
        cJSON_Delete(by_state);
    }
}

static int64_t count_jobs(const struct ward *ward)
{
    int64_t count = 0;
    size_t at = 0;
    while (ward_next_owned(ward, &resource_jobs, &at) != NULL) {
        count++;
    }
    return count;
}

/* ---- hibernation ---- */

static void set_hibernation(const struct ward *ward, cJSON *status, const char *reason,
                            const char *message)
{
    const struct condition_of condition = {.type = "cnpg.io/hibernation",
                                           .is_true = text_equal(reason, "Hibernated"),
                                           .reason = reason,
                                           .message = message};
    condition_set(status, &condition, ward_wall_ms(ward));
}

/* Begins only when all is well; once begun it goes on. */
static void judge_hibernation(const struct ward *ward, cJSON *status)
{
    if (!text_equal(value_annotation(ward->cluster->value, "cnpg.io/hibernation"), "on")) {
        condition_remove(status, "cnpg.io/hibernation");
        return;
    }
    if (!value_equal_text(status, CNPG_PHASE_HEALTHY, "phase", NULL) &&
        condition_find(status, "cnpg.io/hibernation") == NULL) {
        return;
    }
    size_t at = 0;
    const struct record *pod = ward_next_owned(ward, &resource_pods, &at);
    if (pod == NULL) {
        set_hibernation(ward, status, "Hibernated", "Cluster has been hibernated");
    } else if (value_is_deleting(pod->value)) {
        set_hibernation(ward, status, "WaitingPodsDeletion", "Waiting for the pod to be deleted");
    } else {
        set_hibernation(ward, status, "DeletingPods", "Hibernation is in progress");
    }
}

/* ---- the two updates ---- */

static void judge_initialized(const struct ward *ward, cJSON *status)
{
    bool has_instances = value_int64(status, 0, "instances", NULL) > 0;
    if (!has_instances && condition_find(status, "Initialized") != NULL) {
        return;
    }
    const struct condition_of condition = {
        .type = "Initialized",
        .is_true = has_instances,
        .reason = has_instances ? "BootstrapCompleted" : "BootstrapPending",
        .message = has_instances ? "Cluster has been bootstrapped"
                                 : "Cluster has not been bootstrapped yet",
    };
    condition_set(status, &condition, ward_wall_ms(ward));
}

static void set_service(const struct ward *ward, cJSON *status, const char *member,
                        const char *suffix)
{
    char service[CNPG_NAME_BYTES_MAX];
    (void)snprintf(service, sizeof(service), "%s%s", ward->name, suffix);
    value_set_text(status, member, service);
}

enum verdict cnpg_step_resource_status(struct ward *ward)
{
    cJSON *status;
    cJSON *cluster = ward_draft(ward, &status);
    classify_claims(ward, status);
    classify_pods(ward, status);
    value_set_int64(status, "jobCount", count_jobs(ward));
    judge_hibernation(ward, status);
    const char *image = value_text(cluster, "spec", "imageName", NULL);
    value_set_text(status, "image", image == NULL ? CNPG_IMAGE : image);
    set_service(ward, status, "writeService", "-rw");
    set_service(ward, status, "readService", "-r");
    judge_initialized(ward, status);
    return ward_update_status(ward, cluster, NULL);
}

static void set_consistency(const struct ward *ward, cJSON *status, const char *system_id,
                            bool has_pods)
{
    const char *silent = has_pods ? "Instances are present, but none have reported a system ID."
                                  : "No instances are present in the cluster to report a system "
                                    "ID.";
    const struct condition_of condition = {
        .type = "ConsistentSystemID",
        .is_true = system_id != NULL,
        .reason = system_id != NULL ? "Unique" : "NotFound",
        .message = system_id != NULL
                       ? "A single, unique system ID was found across reporting instances."
                       : silent,
    };
    value_set_text(status, "systemID", system_id);
    condition_set(status, &condition, ward_wall_ms(ward));
}

/* What the instance manager in the pod answers, which is asked anew in each look; not while the
   primary is another than the one that is to be. */
enum verdict cnpg_step_instance_status(struct ward *ward)
{
    const char *current = value_text(ward->cluster->value, "status", "currentPrimary", NULL);
    if (current != NULL &&
        !value_equal_text(ward->cluster->value, current, "status", "targetPrimary", NULL)) {
        return ward_later(ward, NEXT_LOOP_MS);
    }
    const char *system_id = NULL;
    cJSON *reported = cJSON_CreateObject();
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        const char *its = postgres_system_id(ward->cnpg->postgres, pod->uid);
        system_id = its != NULL ? its : system_id;
        cJSON *state = draft("{'isPrimary':false}", NULL);
        value_set_true(state, "isPrimary", its != NULL);
        value_set_text(state, "ip", value_text(pod->value, "status", "podIP", NULL));
        value_set(reported, pod->name, state);
    }
    cJSON *status;
    cJSON *cluster = ward_draft(ward, &status);
    set_consistency(ward, status, system_id, reported->child != NULL);
    value_set(status, "instancesReportedState", reported);
    return ward_update_status(ward, cluster, NULL);
}
