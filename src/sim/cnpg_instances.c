/* SPDX-License-Identifier: Apache-2.0 */
/* Pods for the PVCs that a Cluster has, and when it counts as healthy (reconcileResources and
   reconcilePods of cluster_controller.go). */
#include "sim/cnpg_ward.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/value.h"

enum {
    NEXT_LOOP_MS = 1000,
    JOB_LOOP_MS = 5000,
    STOP_DELAY_S = 1800, /* the API's defaults from here on */
    PROBE_PERIOD_S = 10,
    START_DELAY_S = 3600,
};

static const cJSON *status_of(const struct ward *ward)
{
    return value_at(ward->cluster->value, "status", NULL);
}

/* ---- metadata of PVCs ---- */

static bool lacks_labels(const struct record *claim, const char *instance)
{
    return !text_equal(value_label(claim->value, CNPG_LABEL_OF_INSTANCE), instance) ||
           value_label(claim->value, CNPG_LABEL_OF_PVC_ROLE) == NULL;
}

/* The labels are put right, but the look still has the PVC as it was, and stumbles over it. */
static enum verdict judge_labels(struct ward *ward, const struct outcome *outcome)
{
    (void)ward;
    (void)outcome;
    return FAILED;
}

enum verdict cnpg_step_metadata(struct ward *ward)
{
    size_t at = 0;
    const struct record *claim;
    while ((claim = ward_next_owned(ward, &resource_persistent_volume_claims, &at)) != NULL) {
        int64_t serial = 0;
        struct error error;
        const char *text = value_annotation(claim->value, CNPG_SERIAL);
        if (text == NULL || !text_parse_int64(text, &serial, &error)) {
            continue;
        }
        char instance[CNPG_NAME_BYTES_MAX];
        ward_instance_name(ward, serial, instance);
        if (lacks_labels(claim, instance)) {
            return ward_patch(ward, claim, NULL,
                              draft("{'metadata':{'labels':{'" CNPG_LABEL_OF_INSTANCE
                                    "':'$1','" CNPG_LABEL_OF_PVC_ROLE "':'PG_DATA'}}}",
                                    instance, NULL),
                              judge_labels);
        }
    }
    return GO_ON;
}

/* ---- what has to wait ---- */

/* Postgres answers, and the kubelet has not noticed yet. */
enum verdict cnpg_step_wait(struct ward *ward)
{
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        if (postgres_system_id(ward->cnpg->postgres, pod->uid) != NULL &&
            !pod_is_ready(pod->value)) {
            return ward_later(ward, NEXT_LOOP_MS);
        }
    }
    return GO_ON;
}

static enum verdict judge_hibernation(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) ? ward_later(ward, JOB_LOOP_MS) : FAILED;
}

enum verdict cnpg_step_hibernate(struct ward *ward)
{
    const cJSON *condition = condition_find(status_of(ward), "cnpg.io/hibernation");
    if (condition == NULL) {
        return GO_ON;
    }
    size_t at = 0;
    const struct record *pod = ward_next_owned(ward, &resource_pods, &at);
    if (value_equal_text(condition, "DeletingPods", "reason", NULL) && pod != NULL) {
        return ward_delete(ward, pod, judge_hibernation);
    }
    return value_equal_text(condition, "Hibernated", "reason", NULL)
               ? DONE
               : ward_later(ward, JOB_LOOP_MS);
}

static bool is_complete(const cJSON *job)
{
    return value_int64(job, 0, "status", "succeeded", NULL) > 0;
}

enum verdict cnpg_step_jobs(struct ward *ward)
{
    size_t at = 0;
    const struct record *job;
    while ((job = ward_next_owned(ward, &resource_jobs, &at)) != NULL) {
        if (!is_complete(job->value)) {
            return ward_later(ward, JOB_LOOP_MS);
        }
    }
    return GO_ON;
}

static enum verdict judge_next_loop(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) ? ward_later(ward, NEXT_LOOP_MS) : ward_judge(ward, outcome);
}

enum verdict cnpg_step_inactive(struct ward *ward)
{
    const struct record *inactive = NULL;
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        if (pod_is_finished(pod->value) && !value_is_deleting(pod->value)) {
            return ward_delete(ward, pod, judge_next_loop);
        }
        inactive = pod_is_active(pod->value) ? inactive : pod;
    }
    if (inactive == NULL) {
        return GO_ON;
    }
    enum verdict verdict =
        ward_register_phase(ward, CNPG_PHASE_INACTIVE,
                            "Some instances are not yet active. Please wait.", judge_next_loop);
    return verdict == GO_ON ? ward_later(ward, NEXT_LOOP_MS) : verdict;
}

/* ---- PVCs become ready ---- */

static bool was_bootstrapped(const struct ward *ward, const struct record *claim)
{
    size_t at = 0;
    const struct record *job;
    while ((job = ward_next_owned(ward, &resource_jobs, &at)) != NULL) {
        if (is_complete(job->value) &&
            pod_uses_claim(value_at(job->value, "spec", "template", NULL), claim->name)) {
            return true;
        }
    }
    return value_list_has(value_at(status_of(ward), "healthyPVC", NULL), claim->name);
}

enum verdict cnpg_step_claims_ready(struct ward *ward)
{
    size_t at = 0;
    const struct record *claim;
    while ((claim = ward_next_owned(ward, &resource_persistent_volume_claims, &at)) != NULL) {
        if (!text_equal(value_annotation(claim->value, CNPG_STATUS_OF_PVC), "ready") &&
            was_bootstrapped(ward, claim)) {
            return ward_patch(
                ward, claim, NULL,
                draft("{'metadata':{'annotations':{'" CNPG_STATUS_OF_PVC "':'ready'}}}", NULL),
                judge_next_loop);
        }
    }
    return GO_ON;
}

/* ---- pods ---- */

static void add_probe(const struct ward *ward, cJSON *container, const char *member,
                      const char *probe)
{
    const cJSON *wanted = value_at(ward->cluster->value, "spec", "probes", probe, NULL);
    int64_t period_s = value_int64(wanted, PROBE_PERIOD_S, "periodSeconds", NULL);
    cJSON *made = draft("{'httpGet':{'path':'/$1z','port':8000}}", probe, NULL);
    value_set_int64(made, "periodSeconds", period_s);
    value_set_int64(made, "failureThreshold",
                    value_int64(wanted, text_equal(probe, "startup") ? START_DELAY_S / period_s : 3,
                                "failureThreshold", NULL));
    value_set(container, member, made);
}

static cJSON *make_pod(const struct ward *ward, const char *instance, const char *serial)
{
    const cJSON *spec = value_at(ward->cluster->value, "spec", NULL);
    const char *image = value_text(spec, "imageName", NULL);
    cJSON *pod = draft(
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'$1','labels':{"
        "'cnpg.io/instanceName':'$1','cnpg.io/podRole':'instance',"
        "'cnpg.io/instanceRole':'primary','role':'primary'},"
        "'annotations':{'cnpg.io/nodeSerial':'$2'}},'spec':{'hostname':'$1','containers':["
        "{'name':'postgres','image':'$3','command':['/controller/manager','instance','run'],"
        "'ports':[{'name':'postgresql','containerPort':5432}],"
        "'volumeMounts':[{'name':'pgdata','mountPath':'/var/lib/postgresql/data'}]}],"
        "'volumes':[{'name':'pgdata','persistentVolumeClaim':{'claimName':'$1'}}]}}",
        instance, serial, image == NULL ? "ghcr.io/cloudnative-pg/postgresql:18" : image, NULL);
    ward_mark(ward, pod);
    value_set_int64(value_at(pod, "spec", NULL), "terminationGracePeriodSeconds",
                    value_int64(spec, STOP_DELAY_S, "stopDelay", NULL));
    cJSON *container = value_at(pod, "spec", "containers", NULL)->child;
    add_probe(ward, container, "startupProbe", "startup");
    add_probe(ward, container, "readinessProbe", "readiness");
    const cJSON *resources = value_at(spec, "resources", NULL);
    value_set(container, "resources", resources == NULL ? NULL : cJSON_Duplicate(resources, true));
    return pod;
}

static enum verdict judge_pod(struct ward *ward, const struct outcome *outcome)
{
    return outcome_ok(outcome) || text_equal(outcome->reason, "AlreadyExists")
               ? ward_later(ward, NEXT_LOOP_MS)
               : FAILED;
}

/* The first PVC of the list that has no pod; PVCs that are no member of their instance's group
   count too, which is how an incomplete group gets its pod. */
static const struct record *claim_without_pod(const struct ward *ward, const char *list)
{
    const cJSON *names = value_at(status_of(ward), list, NULL);
    for (const cJSON *at = names == NULL ? NULL : names->child; at != NULL; at = at->next) {
        const struct record *claim = view_get(ward->cnpg->view, &resource_persistent_volume_claims,
                                              ward->namespace, at->valuestring);
        const char *serial = claim == NULL ? NULL : value_annotation(claim->value, CNPG_SERIAL);
        int64_t number = 0;
        struct error error;
        if (serial == NULL || !text_parse_int64(serial, &number, &error)) {
            continue;
        }
        char instance[CNPG_NAME_BYTES_MAX];
        ward_instance_name(ward, number, instance);
        const struct record *pod =
            view_get(ward->cnpg->view, &resource_pods, ward->namespace, instance);
        if (pod == NULL || !ward_owns(ward, pod->value)) {
            return claim;
        }
    }
    return NULL;
}

enum verdict cnpg_step_reattach(struct ward *ward)
{
    const struct record *claim = claim_without_pod(ward, "danglingPVC");
    claim = claim == NULL ? claim_without_pod(ward, "unusablePVC") : claim;
    if (claim == NULL) {
        return GO_ON;
    }
    if (!text_equal(value_annotation(claim->value, CNPG_STATUS_OF_PVC), "ready")) {
        return ward_later(ward, NEXT_LOOP_MS);
    }
    int64_t number = 0;
    struct error error;
    const char *serial = value_annotation(claim->value, CNPG_SERIAL);
    char instance[CNPG_NAME_BYTES_MAX];
    if (!text_parse_int64(serial, &number, &error)) {
        return FAILED;
    }
    ward_instance_name(ward, number, instance);
    world_trace(ward->cnpg->world, "cnpg creates pod %s/%s to reattach a PVC", ward->namespace,
                instance);
    return ward_create(ward, &resource_pods, make_pod(ward, instance, serial), judge_pod);
}

/* ---- the end of a good look ---- */

enum verdict cnpg_step_healthy(struct ward *ward)
{
    int64_t reporting = 0;
    size_t at = 0;
    const struct record *pod;
    while ((pod = ward_next_owned(ward, &resource_pods, &at)) != NULL) {
        reporting += postgres_system_id(ward->cnpg->postgres, pod->uid) != NULL ? 1 : 0;
    }
    int64_t instances = value_int64(status_of(ward), 0, "instances", NULL);
    if (reporting < instances ||
        value_int64(status_of(ward), 0, "readyInstances", NULL) != instances ||
        value_int64(ward->cluster->value, 1, "spec", "instances", NULL) != reporting) {
        return ward_later(ward, NEXT_LOOP_MS);
    }
    return ward_register_phase(ward, CNPG_PHASE_HEALTHY, "", NULL);
}

enum verdict cnpg_step_clean_jobs(struct ward *ward)
{
    size_t at = 0;
    const struct record *job;
    while ((job = ward_next_owned(ward, &resource_jobs, &at)) != NULL) {
        if (is_complete(job->value) && !value_is_deleting(job->value) && ward->round == 0) {
            return ward_delete(ward, job, ward_judge_again);
        }
    }
    return GO_ON;
}
