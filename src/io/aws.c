/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl 7.88.1 (Debian 12) signs every header that is in its list, which has to hold the token
   and the target: AWS refuses x-amz- headers that are not signed. It takes the service and the
   region from what it is told, never from the URL, so that any endpoint will do. */
#include "io/aws.h"

#include "base/json.h"
#include "io/http_easy.h"

#include <uv.h>

#include <stdlib.h>
#include <string.h>

enum {
    TRIES_MAX = 5,
    PAUSE_MS_MIN = 200, /* before the second try; then twice as long each time */
    CONNECT_TIMEOUT_MS = 10 * 1000,
    CALL_TIMEOUT_MS = 30 * 1000,
    STATUS_SERVER_ERROR_MIN = 500,
    STATUS_REFUSED_MIN = 300,
};

static const char *variable(const char *name, const char *other_name)
{
    const char *value = getenv(name);
    if (value == NULL || value[0] == '\0') {
        value = other_name == NULL ? NULL : getenv(other_name);
    }
    return value == NULL || value[0] == '\0' ? NULL : value;
}

bool aws_account_read(const char *service, struct arena *arena, struct aws_account *out,
                      struct error *error)
{
    struct aws_account account = {
        .service = service,
        .endpoint = variable("AWS_ENDPOINT_URL_FSX", "AWS_ENDPOINT_URL"),
        .region = variable("AWS_REGION", "AWS_DEFAULT_REGION"),
        .access_key = variable("AWS_ACCESS_KEY_ID", NULL),
        .secret_key = variable("AWS_SECRET_ACCESS_KEY", NULL),
        .session_token = variable("AWS_SESSION_TOKEN", NULL),
    };
    if (account.region == NULL) {
        return error_set(error, ERROR_INVALID, "set AWS_REGION");
    }
    if (account.access_key == NULL || account.secret_key == NULL) {
        return error_set(error, ERROR_INVALID,
                         "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (`aws configure "
                         "export-credentials --format env` prints those of a profile)");
    }
    if (account.endpoint == NULL) {
        bool china = text_starts_with(account.region, "cn-");
        account.endpoint = arena_print(arena, "https://%s.%s.amazonaws.com%s", service,
                                       account.region, china ? ".cn" : "");
    }
    *out = account;
    return true;
}

static size_t body_came(char *bytes, size_t unit, size_t count, void *self)
{
    text_append_bytes(self, bytes, unit * count);
    return unit * count;
}

static struct curl_slist *headers_new(const struct aws_account *account, const char *target,
                                      struct arena *arena)
{
    struct curl_slist *headers =
        curl_slist_append(NULL, "Content-Type: application/x-amz-json-1.1");
    headers = curl_slist_append(headers, arena_print(arena, "X-Amz-Target: %s", target));
    if (account->session_token != NULL) {
        const char *token = arena_print(arena, "X-Amz-Security-Token: %s", account->session_token);
        headers = curl_slist_append(headers, token);
    }
    return headers;
}

static CURLcode perform(CURL *easy, const struct aws_account *account, const char *target,
                        const char *body, struct text *out)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct curl_slist *headers = headers_new(account, target, &arena);
    HTTP_EASY_SET(easy, CURLOPT_URL, account->endpoint);
    HTTP_EASY_SET(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    HTTP_EASY_SET(easy, CURLOPT_NOSIGNAL, 1L);
    HTTP_EASY_SET(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    HTTP_EASY_SET(easy, CURLOPT_TIMEOUT_MS, (long)CALL_TIMEOUT_MS);
    HTTP_EASY_SET(easy, CURLOPT_AWS_SIGV4,
                  arena_print(&arena, "aws:amz:%s:%s", account->region, account->service));
    HTTP_EASY_SET(easy, CURLOPT_USERNAME, account->access_key);
    HTTP_EASY_SET(easy, CURLOPT_PASSWORD, account->secret_key);
    HTTP_EASY_SET(easy, CURLOPT_HTTPHEADER, headers);
    HTTP_EASY_SET(easy, CURLOPT_POSTFIELDS, body);
    HTTP_EASY_SET(easy, CURLOPT_WRITEFUNCTION, body_came);
    HTTP_EASY_SET(easy, CURLOPT_WRITEDATA, out);
    CURLcode code = curl_easy_perform(easy);
    curl_slist_free_all(headers);
    return code;
}

static enum error_class class_of(long http_status, const char *type)
{
    static const struct {
        const char *part;
        enum error_class class;
    } rows[] = {
        {"Throttl", ERROR_THROTTLED},
        {"TooManyRequests", ERROR_THROTTLED},
        {"AccessDenied", ERROR_FORBIDDEN},
        {"NotAuthorized", ERROR_FORBIDDEN},
        {"Signature", ERROR_FORBIDDEN},
        {"Token", ERROR_FORBIDDEN},
        {"UnrecognizedClient", ERROR_FORBIDDEN},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strstr(type, rows[i].part) != NULL) {
            return rows[i].class;
        }
    }
    return http_status >= STATUS_SERVER_ERROR_MIN ? ERROR_UNAVAILABLE : ERROR_INVALID;
}

/* {"__type": "prefix#ThrottlingException", "Message": "..."}; message in some services. */
static bool judge_refusal(const char *endpoint, long http_status, const struct text *reply,
                          struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    struct error ignored;
    const char *type = "";
    const char *message = NULL;
    if (json_parse(reply->bytes, reply->length_bytes, &document, &ignored)) {
        const struct json *root = json_root(document);
        const char *full = json_text(json_member(root, "__type"));
        const char *hash = full == NULL ? NULL : strrchr(full, '#');
        type = hash != NULL ? hash + 1 : full == NULL ? "" : full;
        message = json_text(json_member(root, "Message"));
        message = message == NULL ? json_text(json_member(root, "message")) : message;
    }
    return error_set(error, class_of(http_status, type), "%s: %s%s%s (HTTP %ld)", endpoint, type,
                     type[0] == '\0' ? "" : ": ", message == NULL ? "refused" : message,
                     http_status);
}

static void easy_cleanup(CURL **easy)
{
    curl_easy_cleanup(*easy);
}

static bool try_call(const struct aws_account *account, const char *target, const char *body,
                     struct text *reply, struct error *error)
{
    char reason[CURL_ERROR_SIZE] = "";
    __attribute__((cleanup(easy_cleanup))) CURL *easy = curl_easy_init();
    HTTP_EASY_SET(easy, CURLOPT_ERRORBUFFER, reason);
    CURLcode code = perform(easy, account, target, body, reply);
    if (code != CURLE_OK) {
        return error_set(error, ERROR_UNAVAILABLE, "%s: %s", account->endpoint,
                         reason[0] == '\0' ? curl_easy_strerror(code) : reason);
    }
    long http_status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &http_status);
    if (http_status >= STATUS_REFUSED_MIN) {
        return judge_refusal(account->endpoint, http_status, reply, error);
    }
    return text_check(reply, account->endpoint, error);
}

bool aws_call(const struct aws_account *account, const char *target, const char *body,
              struct text *out, struct error *error)
{
    unsigned int pause_ms = PAUSE_MS_MIN;
    for (int i = 1;; i++) {
        cleanup_text struct text reply;
        text_init(&reply, out->length_bytes_max);
        if (try_call(account, target, body, &reply, error)) {
            text_append_bytes(out, reply.bytes, reply.length_bytes);
            return text_check(out, account->endpoint, error);
        }
        bool passes = error->class == ERROR_THROTTLED || error->class == ERROR_UNAVAILABLE;
        if (!passes || i == TRIES_MAX) {
            return false;
        }
        uv_sleep(pause_ms);
        pause_ms *= 2;
    }
}
