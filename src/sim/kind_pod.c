/* SPDX-License-Identifier: Apache-2.0 */
/* Pods and jobs: the defaults that somebody here reads, and what of a pod cannot change.
   (pkg/apis/core/v1/defaults.go, pkg/registry/core/pod/strategy.go, pkg/apis/batch) */
#include "sim/kind_rules.h"

#include <stdio.h>

static void default_containers(cJSON *spec)
{
    cJSON *container = NULL;
    cJSON_ArrayForEach(container, value_member(spec, "containers"))
    {
        default_text(container, "imagePullPolicy", "IfNotPresent");
        default_text(container, "terminationMessagePath", "/dev/termination-log");
        default_text(container, "terminationMessagePolicy", "File");
        value_make(container, "resources", NULL);
    }
}

static void default_pod_spec(cJSON *spec, const char *restart_policy)
{
    default_containers(spec);
    default_text(spec, "restartPolicy", restart_policy);
    default_text(spec, "dnsPolicy", "ClusterFirst");
    default_text(spec, "schedulerName", "default-scheduler");
    default_int64(spec, "terminationGracePeriodSeconds", 30);
    value_make(spec, "securityContext", NULL);
}

void pod_prepare(struct write *write)
{
    cJSON *spec = value_make(write->value, "spec", NULL);
    default_pod_spec(spec, "Always");
    if (write->before == NULL) {
        cJSON *status = value_make(write->value, "status", NULL);
        default_text(spec, "serviceAccountName", "default");
        default_text(spec, "serviceAccount", "default");
        value_set_text(status, "phase", "Pending");
        value_set_text(status, "qosClass", "BestEffort");
    }
}

/* The pod's spec without what an update may change. */
static cJSON *fixed_spec(const cJSON *pod)
{
    static const char *const changeable[] = {
        "activeDeadlineSeconds",
        "tolerations",
        "terminationGracePeriodSeconds",
        "schedulingGates",
    };
    cJSON *spec = cJSON_Duplicate(value_member(pod, "spec"), true);
    cJSON *container = NULL;
    for (size_t i = 0; i < sizeof(changeable) / sizeof(changeable[0]); i++) {
        value_set(spec, changeable[i], NULL);
    }
    cJSON_ArrayForEach(container, value_member(spec, "containers"))
    {
        value_set(container, "image", NULL);
    }
    cJSON_ArrayForEach(container, value_member(spec, "initContainers"))
    {
        value_set(container, "image", NULL);
    }
    return spec;
}

void pod_validate(const struct write *write, struct violations *violations)
{
    if (write->before == NULL) {
        const cJSON *containers = value_at(write->value, "spec", "containers", NULL);
        if (cJSON_GetArraySize(containers) == 0) {
            violations_add(violations, VIOLATION_REQUIRED, "spec.containers", NULL, "%s", "");
        }
        return;
    }
    /* The binding subresource is how a pod gets its node. */
    if (write->options->subresource != NULL || !member_changed(write, NULL, "spec")) {
        return;
    }
    cJSON *before = fixed_spec(write->before->value);
    cJSON *after = fixed_spec(write->value);
    if (!value_equal(before, after)) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec", NULL,
                       "pod updates may not change fields other than "
                       "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                       "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to "
                       "existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to "
                       "be set to 1 if it was previously negative)");
    }
    cJSON_Delete(before);
    cJSON_Delete(after);
}

/* Selects the job's own pods by its uid. */
static void select_by_uid(struct write *write, cJSON *spec)
{
    const char *uid = value_uid(write->value);
    cJSON *labels = value_make(spec, "template", "metadata", "labels", NULL);
    value_set_text(labels, "batch.kubernetes.io/controller-uid", uid);
    value_set_text(labels, "batch.kubernetes.io/job-name", write->name);
    value_set_text(labels, "controller-uid", uid);
    value_set_text(labels, "job-name", write->name);
    value_set_text(value_make(spec, "selector", "matchLabels", NULL),
                   "batch.kubernetes.io/controller-uid", uid);
}

void job_prepare(struct write *write)
{
    cJSON *spec = value_make(write->value, "spec", NULL);
    default_int64(spec, "parallelism", 1);
    default_int64(spec, "completions", 1);
    default_int64(spec, "backoffLimit", 6);
    default_text(spec, "completionMode", "NonIndexed");
    if (value_at(spec, "suspend", NULL) == NULL) {
        value_set_true(spec, "suspend", false);
    }
    default_pod_spec(value_make(spec, "template", "spec", NULL), "Never");
    if (write->before == NULL && !value_true(spec, "manualSelector", NULL)) {
        select_by_uid(write, spec);
    }
    value_make(write->value, "status", NULL);
}
