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

static bool has_our_label(const cJSON *value)
{
    const cJSON *label;
    cJSON_ArrayForEach(label, value_at(value, "metadata", "labels", NULL))
    {
        if (text_starts_with(label->string, "adjoint.dev/")) {
            return true;
        }
    }
    return false;
}

struct volume_sight volume_sight(const cJSON *value)
{
    return (struct volume_sight){
        .name = value_name(value),
        .handle = value_text(value, "spec", "csi", "volumeHandle", NULL),
        .phase = value_text(value, "status", "phase", NULL),
        .policy = value_text(value, "spec", "persistentVolumeReclaimPolicy", NULL),
        .state = value_label(value, "adjoint.dev/state"),
        .instance_uid = value_label(value, "adjoint.dev/instance-uid"),
        .pool_uid = value_label(value, "adjoint.dev/pool-uid"),
        .claim_namespace = value_text(value, "spec", "claimRef", "namespace", NULL),
        .claim_name = value_text(value, "spec", "claimRef", "name", NULL),
        .claim_uid = value_text(value, "spec", "claimRef", "uid", NULL),
        .is_deleting = value_is_deleting(value),
        .is_ours = has_our_label(value),
        .bears_history = value_annotation(value, "adjoint.dev/holding-claim-uid") != NULL ||
                         value_annotation(value, "adjoint.dev/data-claim-uid") != NULL,
    };
}

struct claim_sight claim_sight(const cJSON *value)
{
    return (struct claim_sight){
        .namespace = value_namespace(value),
        .name = value_name(value),
        .uid = value_uid(value),
        .phase = value_text(value, "status", "phase", NULL),
        .volume = value_text(value, "spec", "volumeName", NULL),
        .storage_class = value_text(value, "spec", "storageClassName", NULL),
        .role = value_label(value, "adjoint.dev/role"),
        .instance_uid = value_label(value, "adjoint.dev/instance-uid"),
        .pool_uid = value_label(value, "adjoint.dev/pool-uid"),
        .is_deleting = value_is_deleting(value),
        .is_bound = value_equal_text(value, "Bound", "status", "phase", NULL),
    };
}

struct instance_sight instance_sight(const cJSON *value)
{
    const char *phase = value_text(value, "status", "phase", NULL);
    return (struct instance_sight){
        .namespace = value_namespace(value),
        .name = value_name(value),
        .uid = value_uid(value),
        .created = value_text(value, "metadata", "creationTimestamp", NULL),
        .phase = phase,
        .pool = value_text(value, "spec", "pool", "name", NULL),
        .pool_namespace = value_text(value, "spec", "pool", "namespace", NULL),
        .volume = value_text(value, "status", "volume", "name", NULL),
        .secret = value_text(value, "status", "connection", "secret", NULL),
        .ready_reason = sight_reason(value, "Ready"),
        .eligible_reason = sight_reason(value, "Eligible"),
        .promised = value_text(value, "status", "reset", "volume", NULL),
        .observed_generation = value_int64(value, 0, "status", "observedGeneration", NULL),
        .reset_count = value_int64(value, 0, "spec", "reset", "count", NULL),
        .resets_done = value_int64(value, 0, "status", "reset", "count", NULL),
        .lifetime = value_text(value, "spec", "lifetime", NULL),
        .is_deleting = value_is_deleting(value),
        .retains = value_equal_text(value, "Retain", "spec", "deletionPolicy", NULL),
        .is_ready = text_equal(phase, "Ready"),
        .is_to_sleep = value_true(value, "spec", "hibernated", NULL),
        .sleeps = text_equal(sight_reason(value, "Ready"), "Hibernated"),
        .is_protected = value_text(value, "spec", "protectedUntil", NULL) != NULL,
        .current_only = value_equal_text(value, "Current", "spec", "golden", NULL),
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
        .is_ours = has_our_label(value),
        .is_to_sleep = text_equal(value_annotation(value, "cnpg.io/hibernation"), "on"),
    };
}
