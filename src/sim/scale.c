/* SPDX-License-Identifier: Apache-2.0 */
/* A write of a Scale is a write of the object with one number changed, so that everything the
   object's own rules say holds for it, too. */
#include "sim/scale.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const struct resource SCALES = {
    .group = "autoscaling",
    .version = "v1",
    .plural = "scales",
    .singular = "scale",
    .kind = "Scale",
    .short_names = "",
    .categories = "",
    .is_namespaced = true,
};

enum { MEMBER_BYTES = 256 };

/* path ".spec.size": the object that holds its last member, whose name out_name gets. With make,
   objects on the way are made; NULL: not there. */
static cJSON *holder_at(cJSON *object, const char *path, bool make, char out_name[MEMBER_BYTES])
{
    const char *part = path[0] == '.' ? path + 1 : path;
    for (;;) {
        size_t length = strcspn(part, ".");
        if (object == NULL || length >= MEMBER_BYTES) {
            return NULL;
        }
        memcpy(out_name, part, length);
        out_name[length] = '\0';
        if (part[length] == '\0') {
            return object;
        }
        object = make ? value_make(object, out_name, NULL) : value_member(object, out_name);
        part += length + 1;
    }
}

static bool replicas_at(const cJSON *value, const char *path, int64_t *out_replicas)
{
    char name[MEMBER_BYTES];
    cJSON *copy = cJSON_CreateObjectReference(value->child);
    const cJSON *holder = path == NULL ? NULL : holder_at(copy, path, false, name);
    const cJSON *number = holder == NULL ? NULL : value_member(holder, name);
    bool found = number != NULL && cJSON_IsNumber(number);
    if (found) {
        *out_replicas = (int64_t)number->valuedouble;
    }
    cJSON_Delete(copy);
    return found;
}

static cJSON *scale_value(const struct record *record, int64_t replicas)
{
    static const char *const members[] = {
        "name", "namespace", "uid", "resourceVersion", "creationTimestamp",
    };
    int64_t present = 0;
    cJSON *scale = cJSON_CreateObject();
    value_set_text(scale, "kind", "Scale");
    value_set_text(scale, "apiVersion", "autoscaling/v1");
    cJSON *metadata = value_make(scale, "metadata", NULL);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        value_set_text(metadata, members[i],
                       value_text(record->value, "metadata", members[i], NULL));
    }
    value_set_int64(value_make(scale, "spec", NULL), "replicas", replicas);
    (void)replicas_at(record->value, record->resource->scale_status_path, &present);
    value_set_int64(value_make(scale, "status", NULL), "replicas", present);
    return scale;
}

cJSON *scale_of(const struct record *record, struct outcome *outcome)
{
    int64_t replicas = 0;
    const char *path = record->resource->scale_replicas_path;
    if (!replicas_at(record->value, path, &replicas)) {
        outcome_refuse(outcome, 500, "InternalError",
                       "Internal error occurred: the spec replicas field \"%s\" does not exist",
                       path);
        return NULL;
    }
    return scale_value(record, replicas);
}

bool scale_to_object(struct write *write)
{
    char name[MEMBER_BYTES];
    const cJSON *replicas = value_at(write->value, "spec", "replicas", NULL);
    double number = replicas == NULL ? 0 : replicas->valuedouble;
    if (number < 0 || number > INT32_MAX || number != floor(number)) {
        cleanup_violations struct violations violations;
        violations_init(&violations);
        violations_add(&violations, VIOLATION_INVALID, "spec.replicas", replicas, "%s",
                       number < 0 ? "should be a non-negative integer"
                                  : "must be an integer of 32 bits");
        return outcome_invalid(write->outcome, &SCALES, write->name, &violations);
    }
    cJSON *object = cJSON_Duplicate(write->before->value, true);
    cJSON *holder = holder_at(object, write->resource->scale_replicas_path, true, name);
    if (holder != NULL) {
        value_set_int64(holder, name, (int64_t)number);
    }
    /* Absent: unconditional. */
    const char *version = value_text(write->value, "metadata", "resourceVersion", NULL);
    if (version != NULL && version[0] != '\0') {
        value_set_text(value_make(object, "metadata", NULL), "resourceVersion", version);
    }
    cJSON_Delete(write->value);
    write->value = object;
    return true;
}

void scale_validate(const struct write *write, struct violations *violations)
{
    const char *path = text_equal(write->options->subresource, "status")
                           ? write->resource->scale_status_path
                           : write->resource->scale_replicas_path;
    int64_t replicas = 0;
    if (replicas_at(write->value, path, &replicas) && replicas < 0) {
        cJSON *number = cJSON_CreateNumber((double)replicas);
        violations_add(violations, VIOLATION_INVALID, path, number,
                       "should be a non-negative integer");
        cJSON_Delete(number);
    }
}

void scale_outcome(struct outcome *outcome)
{
    struct record *record = outcome->record;
    if (record == NULL) {
        return;
    }
    int64_t replicas = 0;
    (void)replicas_at(record->value, record->resource->scale_replicas_path, &replicas);
    outcome->record = record_new(&SCALES, scale_value(record, replicas), record->revision);
    record_release(record);
}
