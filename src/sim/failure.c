/* SPDX-License-Identifier: Apache-2.0 */
/* details.kind is the resource's plural name, but for Invalid the object's kind: that is how the
   constructors of apimachinery's api/errors fill it in. */
#include "sim/failure.h"

#include "base/json.h"

static void append_details(struct json_writer *json, const struct failure *failure)
{
    json_member_object(json, "details");
    const char *const members[][2] = {
        {"name", failure->name}, {"group", failure->group}, {"kind", failure->kind}};
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (members[i][1] != NULL && members[i][1][0] != '\0') {
            json_member_string(json, members[i][0], members[i][1]);
        }
    }
    if (failure->causes != NULL) {
        json_member_raw(json, "causes", failure->causes);
    }
    if (failure->retry_after_s > 0) {
        json_member_int64(json, "retryAfterSeconds", failure->retry_after_s);
    }
    json_end_object(json);
}

void failure_append(struct text *text, const struct failure *failure)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_string(&json, "kind", "Status");
    json_member_string(&json, "apiVersion", "v1");
    json_member_object(&json, "metadata");
    json_member_optional(&json, "continue", failure->continue_token);
    json_end_object(&json);
    json_member_string(&json, "status", "Failure");
    json_member_string(&json, "message", failure->message == NULL ? "" : failure->message);
    json_member_optional(&json, "reason", failure->reason);
    bool has_details = failure->name != NULL || failure->kind != NULL || failure->causes != NULL ||
                       failure->retry_after_s > 0;
    if (has_details) {
        append_details(&json, failure);
    }
    json_member_int64(&json, "code", failure->http_status);
    json_end_object(&json);
}

void failure_reply(struct route_reply *reply, const struct failure *failure)
{
    cleanup_text struct text body;
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    failure_append(&body, failure);
    route_reply_take_text(reply, failure->http_status, &body);
    reply->retry_after_s = failure->retry_after_s;
}

void failure_bad_request(struct route_reply *reply, const char *message)
{
    failure_reply(
        reply, &(struct failure){.http_status = 400, .reason = "BadRequest", .message = message});
}

void failure_invalid_option(struct route_reply *reply, const char *options_kind, const char *field,
                            const char *reason, const char *message)
{
    cleanup_text struct text causes;
    text_init(&causes, ERROR_MESSAGE_BYTES);
    struct json_writer json;
    json_writer_init(&json, &causes);
    json_begin_array(&json);
    json_begin_object(&json);
    json_member_string(&json, "reason", reason);
    json_member_string(&json, "message", message);
    json_member_string(&json, "field", field);
    json_end_object(&json);
    json_end_array(&json);

    cleanup_text struct text whole;
    text_init(&whole, ERROR_MESSAGE_BYTES);
    text_print(&whole, "%s.meta.k8s.io \"\" is invalid: %s: %s", options_kind, field, message);
    failure_reply(reply, &(struct failure){
                             .http_status = 422,
                             .reason = "Invalid",
                             .message = whole.bytes,
                             .group = "meta.k8s.io",
                             .kind = options_kind,
                             .causes = causes.bytes,
                         });
}

void failure_of_outcome(struct route_reply *reply, const struct outcome *outcome,
                        const struct resource *resource, const char *name)
{
    bool names_object = outcome->http_status != 400;
    bool names_kind = outcome->names_kind || text_equal(outcome->reason, "Invalid");
    if (outcome->absent_namespace[0] != '\0') {
        resource = &resource_namespaces;
        name = outcome->absent_namespace;
    }
    failure_reply(reply, &(struct failure){
                             .http_status = outcome->http_status,
                             .reason = outcome->reason,
                             .message = outcome->message,
                             .name = names_object ? name : NULL,
                             .group = names_object ? resource->group : NULL,
                             .kind = !names_object ? NULL
                                     : names_kind  ? resource->kind
                                                   : resource->plural,
                             .causes = outcome->causes,
                             .retry_after_s = outcome->retry_after_s,
                         });
}
