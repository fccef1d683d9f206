/* SPDX-License-Identifier: Apache-2.0 */
/* A call whose bytes keep coming: a watch of the server, fed into the call's sink. */
#include "sim/link_call.h"

static void watch_silence(void *self)
{
    struct call *call = self;
    int64_t rest_ms = call_expires_at(call) - link_now_ms(call->link);
    if (rest_ms > 0) {
        call->expiry = world_after(call->link->world, rest_ms, watch_silence, call);
        return;
    }
    call_expire(call);
}

static void hear_opened(void *self)
{
    struct call *call = self;
    call->last_byte_ms = link_now_ms(call->link);
    call->sink.head(call->sink.self, 200, 0);
}

static void hear_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct call *call = self;
    call->last_byte_ms = link_now_ms(call->link);
    call->sink.bytes(call->sink.self, bytes, byte_count);
}

static void hear_ended(void *self)
{
    struct call *call = self;
    call->watch = NULL;
}

static void hear_settled(void *self)
{
    struct call *call = self;
    if (call->watch == NULL) {
        call_finish(call);
    } else {
        link_wake(call->link);
    }
}

static int64_t lag_of(void *self)
{
    struct call *call = self;
    struct link *link = call->link;
    int64_t more_ms = link->faults == NULL || link->faults->watch_lag_ms == NULL
                          ? 0
                          : link->faults->watch_lag_ms(link->faults->self, call->request.path);
    return link_latency(link) + more_ms;
}

bool call_open_watch(struct call *call)
{
    struct watch_sink sink = {
        .opened = hear_opened,
        .bytes = hear_bytes,
        .ended = hear_ended,
        .settled = hear_settled,
        .lag_ms = lag_of,
        .self = call,
    };
    call->watch = watch_open(call->link->server, &call->request, &sink, &call->reply);
    return call->watch != NULL;
}

void call_begin_silence(struct call *call)
{
    if (call->expiry != NULL) {
        return;
    }
    int64_t rest_ms = call_expires_at(call) - link_now_ms(call->link);
    call->expiry = world_after(call->link->world, rest_ms < 0 ? 0 : rest_ms,
                               call->request.watch ? watch_silence : call_expire, call);
}
