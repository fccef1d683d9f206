/* SPDX-License-Identifier: Apache-2.0 */
/* The client under test is good enough for this, too: it never repeats a write by itself, and what
   an outage took is asked for again by whoever still wants it. */
#include "crash_matrix/api.h"

#include "base/limits.h"
#include "base/memory.h"

#include <string.h>

#define DEADLINE_MS 30000

struct api {
    struct client *client;
};

struct api *api_new(struct transport transport)
{
    struct api *api = memory_new(1, sizeof(*api));
    api->client = client_new(transport, LIMIT_OBJECT_BYTES);
    return api;
}

void api_free(struct api *api)
{
    client_free(api->client);
    memory_free(api);
}

void api_step(struct api *api, struct now now)
{
    client_step(api->client, now);
}

static void nobody(void *self, const struct reply *reply)
{
    (void)self;
    (void)reply;
}

static void quote(struct text *body)
{
    for (char *at = strchr(body->bytes, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
}

void api_send(struct api *api, const struct api_request *request,
              void (*done)(void *self, const struct reply *reply), void *self)
{
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, LIMIT_BODY_BYTES);
    text_init(&body, LIMIT_BODY_BYTES);
    kind_path(kind_of(request->kind), request->namespace, request->name, request->subresource,
              &path);
    text_append(&body, request->body == NULL ? "" : request->body);
    quote(&body);
    struct request sent = {
        .method = request->method,
        .path = path.bytes,
        .content_type = request->content_type,
        .body = request->body == NULL ? NULL : body.bytes,
        .body_bytes = body.length_bytes,
        .deadline_ms = DEADLINE_MS,
    };
    if (sent.body != NULL && sent.content_type == NULL) {
        sent.content_type = "application/json";
    }
    client_send(api->client, &sent, CLIENT_NORMAL, false, done == NULL ? nobody : done,
                done == NULL ? api : self);
}

void api_forget(struct api *api, const void *self)
{
    client_forget(api->client, self);
}
