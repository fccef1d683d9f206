/* SPDX-License-Identifier: Apache-2.0 */
/* What kube-apiserver does not take it says with a 422 about CreateOptions, UpdateOptions and so on
   (apimachinery meta/v1/validation); a client that misspells dryRun must not have written. */
#include "sim/write_options.h"

#include "base/text.h"
#include "sim/failure.h"
#include "sim/value.h"

#include <string.h>

static const char *options_kind(enum method method)
{
    switch (method) {
    case METHOD_POST:
        return "CreateOptions";
    case METHOD_PUT:
        return "UpdateOptions";
    case METHOD_PATCH:
        return "PatchOptions";
    case METHOD_DELETE:
        return "DeleteOptions";
    case METHOD_GET:
        return "GetOptions";
    }
    return "";
}

static bool refuse(enum method method, const char *field, const char *message,
                   struct route_reply *out)
{
    failure_invalid_option(out, options_kind(method), field, "FieldValueNotSupported", message);
    return false;
}

static bool read_dry_run(enum method method, const char *value, struct verb_options *options,
                         struct route_reply *out)
{
    if (strcmp(value, "All") != 0) {
        return refuse(method, "dryRun", "Unsupported value: supported values: \"All\"", out);
    }
    options->dry_run = true;
    return true;
}

bool write_options_read(const struct request *request, const struct url *url,
                        struct verb_options *options, struct route_reply *out)
{
    const char *dry_run = url_get(url, "dryRun");
    if (dry_run != NULL && dry_run[0] != '\0' &&
        !read_dry_run(request->method, dry_run, options, out)) {
        return false;
    }
    const char *validation = url_get(url, "fieldValidation");
    bool is_known = validation == NULL || validation[0] == '\0' ||
                    strcmp(validation, "Ignore") == 0 || strcmp(validation, "Warn") == 0;
    options->strict = text_equal(validation, "Strict");
    return is_known || options->strict ||
           refuse(request->method, "fieldValidation",
                  "Unsupported value: supported values: \"Ignore\", \"Strict\", \"Warn\"", out);
}

static const char *orphaning(bool orphans)
{
    return orphans ? "Orphan" : "Background";
}

static bool read_query(const struct url *url, struct preconditions *preconditions,
                       struct route_reply *out)
{
    preconditions->propagation = url_get(url, "propagationPolicy");
    if (url_get(url, "orphanDependents") != NULL) {
        preconditions->propagation = orphaning(url_true(url, "orphanDependents"));
    }
    const char *grace = url_get(url, "gracePeriodSeconds");
    struct error error;
    if (grace != NULL && !text_parse_int64(grace, &preconditions->grace_s, &error)) {
        failure_bad_request(out, "gracePeriodSeconds is not a whole number");
        return false;
    }
    return true;
}

static bool read_body(const cJSON *body, struct preconditions *preconditions,
                      struct verb_options *options, struct route_reply *out)
{
    const char *kind = value_text(body, "kind", NULL);
    if (!cJSON_IsObject(body) || (kind != NULL && strcmp(kind, "DeleteOptions") != 0)) {
        failure_bad_request(out, "the body is no DeleteOptions");
        return false;
    }
    preconditions->uid = value_text(body, "preconditions", "uid", NULL);
    preconditions->resource_version = value_text(body, "preconditions", "resourceVersion", NULL);
    preconditions->propagation = value_text(body, "propagationPolicy", NULL);
    if (value_at(body, "orphanDependents", NULL) != NULL) {
        preconditions->propagation = orphaning(value_true(body, "orphanDependents", NULL));
    }
    preconditions->grace_s = value_int64(body, -1, "gracePeriodSeconds", NULL);
    const cJSON *dry_run = value_at(body, "dryRun", NULL);
    const char *first = cJSON_IsArray(dry_run) ? cJSON_GetStringValue(dry_run->child) : NULL;
    return first == NULL || read_dry_run(METHOD_DELETE, first, options, out);
}

static bool check_propagation(const char *propagation, struct route_reply *out)
{
    bool is_known = propagation == NULL || strcmp(propagation, "Background") == 0 ||
                    strcmp(propagation, "Foreground") == 0 || strcmp(propagation, "Orphan") == 0;
    return is_known ||
           refuse(METHOD_DELETE, "propagationPolicy",
                  "Unsupported value: supported values: \"Background\", \"Foreground\", \"Orphan\"",
                  out);
}

bool write_options_read_delete(const struct request *request, const struct url *url,
                               struct preconditions *out_preconditions,
                               struct verb_options *options, cJSON **out_body,
                               struct route_reply *out)
{
    struct preconditions read = {.grace_s = -1};
    cJSON *body = NULL;
    struct error error;
    bool has_body = request->body != NULL && request->body_bytes > 0;
    if (has_body && !value_parse(request->body, &body, &error)) {
        failure_bad_request(out, error.message);
        return false;
    }
    bool is_good =
        (has_body ? read_body(body, &read, options, out) : read_query(url, &read, out)) &&
        check_propagation(read.propagation, out);
    if (!is_good) {
        cJSON_Delete(body);
        return false;
    }
    *out_preconditions = read;
    *out_body = body;
    return true;
}
