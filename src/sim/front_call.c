/* SPDX-License-Identifier: Apache-2.0 */
/* libmicrohttpd calls with a request's head, then with parts of its body, then once more: that is
   when it is answered, at once, or by a watch. */
#include "sim/front_protobuf.h"
#include "sim/front_state.h"

#include "sim/route.h"
#include "sim/watch.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct front_call {
    char *uri;
    struct text body;
    bool has_begun;
};

/* ---- life ---- */

void *front_call_begin(void *front, const char *uri, struct MHD_Connection *connection)
{
    (void)front;
    (void)connection;
    struct front_call *call = memory_new(1, sizeof(*call));
    call->uri = memory_copy_text(uri);
    text_init(&call->body, LIMIT_BODY_BYTES);
    return call;
}

void front_call_end(void *front, struct MHD_Connection *connection, void **call,
                    enum MHD_RequestTerminationCode code)
{
    struct front_call *over = *call;
    (void)front;
    (void)connection;
    (void)code;
    if (over != NULL) {
        memory_free(over->uri);
        text_release(&over->body);
        memory_free(over);
        *call = NULL;
    }
}

/* ---- replies ---- */

static enum MHD_Result queue(struct MHD_Connection *connection, int http_status,
                             const char *content_type, int retry_after_s,
                             struct MHD_Response *response)
{
    char seconds[16];
    (void)snprintf(seconds, sizeof(seconds), "%d", retry_after_s);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache, private");
    if (retry_after_s > 0) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
    }
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)http_status, response);
    MHD_destroy_response(response);
    return queued;
}

static void free_reply(void *reply)
{
    route_reply_release(reply);
    memory_free(reply);
}

/* The body is sent from where it is; the reply is freed with the response. */
static enum MHD_Result send_reply_take(struct MHD_Connection *connection, struct route_reply *reply)
{
    union {
        /* cppcheck-suppress unusedStructMember ; what is put in is taken out as the other */
        const char *borrowed;
        void *lent; /* libmicrohttpd only reads it */
    } body = {.borrowed = reply->body};
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
        reply->body_bytes, body.lent, free_reply, reply);
    return queue(connection, reply->http_status, reply->content_type, reply->retry_after_s,
                 response);
}

/* A Status that needs no API server to say it. */
static enum MHD_Result refuse(struct MHD_Connection *connection, int http_status,
                              const char *reason, const char *message)
{
    struct route_reply *reply = memory_new(1, sizeof(*reply));
    cleanup_text struct text body;
    text_init(&body, ERROR_MESSAGE_BYTES);
    text_print(&body,
               "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
               "\"message\":\"%s\",\"reason\":\"%s\",\"code\":%d}\n",
               message, reason, http_status);
    route_reply_take_text(reply, http_status, &body);
    return send_reply_take(connection, reply);
}

/* ---- requests ---- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool is_authorized(const struct front *front, struct MHD_Connection *connection)
{
    static const char scheme[] = "Bearer ";
    const char *authorization = header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    return authorization != NULL && text_starts_with(authorization, scheme) &&
           text_equal(authorization + strlen(scheme), front->token);
}

static bool method_of(const char *name, enum method *out)
{
    static const char *const names[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum method)i;
            return true;
        }
    }
    return false;
}

static bool is_told(const struct front *front, const struct request *request,
                    struct route_reply *out)
{
    cleanup_text struct text body;
    text_init(&body, LIMIT_BODY_BYTES);
    if (front->tell == NULL || request->method != METHOD_GET ||
        !front->tell(front->tell_self, request->path, &body)) {
        return false;
    }
    route_reply_take_text(out, MHD_HTTP_OK, &body);
    return true;
}

static enum MHD_Result answer(struct front *front, struct MHD_Connection *connection,
                              const struct request *request)
{
    struct route_reply *reply = memory_new(1, sizeof(*reply));
    struct MHD_Response *watch =
        route_is_watch(request) ? front_watch_open(front, connection, request, reply) : NULL;
    if (watch != NULL) {
        memory_free(reply);
        return queue(connection, MHD_HTTP_OK, "application/json", 0, watch);
    }
    if (reply->http_status == 0 && !is_told(front, request, reply)) {
        route_handle(front->server, front->user, request, reply);
    }
    return send_reply_take(connection, reply);
}

static enum MHD_Result answer_call(struct front *front, struct MHD_Connection *connection,
                                   const char *method, const struct front_call *call)
{
    struct request request = {
        .path = call->uri,
        .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .accept = header(connection, MHD_HTTP_HEADER_ACCEPT),
        .body = call->body.length_bytes > 0 ? call->body.bytes : NULL,
        .body_bytes = call->body.length_bytes,
        .deadline_ms = 1,
    };
    if (!is_authorized(front, connection)) {
        return refuse(connection, MHD_HTTP_UNAUTHORIZED, "Unauthorized", "Unauthorized");
    }
    if (call->body.overflowed) {
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "RequestEntityTooLarge",
                      "Request entity too large: limit is 4194304");
    }
    cleanup_memory char *json =
        request.body != NULL && text_equal(request.content_type, FRONT_PROTOBUF_TYPE)
            ? front_protobuf_to_json(request.body, request.body_bytes)
            : NULL;
    if (json != NULL) {
        request.content_type = "application/json";
        request.body = json;
        request.body_bytes = strlen(json);
    }
    if (!method_of(method, &request.method)) {
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "MethodNotAllowed",
                      "the server does not allow this method on the requested resource");
    }
    return answer(front, connection, &request);
}

/* NOLINTNEXTLINE(bugprone-easily-swappable-parameters): the signature is libmicrohttpd's */
enum MHD_Result front_call_go_on(void *front, struct MHD_Connection *connection, const char *uri,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_bytes, void **call)
{
    struct front_call *begun = *call;
    (void)uri;
    (void)version;
    if (!begun->has_begun) {
        begun->has_begun = true;
        return MHD_YES;
    }
    if (*upload_bytes > 0) {
        text_append_bytes(&begun->body, upload, *upload_bytes);
        *upload_bytes = 0;
        return MHD_YES;
    }
    return answer_call(front, connection, method, begun);
}
