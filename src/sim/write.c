/* SPDX-License-Identifier: Apache-2.0 */
/* An update that changes nothing commits nothing: the real server compares what it would store with
   what is stored, and answers with the present version. */
#include "sim/write.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/admission.h"
#include "sim/body.h"
#include "sim/commit.h"
#include "sim/definitions.h"
#include "sim/kind_rules.h"
#include "sim/metadata.h"
#include "sim/patch_json.h"
#include "sim/patch_merge.h"
#include "sim/patch_strategic.h"
#include "sim/quota.h"
#include "sim/scale.h"
#include "sim/schema.h"
#include "sim/subresource.h"
#include "sim/webhook.h"

#include <stdio.h>
#include <string.h>

enum { UNKNOWN_FIELDS_BYTES_MAX = 16 * 1024 };

/* ---- rules ---- */

static bool apply_schema(struct write *write)
{
    const struct schema *schema = write->resource->schema;
    if (schema == NULL) {
        return true;
    }
    cleanup_text struct text unknown;
    text_init(&unknown, UNKNOWN_FIELDS_BYTES_MAX);
    schema_prune(schema, write->value, write->options->strict ? &unknown : NULL);
    if (unknown.length_bytes > 0) {
        const char *kind = write->resource->kind;
        return outcome_bad_request(
            write->outcome,
            "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s", kind,
            write->resource->version, kind, unknown.bytes);
    }
    schema_default(schema, write->value);
    return true;
}

static bool judge(struct write *write, const struct kind_rules *rules)
{
    cleanup_violations struct violations violations;
    violations_init(&violations);
    body_tidy(write);
    metadata_validate(write, rules->name_rule, &violations);
    if (rules->validate != NULL) {
        rules->validate(write, &violations);
    }
    if (write->resource->schema != NULL) {
        schema_validate(write->resource->schema, write->value,
                        write->before == NULL ? NULL : write->before->value, &violations);
    }
    scale_validate(write, &violations);
    return violations_none(&violations) ||
           outcome_invalid(write->outcome, write->resource, write->name, &violations);
}

static bool succeed(struct write *write, int http_status, struct record *record)
{
    write->outcome->http_status = http_status;
    write->outcome->record = record;
    return true;
}

/* The value is handed on, and is no longer the write's. */
static cJSON *take_value(struct write *write)
{
    cJSON *value = write->value;
    write->value = NULL;
    return value;
}

/* What the write keeps of the value lives on in the record. */
static bool commit(struct write *write, int http_status)
{
    uint64_t revision = write->before == NULL ? 0 : write->before->revision;
    struct record *record = write->options->dry_run
                                ? record_new(write->resource, take_value(write), revision)
                                : commit_put(write->server, write->resource, take_value(write));
    return succeed(write, http_status, record);
}

/* ---- create ---- */

bool write_create(struct write *write)
{
    const struct kind_rules *rules = kind_rules_of(write->resource);
    if (text_equal(write->options->subresource, "binding")) {
        write->name = write->name == NULL ? value_name(write->value) : write->name;
        return subresource_bind(write) && commit(write, 201);
    }
    if (write->options->subresource != NULL) {
        return outcome_not_served(write->outcome);
    }
    if (!body_check(write, false)) {
        return false;
    }
    if (value_text(write->value, "metadata", "resourceVersion", NULL) != NULL &&
        value_text(write->value, "metadata", "resourceVersion", NULL)[0] != '\0') {
        return outcome_refuse(write->outcome, 500, "",
                              "resourceVersion should not be set on objects to be created");
    }
    metadata_generate_name(write);
    if (definitions_is_terminating(write->server, write->resource)) {
        return outcome_forbidden(write->outcome, write->resource, write->name,
                                 "create not allowed while custom resource definition is "
                                 "terminating");
    }
    if (!admission_mutate(write)) {
        return false;
    }
    metadata_fill(write);
    if (write->resource->has_status && !rules->creates_status) {
        value_set(write->value, "status", NULL);
    }
    if (!apply_schema(write)) {
        return false;
    }
    if (rules->prepare != NULL) {
        rules->prepare(write);
    }
    if (!webhook_admit(write) || !judge(write, rules) || !quota_admit(write)) {
        return false;
    }
    const struct record *present =
        objects_get(write->server->objects, write->resource, write->namespace, write->name);
    return present == NULL ? commit(write, 201) : outcome_exists(write->outcome, present);
}

/* ---- update ---- */

static bool check_uid(struct write *write)
{
    const char *uid = value_uid(write->value);
    if (uid[0] == '\0' || strcmp(uid, write->before->uid) == 0) {
        return true;
    }
    return outcome_conflict(
        write->outcome, write->resource, write->name,
        "StorageError: invalid object, Code: 4, Key: /registry/%s/%s%s%s, ResourceVersion: 0, "
        "AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s",
        write->resource->plural, write->namespace, write->namespace[0] == '\0' ? "" : "/",
        write->name, uid, write->before->uid);
}

static bool check_version(struct write *write, const struct kind_rules *rules)
{
    const char *version = value_text(write->value, "metadata", "resourceVersion", NULL);
    const char *present = value_text(write->before->value, "metadata", "resourceVersion", NULL);
    if (version != NULL && version[0] != '\0' && strcmp(version, "0") != 0) {
        return text_equal(version, present) ||
               outcome_conflict(write->outcome, write->resource, write->name,
                                "the object has been modified; please apply your changes to the "
                                "latest version and try again");
    }
    if (!rules->needs_version || text_equal(write->options->subresource, "scale")) {
        return true;
    }
    outcome_add_cause(write->outcome, "FieldValueInvalid",
                      "Invalid value: 0: must be specified for an update",
                      "metadata.resourceVersion");
    return outcome_refuse(write->outcome, 422, "Invalid",
                          "%s \"%s\" is invalid: metadata.resourceVersion: Invalid value: 0: "
                          "must be specified for an update",
                          resource_qualified(write->resource).text, write->name);
}

/* The last finalizer of a terminating object is gone: so is the object. */
static bool is_finished(const struct write *write)
{
    const cJSON *before = write->before->value;
    if (!value_is_deleting(before) ||
        cJSON_GetArraySize(value_at(write->value, "metadata", "finalizers", NULL)) > 0 ||
        value_int64(before, 0, "metadata", "deletionGracePeriodSeconds", NULL) > 0) {
        return false;
    }
    return write->resource != &resource_namespaces ||
           cJSON_GetArraySize(value_at(write->value, "spec", "finalizers", NULL)) == 0;
}

static bool finish_update(struct write *write)
{
    if (is_finished(write)) {
        if (!write->options->dry_run) {
            record_release(commit_remove(write->server, write->before));
        }
        write->outcome->is_gone = true;
        return succeed(write, 200,
                       record_new(write->resource, take_value(write), write->before->revision));
    }
    if (value_equal(write->value, write->before->value)) {
        return succeed(write, 200, record_keep(write->before));
    }
    return commit(write, 200);
}

static bool check_name(struct write *write)
{
    const char *name = value_name(write->value);
    if (name[0] == '\0') {
        return outcome_bad_request(write->outcome,
                                   "the name of the object (%s based on URL) was undeterminable: "
                                   "name must be provided",
                                   write->name);
    }
    return strcmp(name, write->name) == 0 ||
           outcome_bad_request(
               write->outcome,
               "the name of the object (%s) does not match the name on the URL (%s)", name,
               write->name);
}

bool write_update(struct write *write, bool is_put)
{
    const struct kind_rules *rules = kind_rules_of(write->resource);
    bool is_scale = text_equal(write->options->subresource, "scale");
    if (is_scale && !scale_to_object(write)) {
        return false;
    }
    if (!body_check(write, !is_put) || !check_name(write) || (is_put && !check_uid(write)) ||
        !admission_mutate(write) || !check_version(write, rules)) {
        return false;
    }
    subresource_restrict(write);
    metadata_carry(write);
    if (!apply_schema(write)) {
        return false;
    }
    if (rules->prepare != NULL) {
        rules->prepare(write);
    }
    /* Before the generation is counted: what a webhook fills in is no change. */
    if (!webhook_admit(write)) {
        return false;
    }
    metadata_count_generation(write);
    if (!judge(write, rules) || !admission_validate(write) || !quota_admit(write) ||
        !finish_update(write)) {
        return false;
    }
    if (is_scale) {
        scale_outcome(write->outcome);
    }
    return true;
}

/* ---- patch ---- */

static bool refuse_patch(struct write *write, const struct error *error)
{
    if (error->class == ERROR_TEST_FAILED) {
        return outcome_refuse(write->outcome, 422, "Invalid",
                              "the server rejected our request due to an error in our request");
    }
    if (error->class == ERROR_LIMIT) {
        return outcome_refuse(write->outcome, 413, "RequestEntityTooLarge", "%s", error->message);
    }
    return outcome_bad_request(write->outcome, "%s", error->message);
}

bool write_patch(struct write *write, enum patch_type type, const cJSON *patch)
{
    struct error error;
    bool applied = false;
    bool is_scale = text_equal(write->options->subresource, "scale");
    write->value = is_scale ? scale_of(write->before, write->outcome)
                            : cJSON_Duplicate(write->before->value, true);
    if (write->value == NULL) {
        return false;
    }
    switch (type) {
    case PATCH_JSON:
        applied = patch_json_apply(write->value, patch, &error);
        break;
    case PATCH_MERGE:
        applied = patch_merge_apply(write->value, patch, &error);
        break;
    case PATCH_STRATEGIC:
        if (resource_is_custom(write->resource)) {
            return outcome_refuse(write->outcome, 415, "UnsupportedMediaType",
                                  "the body of the request was in an unknown format - accepted "
                                  "media types include: application/json-patch+json, "
                                  "application/merge-patch+json, application/apply-patch+yaml");
        }
        applied = patch_strategic_apply(write->value, write->resource, patch, &error);
        break;
    }
    return applied || refuse_patch(write, &error);
}
