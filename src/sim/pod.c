/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/pod.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/value.h"

const char *pod_next_claim(const cJSON *pod, const cJSON **at)
{
    const cJSON *volumes = value_at(pod, "spec", "volumes", NULL);
    const cJSON *next = *at == NULL ? (volumes == NULL ? NULL : volumes->child) : (*at)->next;
    for (; next != NULL; next = next->next) {
        const char *claim = value_text(next, "persistentVolumeClaim", "claimName", NULL);
        if (claim != NULL) {
            *at = next;
            return claim;
        }
    }
    return NULL;
}

bool pod_uses_claim(const cJSON *pod, const char *claim)
{
    const cJSON *at = NULL;
    for (const char *name; (name = pod_next_claim(pod, &at)) != NULL;) {
        if (text_equal(name, claim)) {
            return true;
        }
    }
    return false;
}

bool pod_is_finished(const cJSON *pod)
{
    return value_equal_text(pod, "Succeeded", "status", "phase", NULL) ||
           value_equal_text(pod, "Failed", "status", "phase", NULL);
}

bool pod_is_active(const cJSON *pod)
{
    return !pod_is_finished(pod) && !value_is_deleting(pod);
}

bool pod_is_ready(const cJSON *pod)
{
    return condition_is_true(value_at(pod, "status", NULL), "Ready");
}

const char *pod_node(const cJSON *pod)
{
    const char *node = value_text(pod, "spec", "nodeName", NULL);
    return node == NULL ? "" : node;
}
