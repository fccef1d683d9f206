/* SPDX-License-Identifier: Apache-2.0 */
/* Priorities: a developer waits for a claim's writes, nobody for a refill's. Of many claims those
   go on that have begun, before others begin: the binder, which takes one at a time, then has work
   from the first moment instead of all at the end. */
#include "operator/request_build.h"

#include "api/names.h"
#include "base/json.h"
#include "base/limits.h"

#define REQUEST_DEADLINE_MS 20000

static const struct {
    enum method method;
    const char *content_type, *query;
} rows[ACTION_KIND_COUNT] = {
    [ACTION_CREATE] = {METHOD_POST, "application/json", "?fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_EXPECT_NONE] = {METHOD_GET, NULL, ""},
    [ACTION_DRY_RUN] = {METHOD_POST, "application/json",
                        "?dryRun=All&fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_EXPECT_SOME] = {METHOD_POST, "application/json",
                            "?dryRun=All&fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_MERGE_PATCH] = {METHOD_PATCH, "application/merge-patch+json",
                            "?fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_STATUS_PATCH] = {METHOD_PATCH, "application/merge-patch+json",
                             "?fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_JSON_PATCH] = {METHOD_PATCH, "application/json-patch+json",
                           "?fieldManager=" NAME_FIELD_MANAGER},
    [ACTION_DELETE] = {METHOD_DELETE, "application/json", ""},
    [ACTION_READ] = {METHOD_GET, NULL, ""},
    [ACTION_EVENTS] = {METHOD_GET, NULL,
                       "?limit=50&fieldSelector=type%3DWarning,involvedObject.uid%3D"},
};

static enum client_priority priority_of(enum purpose purpose)
{
    switch (purpose) {
    case PURPOSE_CHOOSE:
    case PURPOSE_DATA_CLAIM:
    case PURPOSE_CLAIM_VOLUME:
    case PURPOSE_WITHDRAW:
    case PURPOSE_SECRET:
    case PURPOSE_NETWORK_POLICY:
    case PURPOSE_CLUSTER:
    case PURPOSE_ERRAND:
    case PURPOSE_RESERVE_VOLUME:
    case PURPOSE_CONFIRM:
        return CLIENT_URGENT;
    case PURPOSE_FINALIZER:
    case PURPOSE_PREFLIGHT:
    case PURPOSE_STATUS:
    case PURPOSE_LABEL_VOLUME:
    case PURPOSE_HIBERNATE:
    case PURPOSE_RETURN_VOLUME:
    case PURPOSE_DISPOSE_VOLUME:
    case PURPOSE_RELEASE_VOLUME:
        return CLIENT_NORMAL;
    case PURPOSE_FILL:
    case PURPOSE_RETIRE_VOLUME:
    case PURPOSE_DELETE:
    case PURPOSE_EXPLAIN:
    case PURPOSE_COUNT:
        return CLIENT_LATER;
    }
    return CLIENT_LATER;
}

static void write_delete_options(const struct action *action, struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_string(&json, "apiVersion", "v1");
    json_member_string(&json, "kind", "DeleteOptions");
    json_member_string(&json, "propagationPolicy", "Background");
    json_member_object(&json, "preconditions");
    json_member_string(&json, "uid", action->uid);
    json_member_optional(&json, "resourceVersion", action->resource_version);
    json_end_object(&json);
    json_end_object(&json);
}

void request_build(const struct action *action, struct built_request *out)
{
    bool collection = action->kind == ACTION_CREATE || action->kind == ACTION_DRY_RUN ||
                      action->kind == ACTION_EXPECT_SOME || action->kind == ACTION_EVENTS;
    text_init(&out->path, LIMIT_BODY_BYTES);
    text_init(&out->body, LIMIT_BODY_BYTES);
    kind_path(kind_of(action->object), action->namespace, collection ? NULL : action->name,
              action->kind == ACTION_STATUS_PATCH ? "status" : NULL, &out->path);
    text_append(&out->path, rows[action->kind].query);
    if (action->kind == ACTION_EVENTS) {
        text_append(&out->path, action->uid);
    }
    if (action->kind == ACTION_DELETE) {
        write_delete_options(action, &out->body);
    } else if (action->body != NULL) {
        text_append(&out->body, action->body);
    }
    out->priority = priority_of(action->purpose);
    out->json_patch_tests = action->kind == ACTION_JSON_PATCH;
    out->request = (struct request){
        .method = rows[action->kind].method,
        .path = out->path.bytes,
        .content_type = rows[action->kind].content_type,
        .body = rows[action->kind].content_type == NULL ? NULL : out->body.bytes,
        .body_bytes = out->body.length_bytes,
        .deadline_ms = REQUEST_DEADLINE_MS,
    };
}

void request_release(struct built_request *built)
{
    text_release(&built->path);
    text_release(&built->body);
}

bool action_is_probe(const struct action *action)
{
    return action->kind == ACTION_DRY_RUN || action->kind == ACTION_EXPECT_NONE ||
           action->kind == ACTION_EXPECT_SOME;
}

bool action_is_write(const struct action *action)
{
    return action->kind != ACTION_READ && action->kind != ACTION_EVENTS && !action_is_probe(action);
}
