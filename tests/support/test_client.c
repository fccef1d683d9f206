/* SPDX-License-Identifier: Apache-2.0 */
/* What a sink must never be told is asserted in passing: anything from inside start, bytes before
   the head, a second head, anything after the end. */
#include "support/test_client.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { DEADLINE_MS = 120 * 1000, ASKED_EACH_MS = 2, BODY_BYTES_MAX = 64 * 1024 * 1024 };

static enum credentials_state get(void *self, struct credential_set *out, struct error *error)
{
    struct test_client *client = self;
    if (client->state == CREDENTIALS_READY) {
        *out = client->set;
    } else if (client->state == CREDENTIALS_FAILED) {
        error_set(error, ERROR_SYSTEM, "%s", client->failure);
    }
    return client->state;
}

static void invalidate(void *self, uint64_t generation)
{
    struct test_client *client = self;
    assert(generation == client->set.generation);
    client->invalidate_count++;
    if (client->token_renewed != NULL) {
        client->set.token = client->token_renewed;
        client->set.generation++;
    }
}

static void listen(void *self, void (*changed)(void *listener), void *listener)
{
    struct test_client *client = self;
    client->changed = changed;
    client->listener = listener;
}

void test_client_init(struct test_client *client, const char *server, const char *authority_pem,
                      const struct http_client_options *options)
{
    *client = (struct test_client){
        .loop = loop_new(),
        .set = {.generation = 1, .server = server, .authority_pem = authority_pem},
        .state = CREDENTIALS_READY,
    };
    struct credentials credentials = {
        .get = get, .invalidate = invalidate, .listen = listen, .self = client};
    client->client = http_client_new(client->loop, credentials,
                                     options == NULL ? &http_client_options_default : options);
    client->transport = http_client_transport(client->client);
}

void test_client_release(struct test_client *client)
{
    http_client_free(client->client);
    assert(client->changed == NULL);
    loop_free(client->loop);
}

static int64_t step(void *self, struct now now)
{
    struct test_client *client = self;
    client->turn_count++;
    if (client->is_done(client->self)) {
        loop_stop(client->loop);
    }
    return now.mono_ms + ASKED_EACH_MS;
}

void test_client_run(struct test_client *client, bool (*is_done)(void *self), void *self)
{
    client->is_done = is_done;
    client->self = self;
    loop_set_step(client->loop, step, client);
    loop_run(client->loop);
    loop_set_step(client->loop, NULL, NULL);
}

static void sink_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct test_call *call = self;
    assert(call->call != NULL && call->head_count == 0 && call->end_count == 0);
    call->head_count++;
    call->http_status = http_status;
    call->retry_after_ms = retry_after_ms;
}

static void sink_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct test_call *call = self;
    assert(call->call != NULL && call->head_count == 1 && call->end_count == 0);
    text_append_bytes(&call->body, bytes, byte_count);
}

static void sink_end(void *self, const struct error *error)
{
    struct test_call *call = self;
    assert(call->call != NULL && call->end_count == 0);
    call->end_count++;
    call->error = *error;
}

void test_call_start(struct test_call *call, struct test_client *client,
                     const struct request *request)
{
    *call = (struct test_call){0};
    text_init(&call->body, BODY_BYTES_MAX);
    struct sink sink = {.head = sink_head, .bytes = sink_bytes, .end = sink_end, .self = call};
    call->call = client->transport.start(client->transport.self, request, sink);
}

static bool has_ended(void *self)
{
    return ((const struct test_call *)self)->end_count > 0;
}

void test_call_finish(struct test_call *call, struct test_client *client)
{
    test_client_run(client, has_ended, call);
}

void test_call_run(struct test_call *call, struct test_client *client,
                   const struct request *request)
{
    test_call_start(call, client, request);
    test_call_finish(call, client);
}

void test_call_release(struct test_call *call)
{
    text_release(&call->body);
}

struct request test_request(enum method method, const char *path)
{
    bool has_body = method != METHOD_GET && method != METHOD_DELETE;
    return (struct request){
        .method = method,
        .path = path,
        .content_type = has_body ? "application/json" : NULL,
        .body = has_body ? "{}" : NULL,
        .body_bytes = has_body ? strlen("{}") : 0,
        .deadline_ms = DEADLINE_MS,
    };
}

struct request test_watch(const char *path)
{
    struct request request = test_request(METHOD_GET, path);
    request.watch = true;
    return request;
}
