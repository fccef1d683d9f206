/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes are read once, when they enter the store: each claim that finds none looks at all. */
#include "sim/binder_objects.h"

#include "sim/amount.h"
#include "sim/value.h"

#include <string.h>

static const char CLASS_BETA[] = "volume.beta.kubernetes.io/storage-class";

static const char *const ACCESS_MODES[] = {
    "ReadWriteOnce",
    "ReadOnlyMany",
    "ReadWriteMany",
    "ReadWriteOncePod",
};
enum { ACCESS_MODE_COUNT = sizeof(ACCESS_MODES) / sizeof(ACCESS_MODES[0]) };

static unsigned read_access_modes(const cJSON *modes)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < ACCESS_MODE_COUNT; i++) {
        bits |= value_list_has(modes, ACCESS_MODES[i]) ? 1U << i : 0;
    }
    return bits;
}

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static const char *spec_text(const struct record *record, const char *member)
{
    return or_empty(value_text(record->value, "spec", member, NULL));
}

static const char *read_class(const struct record *record)
{
    const char *beta = value_annotation(record->value, CLASS_BETA);
    return beta != NULL ? beta : spec_text(record, "storageClassName");
}

static const char *read_mode(const struct record *record)
{
    const char *mode = spec_text(record, "volumeMode");
    return mode[0] == '\0' ? "Filesystem" : mode;
}

static int64_t read_amount(const cJSON *amount)
{
    int64_t milli = 0;
    (void)amount_parse(amount, &milli);
    return milli;
}

struct binder_volume binder_volume_of(const struct record *record)
{
    const cJSON *value = record->value;
    const cJSON *claim = value_at(value, "spec", "claimRef", NULL);
    return (struct binder_volume){
        .record = record_keep(record),
        .has_claim = claim != NULL,
        .claim_namespace = or_empty(value_text(claim, "namespace", NULL)),
        .claim_name = or_empty(value_text(claim, "name", NULL)),
        .claim_uid = or_empty(value_text(claim, "uid", NULL)),
        .class = read_class(record),
        .attributes_class = spec_text(record, "volumeAttributesClassName"),
        .mode = read_mode(record),
        .phase = or_empty(value_text(value, "status", "phase", NULL)),
        .capacity_milli = read_amount(value_at(value, "spec", "capacity", "storage", NULL)),
        .access_modes = read_access_modes(value_at(value, "spec", "accessModes", NULL)),
        .is_deleting = value_is_deleting(value),
        .is_bound_by_controller = value_annotation(value, BINDER_BOUND_BY_CONTROLLER) != NULL,
        .is_disposable =
            value_annotation(value, BINDER_PROVISIONED_BY) != NULL &&
            value_equal_text(value, "Delete", "spec", "persistentVolumeReclaimPolicy", NULL),
    };
}

struct binder_claim binder_claim_of(const struct record *record)
{
    const cJSON *value = record->value;
    return (struct binder_claim){
        .record = record,
        .class = read_class(record),
        .attributes_class = spec_text(record, "volumeAttributesClassName"),
        .mode = read_mode(record),
        .volume_name = spec_text(record, "volumeName"),
        .request_milli =
            read_amount(value_at(value, "spec", "resources", "requests", "storage", NULL)),
        .access_modes = read_access_modes(value_at(value, "spec", "accessModes", NULL)),
        .is_bind_completed = value_annotation(value, BINDER_BIND_COMPLETED) != NULL,
    };
}

bool binder_is_bound_to(const struct binder_volume *volume, const struct record *claim)
{
    return volume->has_claim && strcmp(volume->claim_name, claim->name) == 0 &&
           strcmp(volume->claim_namespace, claim->namespace) == 0 &&
           (volume->claim_uid[0] == '\0' || strcmp(volume->claim_uid, claim->uid) == 0);
}

bool binder_has_same_mode(const struct record *volume, const struct record *claim)
{
    return strcmp(read_mode(volume), read_mode(claim)) == 0;
}

const char *binder_mismatch(const struct binder_volume *volume, const struct binder_claim *claim)
{
    if (volume->is_deleting) {
        return "the volume is marked for deletion";
    }
    if (volume->capacity_milli < claim->request_milli) {
        return "requested PV is too small";
    }
    if (strcmp(volume->class, claim->class) != 0) {
        return "storageClassName does not match";
    }
    if (strcmp(volume->attributes_class, claim->attributes_class) != 0) {
        return "volumeAttributesClassName does not match";
    }
    if (strcmp(volume->mode, claim->mode) != 0) {
        return "incompatible volumeMode";
    }
    if ((claim->access_modes & ~volume->access_modes) != 0) {
        return "incompatible accessMode";
    }
    return NULL;
}

/* ---- spec.selector ---- */

static bool expression_matches(const cJSON *expression, const cJSON *volume)
{
    const char *operator= or_empty(value_text(expression, "operator", NULL));
    const char *label = value_label(volume, or_empty(value_text(expression, "key", NULL)));
    bool is_listed = label != NULL && value_list_has(value_at(expression, "values", NULL), label);
    if (strcmp(operator, "In") == 0) {
        return is_listed;
    }
    if (strcmp(operator, "NotIn") == 0) {
        return !is_listed;
    }
    return (strcmp(operator, "Exists") == 0) == (label != NULL);
}

bool binder_selector_matches(const struct record *claim, const struct record *volume)
{
    const cJSON *selector = value_at(claim->value, "spec", "selector", NULL);
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, value_at(selector, "matchLabels", NULL))
    {
        const char *label = value_label(volume->value, item->string);
        if (label == NULL || !cJSON_IsString(item) || strcmp(label, item->valuestring) != 0) {
            return false;
        }
    }
    cJSON_ArrayForEach(item, value_at(selector, "matchExpressions", NULL))
    {
        if (!expression_matches(item, volume->value)) {
            return false;
        }
    }
    return true;
}
