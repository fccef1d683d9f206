/* SPDX-License-Identifier: Apache-2.0 */
/* Where a request meets the server and its faults. Each gets its lines in the trace of the world:
   what a client asked, what it was answered, and what then became of that. */
#include "sim/link.h"

#include "base/memory.h"
#include "sim/link_call.h"
#include "sim/route.h"

#include <assert.h>

static void answer(struct call *call, int http_status)
{
    struct link *link = call->link;
    struct link_refusal refusal = {0};
    enum link_fate fate = LINK_PASS;
    world_trace(link->world, "%s %s %s %d", link->options.user, method_name(call->request.method),
                call->request.path, http_status);
    if (link->faults != NULL && link->faults->answered != NULL) {
        fate = link->faults->answered(link->faults->self, &call->seen, http_status, &refusal);
    }
    if (fate != LINK_PASS) {
        watch_close(call->watch);
        call->watch = NULL;
        world_trace(link->world, "%s fate %d", link->options.user, (int)fate);
    }
    switch (fate) {
    case LINK_PASS:
        if (call->watch == NULL) {
            call_send_back(call);
        } else {
            call_begin_silence(call);
        }
        return;
    case LINK_REFUSE:
        call_refuse(call, &refusal);
        return;
    case LINK_LOST:
    case LINK_TORN:
        call_lose(call, fate == LINK_TORN);
        return;
    case LINK_MUTE:
        call_mute(call);
        return;
    case LINK_UNREACHABLE:
        assert(false); /* it was reached */
        return;
    }
}

static void apply(struct call *call)
{
    if (call->seen.is_watch) {
        if (call->is_deaf) {
            call_free(call);
        } else {
            answer(call, call_open_watch(call) ? 200 : call->reply.http_status);
        }
        return;
    }
    route_handle(call->link->server, call->link->options.user, &call->request, &call->reply);
    answer(call, call->reply.http_status);
}

static void arrive(void *self)
{
    struct call *call = self;
    struct link *link = call->link;
    call->arrival = NULL;
    if (link_now_ms(link) < link->cut_until_ms) {
        call_turn_away(call);
        return;
    }
    struct link_refusal refusal = {0};
    enum link_fate fate = link->faults == NULL || link->faults->arriving == NULL
                              ? LINK_PASS
                              : link->faults->arriving(link->faults->self, &call->seen, &refusal);
    if (fate != LINK_PASS) {
        world_trace(link->world, "%s %s %s fate %d", link->options.user,
                    method_name(call->request.method), call->request.path, (int)fate);
    }
    switch (fate) {
    case LINK_PASS:
        apply(call);
        return;
    case LINK_REFUSE:
        call_refuse(call, &refusal);
        return;
    case LINK_UNREACHABLE:
        call_turn_away(call);
        return;
    case LINK_LOST:
    case LINK_TORN:
        call_lose(call, false);
        return;
    case LINK_MUTE:
        call_mute(call);
        return;
    }
}

/* ---- the transport ---- */

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct link *link = self;
    assert(request->deadline_ms > 0);
    struct call *call = call_new(link, request, sink);
    int64_t delay_ms = link_latency(link);
    call->arrival = world_after(link->world, delay_ms, arrive, call);
    if (delay_ms >= request->deadline_ms) {
        call_arm_expiry(call);
    }
    return call;
}

static void cancel(void *self, struct call *call)
{
    (void)self;
    bool is_on_its_way = call->arrival != NULL && call->seen.is_write;
    if (!is_on_its_way) {
        call_free(call);
        return;
    }
    call->is_deaf = true;
    if (call->expiry != NULL) {
        world_cancel(call->link->world, call->expiry);
        call->expiry = NULL;
    }
}

struct transport link_transport(struct link *link)
{
    return (struct transport){.start = start, .cancel = cancel, .self = link};
}

struct link *link_new(struct apiserver *server, const struct link_options *options,
                      const struct link_faults *faults, void (*woken)(void *self), void *self)
{
    struct link *link = memory_new(1, sizeof(*link));
    assert(options->least_ms >= 0 && options->least_ms <= options->most_ms);
    link->server = server;
    link->world = apiserver_world(server);
    link->options = *options;
    link->faults = faults;
    link->woken = woken;
    link->self = self;
    random_init(&link->random, random_next(world_random(link->world, "link")));
    return link;
}

void link_free(struct link *link)
{
    if (link == NULL) {
        return;
    }
    while (link->calls != NULL) {
        call_free(link->calls);
    }
    memory_free(link);
}

/* ---- what befalls all calls ---- */

void link_cut(struct link *link, int64_t until_ms)
{
    link->cut_until_ms = until_ms;
    for (struct call *call = link->calls; call != NULL; call = call->next) {
        if (call->watch != NULL || call->departure != NULL) {
            call_cut(call);
        }
    }
}

void link_fail_watches(struct link *link, const struct link_refusal *refusal)
{
    for (struct call *call = link->calls; call != NULL; call = call->next) {
        if (call->watch != NULL) {
            watch_fail(call->watch, refusal->http_status, refusal->reason,
                       refusal->message == NULL ? "ended by the server" : refusal->message);
        }
    }
}

void link_set_latency(struct link *link, int64_t least_ms, int64_t most_ms)
{
    assert(least_ms >= 0 && least_ms <= most_ms);
    link->options.least_ms = least_ms;
    link->options.most_ms = most_ms;
}

size_t link_in_flight(const struct link *link)
{
    size_t count = 0;
    for (const struct call *call = link->calls; call != NULL; call = call->next) {
        count += call->is_deaf ? 0 : 1;
    }
    return count;
}
