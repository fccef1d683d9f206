/* SPDX-License-Identifier: Apache-2.0 */
/* POST, PUT and PATCH: a body of a type that is taken, which says of itself what the path says, and
   the options of the query. All other rules are the verbs'. */
#include "sim/exchange.h"

#include "sim/failure.h"
#include "sim/value.h"
#include "sim/write_options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- content types ---- */

static bool is_content_type(const struct request *request, const char *type)
{
    const char *given = request->content_type == NULL ? "" : request->content_type;
    size_t length = strcspn(given, "; ");
    return strlen(type) == length && strncasecmp(given, type, length) == 0;
}

static void refuse_content_type(struct exchange *exchange, const char *taken)
{
    char message[ERROR_MESSAGE_BYTES];
    (void)snprintf(
        message, sizeof(message),
        "the body of the request was in an unknown format - accepted media types include: %s",
        taken);
    failure_reply(exchange->out, &(struct failure){.http_status = 415,
                                                   .reason = "UnsupportedMediaType",
                                                   .message = message});
}

static bool patch_type_of(const struct request *request, enum patch_type *out)
{
    static const struct {
        const char *content_type;
        enum patch_type type;
    } types[] = {
        {"application/json-patch+json", PATCH_JSON},
        {"application/merge-patch+json", PATCH_MERGE},
        {"application/strategic-merge-patch+json", PATCH_STRATEGIC},
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (is_content_type(request, types[i].content_type)) {
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

/* ---- bodies ---- */

/* The caller's; NULL: none, and the reply says why. */
static cJSON *read_body(struct exchange *exchange)
{
    cJSON *body = NULL;
    struct error error;
    const char *text = exchange->request->body == NULL ? "" : exchange->request->body;
    if (!value_parse(text, &body, &error)) {
        failure_bad_request(exchange->out, error.message);
        return NULL;
    }
    return body;
}

/* The caller's; NULL: refused. */
static cJSON *read_object(struct exchange *exchange)
{
    bool is_json = exchange->request->content_type == NULL ||
                   is_content_type(exchange->request, "application/json");
    if (!is_json) {
        refuse_content_type(exchange, "application/json");
        return NULL;
    }
    cJSON *object = read_body(exchange);
    if (object == NULL) {
        return NULL;
    }
    if (!cJSON_IsObject(object)) {
        failure_bad_request(exchange->out, "the body is no object");
    } else {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

/* ---- verbs ---- */

static bool read_options(struct exchange *exchange, struct verb_options *options)
{
    *options =
        (struct verb_options){.actor = exchange->user, .subresource = exchange->target.subresource};
    return write_options_read(exchange->request, exchange->url, options, exchange->out);
}

void exchange_create(struct exchange *exchange)
{
    struct verb_options options;
    cJSON *object = read_options(exchange, &options) ? read_object(exchange) : NULL;
    if (object == NULL) {
        return;
    }
    char name[256];
    (void)snprintf(name, sizeof(name), "%s", value_name(object));
    cleanup_outcome struct outcome outcome =
        apiserver_create(exchange->server, exchange->target.resource, exchange_namespace(exchange),
                         object, &options);
    exchange_reply(exchange, &outcome, name);
}

void exchange_update(struct exchange *exchange)
{
    struct verb_options options;
    cJSON *object = read_options(exchange, &options) ? read_object(exchange) : NULL;
    if (object == NULL) {
        return;
    }
    cleanup_outcome struct outcome outcome =
        apiserver_update(exchange->server, exchange->target.resource, exchange_namespace(exchange),
                         exchange->target.name, object, &options);
    exchange_reply(exchange, &outcome, exchange->target.name);
}

void exchange_patch(struct exchange *exchange)
{
    enum patch_type type;
    struct verb_options options;
    if (!read_options(exchange, &options)) {
        return;
    }
    if (!patch_type_of(exchange->request, &type)) {
        refuse_content_type(exchange, "application/json-patch+json, application/merge-patch+json, "
                                      "application/strategic-merge-patch+json");
        return;
    }
    cJSON *patch = read_body(exchange);
    if (patch == NULL) {
        return;
    }
    cleanup_outcome struct outcome outcome =
        apiserver_patch(exchange->server, exchange->target.resource, exchange_namespace(exchange),
                        exchange->target.name, type, patch, &options);
    cJSON_Delete(patch);
    exchange_reply(exchange, &outcome, exchange->target.name);
}
