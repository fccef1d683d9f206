/* SPDX-License-Identifier: Apache-2.0 */
/* A call goes from a waiting list (one for each priority) to the wire and, when its sink has seen
   the end, to the finished list; only client_step moves it on from there. So nothing of ours runs
   inside the transport, and no reply is acted upon before the step's `now` is known. */
#include "kube/client.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

struct client_call {
    struct client_call *next;
    struct client *client;
    struct arena arena; /* of the request's strings */
    struct request request;
    bool json_patch_tests;
    void (*done)(void *self, const struct reply *reply); /* NULL: forgotten */
    void *self;

    struct call *on_wire;
    int64_t started_ms;
    int http_status;
    int64_t retry_after_ms;
    struct text body;
    struct error end;
};

struct call_list {
    struct client_call *first, *last;
};

/* Five methods, and the statuses a server really sends; what comes beyond is counted as 0. */
enum { TALLIES_MAX = 64 };

struct client {
    struct transport transport;
    size_t body_bytes_max;
    struct call_list waiting[CLIENT_PRIORITY_COUNT];
    struct client_call *wire[LIMIT_REQUESTS_IN_FLIGHT];
    size_t wire_count;
    struct call_list finished;
    size_t call_count;
    bool (*may_start)(void *gate, const struct request *request, struct now now);
    void *gate;
    struct client_tally tallies[TALLIES_MAX];
    size_t tally_count;
};

static void list_append(struct call_list *list, struct client_call *call)
{
    call->next = NULL;
    *(list->last == NULL ? &list->first : &list->last->next) = call;
    list->last = call;
}

static struct client_call *list_take_first(struct call_list *list)
{
    struct client_call *call = list->first;
    if (call != NULL) {
        list->first = call->next;
        list->last = list->first == NULL ? NULL : list->last;
    }
    return call;
}

static struct client_call *call_new(struct client *client, const struct request *request)
{
    struct client_call *call = memory_new(1, sizeof(*call));
    call->client = client;
    arena_init(&call->arena, request->body_bytes + 512);
    call->request = *request;
    call->request.path = arena_copy(&call->arena, request->path);
    call->request.content_type = arena_copy(&call->arena, request->content_type);
    call->request.accept = arena_copy(&call->arena, request->accept);
    call->request.body = arena_copy_bytes(&call->arena, request->body, request->body_bytes);
    text_init(&call->body, LIMIT_ERROR_BODY_BYTES);
    client->call_count++;
    return call;
}

static void call_free(struct client_call *call)
{
    call->client->call_count--;
    text_release(&call->body);
    arena_release(&call->arena);
    memory_free(call);
}

struct client *client_new(struct transport transport, size_t body_bytes_max)
{
    struct client *client = memory_new(1, sizeof(*client));
    client->transport = transport;
    client->body_bytes_max = body_bytes_max;
    return client;
}

static void list_free(struct call_list *list)
{
    for (struct client_call *call = list_take_first(list); call != NULL;
         call = list_take_first(list)) {
        call_free(call);
    }
}

void client_free(struct client *client)
{
    if (client == NULL) {
        return;
    }
    for (size_t i = 0; i < client->wire_count; i++) {
        client->transport.cancel(client->transport.self, client->wire[i]->on_wire);
        call_free(client->wire[i]);
    }
    for (size_t priority = 0; priority < CLIENT_PRIORITY_COUNT; priority++) {
        list_free(&client->waiting[priority]);
    }
    list_free(&client->finished);
    assert(client->call_count == 0);
    memory_free(client);
}

void client_send(struct client *client, const struct request *request,
                 enum client_priority priority, bool json_patch_tests,
                 void (*done)(void *self, const struct reply *reply), void *self)
{
    assert(priority < CLIENT_PRIORITY_COUNT);
    assert(!request->watch && request->deadline_ms > 0);
    assert(done != NULL);

    struct client_call *call = call_new(client, request);
    call->json_patch_tests = json_patch_tests;
    call->done = done;
    call->self = self;
    list_append(&client->waiting[priority], call);
}

/* ---- the sink: notes, and nothing else ---- */

static void note_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct client_call *call = self;
    call->http_status = http_status;
    call->retry_after_ms = retry_after_ms;
    bool success = http_status >= 200 && http_status < 300;
    text_release(&call->body);
    text_init(&call->body, success ? call->client->body_bytes_max : LIMIT_ERROR_BODY_BYTES);
}

static void note_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct client_call *call = self;
    text_append_bytes(&call->body, bytes, byte_count);
}

static void note_end(void *self, const struct error *error)
{
    struct client_call *call = self;
    struct client *client = call->client;
    call->end = *error;
    size_t at = 0;
    while (client->wire[at] != call) {
        at++;
        assert(at < client->wire_count);
    }
    client->wire[at] = client->wire[--client->wire_count];
    list_append(&client->finished, call);
}

/* ---- the step ---- */

static void judge(const struct client_call *call, struct error *error)
{
    if (call->end.class != ERROR_NONE) {
        *error = call->end;
        error->http_status = call->http_status;
        return;
    }
    reply_classify(call->request.method, call->http_status, call->retry_after_ms, call->body.bytes,
                   call->body.length_bytes, call->json_patch_tests, error);
    if (error->class == ERROR_NONE && !text_check(&call->body, "reply", error)) {
        error->http_status = call->http_status;
    }
}

/* NULL: there is none, and no place for one. */
static struct client_tally *tally_of(struct client *client, enum method method, int http_status)
{
    for (size_t i = 0; i < client->tally_count; i++) {
        struct client_tally *entry = &client->tallies[i];
        if (entry->method == method && entry->http_status == http_status) {
            return entry;
        }
    }
    if (client->tally_count == TALLIES_MAX) {
        return NULL;
    }
    struct client_tally *entry = &client->tallies[client->tally_count++];
    *entry = (struct client_tally){.method = method, .http_status = http_status};
    return entry;
}

static void tally(struct client *client, enum method method, int http_status)
{
    struct client_tally *entry = tally_of(client, method, http_status);
    if (entry == NULL) {
        entry = tally_of(client, method, 0);
    }
    if (entry != NULL) {
        entry->count++;
    }
}

size_t client_tallies(const struct client *client, const struct client_tally **out_tallies)
{
    *out_tallies = client->tallies;
    return client->tally_count;
}

static void hand_over_take(struct client_call *call, struct now now)
{
    tally(call->client, call->request.method, call->http_status);
    if (call->done != NULL) {
        struct reply reply = {
            .http_status = call->http_status,
            .body = call->body.bytes,
            .body_bytes = call->body.length_bytes,
            .elapsed_ms = now.mono_ms - call->started_ms,
        };
        judge(call, &reply.error);
        call->done(call->self, &reply);
    }
    call_free(call);
}

/* Each priority has half the places of the one above. What is less urgent is not only behind: while
   it is on the wire, it takes the server's time from what is waited for. */
static size_t places_for(enum client_priority priority)
{
    return (size_t)LIMIT_REQUESTS_IN_FLIGHT >> priority;
}

/* CLIENT_PRIORITY_COUNT: nothing waits that has a place. */
static enum client_priority next_to_start(const struct client *client)
{
    enum client_priority priority = CLIENT_URGENT;
    while (priority < CLIENT_PRIORITY_COUNT && (client->waiting[priority].first == NULL ||
                                                client->wire_count >= places_for(priority))) {
        priority++;
    }
    return priority;
}

void client_set_gate(struct client *client,
                     bool (*may_start)(void *self, const struct request *request, struct now now),
                     void *self)
{
    client->may_start = may_start;
    client->gate = self;
}

static void start_take(struct client *client, struct client_call *call, struct now now)
{
    if (client->may_start != NULL && !client->may_start(client->gate, &call->request, now)) {
        (void)error_set(&call->end, ERROR_UNAVAILABLE, "not sent: this is not the time to write");
        call->started_ms = now.mono_ms;
        list_append(&client->finished, call);
        return;
    }
    struct sink sink = {.head = note_head, .bytes = note_bytes, .end = note_end, .self = call};
    call->started_ms = now.mono_ms;
    client->wire[client->wire_count++] = call;
    call->on_wire = client->transport.start(client->transport.self, &call->request, sink);
    assert(call->on_wire != NULL);
}

void client_step(struct client *client, struct now now)
{
    for (struct client_call *call = list_take_first(&client->finished); call != NULL;
         call = list_take_first(&client->finished)) {
        hand_over_take(call, now);
    }
    for (enum client_priority priority = next_to_start(client); priority < CLIENT_PRIORITY_COUNT;
         priority = next_to_start(client)) {
        start_take(client, list_take_first(&client->waiting[priority]), now);
    }
}

bool client_due(const struct client *client)
{
    return client->finished.first != NULL || next_to_start(client) < CLIENT_PRIORITY_COUNT;
}

size_t client_in_flight(const struct client *client)
{
    return client->call_count;
}

static void drop_waiting_of(struct call_list *list, const void *self)
{
    struct call_list kept = {0};
    for (struct client_call *call = list_take_first(list); call != NULL;
         call = list_take_first(list)) {
        if (call->self == self) {
            call_free(call);
        } else {
            list_append(&kept, call);
        }
    }
    *list = kept;
}

void client_forget(struct client *client, const void *self)
{
    for (size_t priority = 0; priority < CLIENT_PRIORITY_COUNT; priority++) {
        drop_waiting_of(&client->waiting[priority], self);
    }
    for (size_t i = 0; i < client->wire_count; i++) {
        if (client->wire[i]->self == self) {
            client->wire[i]->done = NULL;
        }
    }
    for (struct client_call *call = client->finished.first; call != NULL; call = call->next) {
        if (call->self == self) {
            call->done = NULL;
        }
    }
}
