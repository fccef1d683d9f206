/* SPDX-License-Identifier: Apache-2.0 */
/* Where HTTP's number says too little, the Status' reason and details decide:

   - 422 to a JSON patch is a lost `test` (the state is not what we thought) or a refusal (it will
     never do). The first comes from the patch machinery, which knows no field causes; validation
     and admission policies give causes, webhooks say that they denied the request.
   - 5xx to a write: the server may have committed it before it failed (etcd's time-out comes after
     the proposal), so the outcome is unknown, unless it says that it did not begin: it is not
     serving, or a webhook that runs before storage could not be asked.

   Sources: apimachinery api/errors (NewGenericServerResponse, NewTimeoutError, NewServerTimeout),
   apiserver handlers/patch.go and admission/plugin/webhook. */
#include "kube/reply.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

/* A day in Retry-After, from some proxy, must not stop us for a day. */
enum { RETRY_AFTER_MS_MAX = 5 * 60 * 1000, PLAIN_MESSAGE_BYTES = 200 };

static const char *status_text(const struct json *status, const char *key)
{
    const char *text = json_text(json_member(status, key));
    return text == NULL ? "" : text;
}

static bool has_causes(const struct json *status)
{
    const struct json *causes = json_path(status, "details", "causes", NULL);
    return causes != NULL && json_count(causes) > 0;
}

static bool message_has(const struct json *status, const char *words)
{
    return strstr(status_text(status, "message"), words) != NULL;
}

static enum error_class class_of_unprocessable(const struct json *status, bool json_patch_tests)
{
    bool lost_test = json_patch_tests && text_equal(status_text(status, "reason"), "Invalid") &&
                     !has_causes(status) && !message_has(status, "denied the request");
    return lost_test ? ERROR_TEST_FAILED : ERROR_INVALID;
}

static enum error_class class_of_server_error(enum method method, int http_status,
                                              const struct json *status)
{
    bool not_begun =
        http_status == 501 ||
        (http_status == 503 && text_equal(status_text(status, "reason"), "ServiceUnavailable")) ||
        (http_status == 500 && message_has(status, "failed calling webhook"));
    return method == METHOD_GET || not_begun ? ERROR_UNAVAILABLE : ERROR_UNKNOWN;
}

static enum error_class class_of(enum method method, int http_status, const struct json *status,
                                 bool json_patch_tests)
{
    switch (http_status) {
    case 401:
        return ERROR_UNAUTHORIZED;
    case 403:
        return ERROR_FORBIDDEN;
    case 404:
        return ERROR_NOT_FOUND;
    case 409:
        return text_equal(status_text(status, "reason"), "AlreadyExists") ? ERROR_EXISTS
                                                                          : ERROR_CONFLICT;
    case 410:
        return ERROR_GONE;
    case 412:
        return ERROR_CONFLICT;
    case 422:
        return class_of_unprocessable(status, json_patch_tests);
    case 429:
        return ERROR_THROTTLED;
    default:
        break;
    }
    if (http_status >= 500) {
        return class_of_server_error(method, http_status, status);
    }
    bool refused = http_status >= 400 && http_status != 408; /* 408: it never got our request */
    return refused ? ERROR_INVALID : ERROR_UNAVAILABLE;
}

static int64_t retry_after_of(const struct json *status, int64_t header_ms)
{
    const struct json *details = json_member(status, "details");
    struct json_reader reader;
    json_reader_init(&reader, NULL);
    int64_t seconds = json_int64(&reader, details, "retryAfterSeconds", 0);
    bool over = seconds > RETRY_AFTER_MS_MAX / 1000 || header_ms > RETRY_AFTER_MS_MAX;
    if (over) {
        return RETRY_AFTER_MS_MAX;
    }
    int64_t status_ms = seconds > 0 ? seconds * 1000 : 0;
    return status_ms > header_ms ? status_ms : header_ms;
}

static bool is_success(int http_status)
{
    return http_status >= 200 && http_status < 300;
}

void reply_classify_status(enum method method, int http_status, int64_t retry_after_ms,
                           const struct json *status, const char *fallback, bool json_patch_tests,
                           struct error *error)
{
    if (is_success(http_status)) {
        *error = (struct error){.class = ERROR_NONE, .http_status = http_status};
        return;
    }
    const char *message = status_text(status, "message");
    error_set(error, class_of(method, http_status, status, json_patch_tests), "%s",
              message[0] == '\0' ? fallback : message);
    error->http_status = http_status;
    error->retry_after_ms = retry_after_of(status, retry_after_ms);
}

/* Proxies and the API server's outer filters answer in plain text: its first line, if it is one a
   person can read. */
static void make_fallback(int http_status, const char *body, size_t body_bytes, struct text *out)
{
    text_print(out, "HTTP %d", http_status);
    size_t line_bytes = 0;
    while (line_bytes < body_bytes && line_bytes < PLAIN_MESSAGE_BYTES && body[line_bytes] >= ' ' &&
           body[line_bytes] <= '~') {
        line_bytes++;
    }
    bool ends_there = line_bytes == body_bytes || body[line_bytes] == '\n' ||
                      body[line_bytes] == '\r' || line_bytes == PLAIN_MESSAGE_BYTES;
    if (line_bytes > 0 && ends_there && strchr("<{[", body[0]) == NULL) {
        text_append(out, ": ");
        text_append_bytes(out, body, line_bytes);
    }
}

void reply_classify(enum method method, int http_status, int64_t retry_after_ms, const char *body,
                    size_t body_bytes, bool json_patch_tests, struct error *error)
{
    assert(body != NULL || body_bytes == 0);
    if (is_success(http_status)) { /* the body is an object, and it may be a large one */
        *error = (struct error){.class = ERROR_NONE, .http_status = http_status};
        return;
    }

    cleanup_text struct text fallback;
    text_init(&fallback, ERROR_MESSAGE_BYTES);
    make_fallback(http_status, body, body_bytes, &fallback);

    cleanup_json struct json_document *document = NULL;
    struct error ignored; /* then it is no Status */
    const struct json *status = NULL;
    if (body_bytes > 0 && json_parse(body, body_bytes, &document, &ignored)) {
        status = json_root(document);
    }
    bool is_status = json_is_object(status) && text_equal(status_text(status, "kind"), "Status");
    reply_classify_status(method, http_status, retry_after_ms, is_status ? status : NULL,
                          fallback.bytes, json_patch_tests, error);
}
