/* SPDX-License-Identifier: Apache-2.0 */
/* Claims, volumes and storage classes. A claim's spec is compared as the real server does it: with
   the members that may change put back first, so that the message is the same whatever changed.
   (pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate, ValidatePersistentVolumeUpdate;
   pkg/apis/storage/validation) */
#include "sim/kind_rules.h"

#include "base/text.h"
#include "base/timestamp.h"
#include "sim/amount.h"

#include <stdio.h>
#include <string.h>

#define CLAIM_IMMUTABLE                                                                            \
    "spec is immutable after creation except resources.requests and volumeAttributesClassName "    \
    "for bound claims"

static cJSON *spec_of(const struct write *write)
{
    return value_make(write->value, "spec", NULL);
}

static const cJSON *spec_before(const struct write *write)
{
    return value_member(write->before->value, "spec");
}

/* dataSource and dataSourceRef mirror each other. */
static void mirror_data_source(cJSON *spec)
{
    const cJSON *source = value_at(spec, "dataSource", NULL);
    const cJSON *reference = value_at(spec, "dataSourceRef", NULL);
    if (source != NULL && reference == NULL) {
        value_set(spec, "dataSourceRef", cJSON_Duplicate(source, true));
    } else if (source == NULL && reference != NULL &&
               value_text(reference, "namespace", NULL) == NULL) {
        value_set(spec, "dataSource", cJSON_Duplicate(reference, true));
    }
}

void claim_prepare(struct write *write)
{
    default_text(spec_of(write), "volumeMode", "Filesystem");
    if (write->before == NULL) {
        mirror_data_source(spec_of(write));
        value_set_text(value_make(write->value, "status", NULL), "phase", "Pending");
    }
}

static bool is_mode(const cJSON *mode)
{
    static const char *const modes[] = {
        "ReadOnlyMany",
        "ReadWriteMany",
        "ReadWriteOnce",
        "ReadWriteOncePod",
    };
    for (size_t i = 0; cJSON_IsString(mode) && i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(mode->valuestring, modes[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void validate_modes(const cJSON *spec, struct violations *violations)
{
    const cJSON *modes = value_at(spec, "accessModes", NULL);
    const cJSON *mode = NULL;
    int count = cJSON_GetArraySize(modes);
    if (count == 0) {
        violations_add(violations, VIOLATION_REQUIRED, "spec.accessModes", NULL,
                       "at least 1 access mode is required");
    }
    cJSON_ArrayForEach(mode, modes)
    {
        if (!is_mode(mode)) {
            violations_add(violations, VIOLATION_UNSUPPORTED, "spec.accessModes", mode,
                           "supported values: \"ReadOnlyMany\", \"ReadWriteMany\", "
                           "\"ReadWriteOnce\", \"ReadWriteOncePod\"");
        }
    }
    if (count > 1 && value_list_has(modes, "ReadWriteOncePod")) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec.accessModes", NULL,
                       "may not use ReadWriteOncePod with other access modes");
    }
}

static void validate_size(const cJSON *size, const char *field, struct violations *violations)
{
    int64_t milli = 0;
    if (size == NULL) {
        violations_add(violations, VIOLATION_REQUIRED, field, NULL, "%s", "");
    } else if (!amount_parse(size, &milli)) {
        violations_add(violations, VIOLATION_INVALID, field, size,
                       "quantities must match the regular expression "
                       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    } else if (milli <= 0) {
        violations_add(violations, VIOLATION_INVALID, field, size, "must be greater than zero");
    }
}

/* A copy of the spec before, with what an update may change taken from the spec after. */
static cJSON *claim_spec_allowed(const struct write *write, const cJSON *after)
{
    cJSON *allowed = cJSON_Duplicate(spec_before(write), true);
    bool is_bound = value_equal_text(write->before->value, "Bound", "status", "phase", NULL);
    const cJSON *volume = value_at(after, "volumeName", NULL);
    const cJSON *class = value_at(after, "storageClassName", NULL);
    const cJSON *size = value_at(after, "resources", "requests", "storage", NULL);
    const cJSON *attributes = value_at(after, "volumeAttributesClassName", NULL);
    const char *volume_before = value_text(allowed, "volumeName", NULL);
    if (volume != NULL && (volume_before == NULL || volume_before[0] == '\0')) {
        value_set(allowed, "volumeName", cJSON_Duplicate(volume, true));
    }
    if (class != NULL && value_at(allowed, "storageClassName", NULL) == NULL) {
        value_set(allowed, "storageClassName", cJSON_Duplicate(class, true));
    }
    if (is_bound && attributes != NULL) {
        value_set(allowed, "volumeAttributesClassName", cJSON_Duplicate(attributes, true));
    }
    if (size != NULL && (is_bound || amount_equal(size, value_at(allowed, "resources", "requests",
                                                                 "storage", NULL)))) {
        value_set(value_make(allowed, "resources", "requests", NULL), "storage",
                  cJSON_Duplicate(size, true));
    }
    return allowed;
}

static void claim_validate_update(const struct write *write, const cJSON *spec,
                                  struct violations *violations)
{
    int64_t was = 0;
    int64_t is = 0;
    int64_t had = 0;
    const cJSON *size = value_at(spec, "resources", "requests", "storage", NULL);
    const cJSON *capacity = value_at(write->before->value, "status", "capacity", "storage", NULL);
    cJSON *allowed = claim_spec_allowed(write, spec);
    if (values_differ(allowed, spec)) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec", NULL, CLAIM_IMMUTABLE);
    }
    cJSON_Delete(allowed);
    if (amount_parse(value_at(spec_before(write), "resources", "requests", "storage", NULL),
                     &was) &&
        amount_parse(size, &is) && is < was) {
        bool known = amount_parse(capacity, &had);
        if (!known || is <= had) {
            violations_add(violations, VIOLATION_FORBIDDEN, "spec.resources.requests.storage", NULL,
                           "field can not be less than status.capacity");
        }
    }
}

void claim_validate(const struct write *write, struct violations *violations)
{
    const cJSON *spec = value_member(write->value, "spec");
    if (write->before != NULL) {
        if (values_differ(spec_before(write), spec)) {
            claim_validate_update(write, spec, violations);
        }
        return;
    }
    validate_modes(spec, violations);
    validate_size(value_at(spec, "resources", "requests", "storage", NULL),
                  "spec.resources[storage]", violations);
}

/* KEP-3762: when the phase last changed. */
static void stamp_phase(struct write *write, cJSON *status)
{
    const char *phase = value_text(status, "phase", NULL);
    if (write->before != NULL && value_equal_text(write->before->value, phase == NULL ? "" : phase,
                                                  "status", "phase", NULL)) {
        return;
    }
    char now[TIMESTAMP_BYTES];
    apiserver_stamp(write->server, 0, now);
    value_set_text(status, "lastPhaseTransitionTime", now);
}

void volume_prepare(struct write *write)
{
    cJSON *spec = spec_of(write);
    cJSON *status = value_make(write->value, "status", NULL);
    default_text(spec, "persistentVolumeReclaimPolicy", "Retain");
    default_text(spec, "volumeMode", "Filesystem");
    default_text(status, "phase", "Pending");
    stamp_phase(write, status);
}

/* Members of a volume's spec that are not its source. */
static bool is_source(const char *member)
{
    static const char *const others[] = {
        "accessModes",
        "capacity",
        "claimRef",
        "mountOptions",
        "nodeAffinity",
        "volumeMode",
        "storageClassName",
        "persistentVolumeReclaimPolicy",
        "volumeAttributesClassName",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(member, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

static const cJSON *source_of(const cJSON *spec, int *out_count)
{
    const cJSON *member = NULL;
    const cJSON *source = NULL;
    *out_count = 0;
    cJSON_ArrayForEach(member, spec)
    {
        if (is_source(member->string) && !cJSON_IsNull(member)) {
            source = member;
            (*out_count)++;
        }
    }
    return source;
}

static void volume_validate_update(const struct write *write, const cJSON *source,
                                   struct violations *violations)
{
    int count = 0;
    const cJSON *before = source_of(spec_before(write), &count);
    if (before == NULL || source == NULL || strcmp(before->string, source->string) != 0 ||
        !value_equal(before, source)) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec.persistentvolumesource", NULL,
                       "spec.persistentvolumesource is immutable after creation");
    }
    if (member_changed(write, "spec", "volumeMode")) {
        violations_add(violations, VIOLATION_INVALID, "spec.volumeMode",
                       value_at(write->value, "spec", "volumeMode", NULL), "field is immutable");
    }
    if (value_at(spec_before(write), "nodeAffinity", NULL) != NULL &&
        member_changed(write, "spec", "nodeAffinity")) {
        violations_add(violations, VIOLATION_INVALID, "spec.nodeAffinity",
                       value_at(write->value, "spec", "nodeAffinity", NULL), "field is immutable");
    }
}

static void validate_csi(const cJSON *source, struct violations *violations)
{
    static const char *const needed[] = {"driver", "volumeHandle"};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        const char *text = value_text(source, needed[i], NULL);
        if (text == NULL || text[0] == '\0') {
            char field[64];
            (void)snprintf(field, sizeof(field), "spec.csi.%s", needed[i]);
            violations_add(violations, VIOLATION_REQUIRED, field, NULL, "%s", "");
        }
    }
}

static void validate_policy(const char *policy, const char *field, struct violations *violations)
{
    if (!text_equal(policy, "Delete") && !text_equal(policy, "Retain") &&
        !text_equal(policy, "Recycle")) {
        cJSON *value = cJSON_CreateString(policy == NULL ? "" : policy);
        violations_add(violations, VIOLATION_UNSUPPORTED, field, value,
                       "supported values: \"Delete\", \"Recycle\", \"Retain\"");
        cJSON_Delete(value);
    }
}

void volume_validate(const struct write *write, struct violations *violations)
{
    int source_count = 0;
    const cJSON *spec = value_member(write->value, "spec");
    const cJSON *source = source_of(spec, &source_count);
    validate_modes(spec, violations);
    validate_size(value_at(spec, "capacity", "storage", NULL), "spec.capacity[storage]",
                  violations);
    validate_policy(value_text(spec, "persistentVolumeReclaimPolicy", NULL),
                    "spec.persistentVolumeReclaimPolicy", violations);
    if (source_count == 0) {
        violations_add(violations, VIOLATION_REQUIRED, "spec", NULL, "must specify a volume type");
    } else if (source_count > 1) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec", NULL,
                       "may not specify more than 1 volume type");
    } else if (strcmp(source->string, "csi") == 0) {
        validate_csi(source, violations);
    }
    if (write->before != NULL) {
        volume_validate_update(write, source, violations);
    }
}

void storage_class_prepare(struct write *write)
{
    default_text(write->value, "reclaimPolicy", "Delete");
    default_text(write->value, "volumeBindingMode", "Immediate");
}

void storage_class_validate(const struct write *write, struct violations *violations)
{
    static const char *const fixed[] = {"parameters", "provisioner", "reclaimPolicy"};
    const char *provisioner = value_text(write->value, "provisioner", NULL);
    if (provisioner == NULL || provisioner[0] == '\0') {
        violations_add(violations, VIOLATION_REQUIRED, "provisioner", NULL, "%s", "");
    }
    validate_policy(value_text(write->value, "reclaimPolicy", NULL), "reclaimPolicy", violations);
    if (write->before == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
        if (member_changed(write, NULL, fixed[i])) {
            violations_add(violations, VIOLATION_FORBIDDEN, fixed[i], NULL,
                           "updates to %s are forbidden.", fixed[i]);
        }
    }
    if (member_changed(write, NULL, "volumeBindingMode")) {
        violations_add(violations, VIOLATION_INVALID, "volumeBindingMode",
                       value_at(write->value, "volumeBindingMode", NULL), "field is immutable");
    }
}
