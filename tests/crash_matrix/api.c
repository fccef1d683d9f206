/* SPDX-License-Identifier: Apache-2.0 */
/* The client under test is good enough for this, too: it never repeats a write by itself, and what
   an outage took is asked for again by whoever still wants it. */
#include "crash_matrix/api.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/memory.h"

#include <string.h>

enum { DEADLINE_MS = 30000, AGAIN_MS = 300 };

/* A request that is sent again until the server has answered it. */
struct lasting {
    struct arena arena;
    struct api *api;
    struct request request;
    bool waits; /* for a step to send it again */
    int64_t failed_at_ms;
    struct lasting *next;
};

struct api {
    struct client *client;
    struct lasting *lasting;
    struct now now;
};

struct api *api_new(struct transport transport)
{
    struct api *api = memory_new(1, sizeof(*api));
    api->client = client_new(transport, LIMIT_OBJECT_BYTES);
    return api;
}

static void lasting_free(struct lasting *lasting)
{
    arena_release(&lasting->arena);
    memory_free(lasting);
}

void api_free(struct api *api)
{
    client_free(api->client);
    while (api->lasting != NULL) {
        struct lasting *lasting = api->lasting;
        api->lasting = lasting->next;
        lasting_free(lasting);
    }
    memory_free(api);
}

static bool is_answer(enum error_class class)
{
    return class != ERROR_UNAVAILABLE && class != ERROR_UNKNOWN && class != ERROR_TIMEOUT &&
           class != ERROR_THROTTLED && class != ERROR_SYSTEM;
}

static void on_lasting(void *self, const struct reply *reply)
{
    struct lasting *lasting = self;
    if (!is_answer(reply->error.class)) {
        lasting->waits = true;
        lasting->failed_at_ms = lasting->api->now.mono_ms;
        return;
    }
    struct lasting **at = &lasting->api->lasting;
    while (*at != lasting) {
        at = &(*at)->next;
    }
    *at = lasting->next;
    lasting_free(lasting);
}

void api_step(struct api *api, struct now now)
{
    api->now = now;
    for (struct lasting *lasting = api->lasting; lasting != NULL; lasting = lasting->next) {
        if (lasting->waits && now.mono_ms - lasting->failed_at_ms >= AGAIN_MS) {
            lasting->waits = false;
            client_send(api->client, &lasting->request, CLIENT_NORMAL, false, on_lasting, lasting);
        }
    }
    client_step(api->client, now);
}

static void send_lasting(struct api *api, const struct request *request)
{
    struct lasting *lasting = memory_new(1, sizeof(*lasting));
    *lasting = (struct lasting){.api = api, .request = *request, .next = api->lasting};
    arena_init(&lasting->arena, 0);
    lasting->request.path = arena_copy(&lasting->arena, request->path);
    lasting->request.body =
        request->body == NULL ? NULL : arena_copy(&lasting->arena, request->body);
    api->lasting = lasting;
    client_send(api->client, &lasting->request, CLIENT_NORMAL, false, on_lasting, lasting);
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
    if (request->lasting) {
        send_lasting(api, &sent);
        return;
    }
    client_send(api->client, &sent, CLIENT_NORMAL, false, done == NULL ? nobody : done,
                done == NULL ? api : self);
}

void api_forget(struct api *api, const void *self)
{
    client_forget(api->client, self);
}
