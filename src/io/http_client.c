/* SPDX-License-Identifier: Apache-2.0 */
/* All calls are in one list, and one timer (`clock`) fires for the first that is due: a deadline
   that passed, or an end that start() must not tell itself. The list is short (base/limits.h), so a
   scan of it is cheaper than a timer for each.

   Plain calls share the connections of the present endpoint. When credentials change in what a
   connection depends on, a new endpoint is made; the old one closes its connections with its last
   call, so that a rotated client certificate or authority is used from the next request on.
   Watches are in a set of connections of their own, which keeps none of theirs: a watch cannot wait
   for, nor be waited for by, a plain call, and one that is open when credentials change stays open;
   the server has let it in and ends it within minutes. A list is in that set, too, and leaves its
   connection to the watch that follows: at a start, two for each kind would be made and one of them
   kept for nothing, at 50 KB each.

   What the credentials report is noted and acted upon when the clock fires, since they may report
   from inside a call that was made here. */
#include "io/http_client.h"

#include "base/memory.h"
#include "io/http_call.h"
#include "io/loop.h"

#include <assert.h>
#include <uv.h>

const struct http_client_options http_client_options_default = {
    .user_agent = "adjoint",
    .connect_timeout_ms = 10000,
    .tcp_user_timeout_ms = 20000,
    .keepalive_idle_ms = 15000,
    .keepalive_interval_ms = 5000,
    .keepalive_count = 3,
};

struct http_client {
    struct loop *loop;
    struct credentials credentials;
    struct http_client_options options;
    uv_timer_t clock;
    bool credentials_changed;
    struct call *calls;
    struct http_endpoint *endpoint; /* NULL: none yet */
    struct http_connections *watch_connections;
};

static void tick(uv_timer_t *clock);

static void set_clock(struct http_client *client)
{
    int64_t due_ms = INT64_MAX;
    for (const struct call *call = client->calls; call != NULL; call = call->next) {
        due_ms = call->due_ms < due_ms ? call->due_ms : due_ms;
    }
    if (client->credentials_changed) {
        due_ms = 0;
    }
    if (due_ms == INT64_MAX) {
        uv_timer_stop(&client->clock);
        return;
    }
    int64_t wait_ms = due_ms - (int64_t)uv_now(loop_uv(client->loop));
    uv_timer_start(&client->clock, tick, wait_ms < 0 ? 0 : (uint64_t)wait_ms, 0);
}

static void link_call(struct http_client *client, struct call *call)
{
    call->next = client->calls;
    call->link = &client->calls;
    if (call->next != NULL) {
        call->next->link = &call->next;
    }
    client->calls = call;
}

static void unlink_call(struct call *call)
{
    *call->link = call->next;
    if (call->next != NULL) {
        call->next->link = call->link;
    }
}

static void end_call(struct call *call, const struct error *error)
{
    struct sink sink = call->sink;
    unlink_call(call);
    http_call_free(call);
    sink.end(sink.self, error);
}

static void end_in_next_turn(struct call *call)
{
    call->state = HTTP_CALL_ENDING;
    call->due_ms = 0;
}

static void transfer_ended(void *self, CURL *easy, CURLcode result);

static bool take_endpoint(struct http_client *client, const struct credential_set *set,
                          struct error *error)
{
    if (client->endpoint != NULL && http_endpoint_serves(client->endpoint, set)) {
        return true;
    }
    struct http_connections *connections =
        http_connections_new(loop_uv(client->loop), transfer_ended, client);
    struct http_endpoint *endpoint = NULL;
    if (!http_endpoint_new(set, connections, &endpoint, error)) {
        return false;
    }
    http_endpoint_release(client->endpoint);
    client->endpoint = endpoint;
    return true;
}

/* Sends it, lets it wait for credentials, or lets it end in the next turn. */
static void try_call(struct http_client *client, struct call *call)
{
    struct credentials *credentials = &client->credentials;
    struct credential_set set = {0};
    switch (credentials->get(credentials->self, &set, &call->error)) {
    case CREDENTIALS_PENDING:
        return;
    case CREDENTIALS_FAILED:
        call->error.class = ERROR_UNAUTHORIZED;
        end_in_next_turn(call);
        return;
    case CREDENTIALS_READY:
        break;
    }
    if (!take_endpoint(client, &set, &call->error)) {
        end_in_next_turn(call);
        return;
    }
    struct http_connections *connections = call->request.watch || call->request.list
                                               ? client->watch_connections
                                               : http_endpoint_connections(client->endpoint);
    if (!http_call_run(call, &set, client->endpoint, connections, &call->error)) {
        end_in_next_turn(call);
    }
}

static void transfer_ended(void *self, CURL *easy, CURLcode result)
{
    struct http_client *client = self;
    struct call *call = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call);
    assert(call != NULL && call->state == HTTP_CALL_RUNNING);
    call->connections = NULL;

    if (http_call_wants_refresh(call)) {
        http_call_forget_transfer(call);
        call->refreshed = true;
        call->send_count = 0;
        client->credentials.invalidate(client->credentials.self, call->generation);
        try_call(client, call);
    } else if (http_call_wants_resend(call, result)) {
        http_call_forget_transfer(call);
        call->on_new_connection = true;
        try_call(client, call);
    } else {
        struct error error;
        http_call_judge_end(call, result, &error);
        end_call(call, &error);
    }
    set_clock(client);
}

static void act_on_due(struct call *call)
{
    struct error error;
    switch (call->state) {
    case HTTP_CALL_WAITING:
        error_set(&error, ERROR_UNAUTHORIZED, "no credentials within %lld ms",
                  (long long)call->request.deadline_ms);
        break;
    case HTTP_CALL_RUNNING:
        http_call_judge_deadline(call, &error);
        break;
    case HTTP_CALL_ENDING:
        error = call->error;
        break;
    }
    end_call(call, &error);
}

static void tick(uv_timer_t *clock)
{
    struct http_client *client = clock->data;
    bool credentials_changed = client->credentials_changed;
    client->credentials_changed = false;
    int64_t now_ms = loop_now(client->loop).mono_ms;

    struct call *next = NULL;
    for (struct call *call = client->calls; call != NULL; call = next) {
        next = call->next;
        if (credentials_changed && call->state == HTTP_CALL_WAITING) {
            try_call(client, call);
        }
        if (call->due_ms <= now_ms) {
            act_on_due(call);
        }
    }
    set_clock(client);
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct http_client *client = self;
    struct call *call = http_call_new(request, sink, &client->options, client->loop);
    link_call(client, call);
    try_call(client, call);
    set_clock(client);
    return call;
}

static void cancel(void *self, struct call *call)
{
    unlink_call(call);
    http_call_free(call);
    set_clock(self);
}

static void note_change(void *listener)
{
    struct http_client *client = listener;
    client->credentials_changed = true;
    set_clock(client);
}

struct http_client *http_client_new(struct loop *loop, struct credentials credentials,
                                    const struct http_client_options *options)
{
    CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    assert(code == CURLE_OK);

    struct http_client *client = memory_new(1, sizeof(*client));
    client->loop = loop;
    client->credentials = credentials;
    client->options = *options;
    uv_timer_init(loop_uv(loop), &client->clock);
    client->clock.data = client;
    client->watch_connections = http_connections_new(loop_uv(loop), transfer_ended, client);
    credentials.listen(credentials.self, note_change, client);
    return client;
}

static void clock_closed(uv_handle_t *clock)
{
    memory_free(clock->data);
}

void http_client_free(struct http_client *client)
{
    if (client == NULL) {
        return;
    }
    client->credentials.listen(client->credentials.self, NULL, NULL);
    while (client->calls != NULL) {
        cancel(client, client->calls);
    }
    http_endpoint_release(client->endpoint);
    http_connections_free(client->watch_connections);
    uv_close((uv_handle_t *)&client->clock, clock_closed);
}

struct transport http_client_transport(struct http_client *client)
{
    return (struct transport){.start = start, .cancel = cancel, .self = client};
}
