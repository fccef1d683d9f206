/* SPDX-License-Identifier: Apache-2.0 */
/* Names of labels are spelled out: a constant that is shared with the operator would be wrong on
   both sides. */
#include "simulation/sight.h"

#include "base/text.h"
#include "sim/value.h"

static const cJSON *find_condition(const cJSON *value, const char *type)
{
    const cJSON *condition;
    cJSON_ArrayForEach(condition, value_at(value, "status", "conditions", NULL))
    {
        if (value_equal_text(condition, type, "type", NULL)) {
            return condition;
        }
    }
    return NULL;
}

const char *sight_reason(const cJSON *value, const char *condition)
{
    return value_text(find_condition(value, condition), "reason", NULL);
}

static bool has_our_label(const cJSON *labels)
{
    const cJSON *label;
    cJSON_ArrayForEach(label, labels)
    {
        if (text_starts_with(label->string, "adjoint.dev/")) {
            return true;
        }
    }
    return false;
}

struct volume_sight volume_sight(const cJSON *value)
{
    const cJSON *labels = value_at(value, "metadata", "labels", NULL);
    const cJSON *annotations = value_at(value, "metadata", "annotations", NULL);
    const cJSON *spec = value_at(value, "spec", NULL);
    const cJSON *claim = value_at(spec, "claimRef", NULL);
    return (struct volume_sight){
        .name = value_name(value),
        .handle = value_text(spec, "csi", "volumeHandle", NULL),
        .phase = value_text(value, "status", "phase", NULL),
        .policy = value_text(spec, "persistentVolumeReclaimPolicy", NULL),
        .state = value_text(labels, "adjoint.dev/state", NULL),
        .instance_uid = value_text(labels, "adjoint.dev/instance-uid", NULL),
        .pool_uid = value_text(labels, "adjoint.dev/pool-uid", NULL),
        .claim_namespace = value_text(claim, "namespace", NULL),
        .claim_name = value_text(claim, "name", NULL),
        .claim_uid = value_text(claim, "uid", NULL),
        .is_deleting = value_is_deleting(value),
        .is_ours = has_our_label(labels),
        .bears_history = value_text(annotations, "adjoint.dev/holding-claim-uid", NULL) != NULL ||
                         value_text(annotations, "adjoint.dev/data-claim-uid", NULL) != NULL,
    };
}

struct claim_sight claim_sight(const cJSON *value)
{
    const cJSON *labels = value_at(value, "metadata", "labels", NULL);
    const char *phase = value_text(value, "status", "phase", NULL);
    return (struct claim_sight){
        .namespace = value_namespace(value),
        .name = value_name(value),
        .uid = value_uid(value),
        .phase = phase,
        .volume = value_text(value, "spec", "volumeName", NULL),
        .storage_class = value_text(value, "spec", "storageClassName", NULL),
        .role = value_text(labels, "adjoint.dev/role", NULL),
        .instance_uid = value_text(labels, "adjoint.dev/instance-uid", NULL),
        .pool_uid = value_text(labels, "adjoint.dev/pool-uid", NULL),
        .is_deleting = value_is_deleting(value),
        .is_bound = text_equal(phase, "Bound"),
    };
}

struct instance_sight instance_sight(const cJSON *value)
{
    const cJSON *spec = value_at(value, "spec", NULL);
    const cJSON *status = value_at(value, "status", NULL);
    const char *phase = value_text(status, "phase", NULL);
    const char *ready_reason = sight_reason(value, "Ready");
    return (struct instance_sight){
        .namespace = value_namespace(value),
        .name = value_name(value),
        .uid = value_uid(value),
        .created = value_text(value, "metadata", "creationTimestamp", NULL),
        .phase = phase,
        .pool = value_text(spec, "pool", "name", NULL),
        .pool_namespace = value_text(spec, "pool", "namespace", NULL),
        .volume = value_text(status, "volume", "name", NULL),
        .secret = value_text(status, "connection", "secret", NULL),
        .ready_reason = ready_reason,
        .eligible_reason = sight_reason(value, "Eligible"),
        .promised = value_text(status, "reset", "volume", NULL),
        .observed_generation = value_int64(status, 0, "observedGeneration", NULL),
        .reset_count = value_int64(spec, 0, "reset", "count", NULL),
        .resets_done = value_int64(status, 0, "reset", "count", NULL),
        .lifetime = value_text(spec, "lifetime", NULL),
        .is_deleting = value_is_deleting(value),
        .retains = value_equal_text(spec, "Retain", "deletionPolicy", NULL),
        .is_ready = text_equal(phase, "Ready"),
        .is_to_sleep = value_true(spec, "hibernated", NULL),
        .sleeps = text_equal(ready_reason, "Hibernated"),
        .is_protected = value_text(spec, "protectedUntil", NULL) != NULL,
        .current_only = value_equal_text(spec, "Current", "golden", NULL),
    };
}

struct cluster_sight cluster_sight(const cJSON *value)
{
    const cJSON *ready = find_condition(value, "Ready");
    return (struct cluster_sight){
        .namespace = value_namespace(value),
        .name = value_name(value),
        .instance_uid = value_label(value, "adjoint.dev/instance-uid"),
        .system_id = value_text(value, "status", "systemID", NULL),
        .is_deleting = value_is_deleting(value),
        .is_ready = value_equal_text(ready, "True", "status", NULL),
        .is_ours = has_our_label(value_at(value, "metadata", "labels", NULL)),
        .is_to_sleep = text_equal(value_annotation(value, "cnpg.io/hibernation"), "on"),
    };
}
