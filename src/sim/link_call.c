/* SPDX-License-Identifier: Apache-2.0 */
/* A call goes through at most two events of the world, its arrival at the server and its reply;
   millions of them are made in a night of simulations, so a deadline becomes an event only when it
   is known that it will be missed. A watch has one that is moved on when it finds that bytes came.

   A client may be through with a call that has not arrived yet (cancelled, or out of time): the
   call then lives on without a sink until it has been applied. */
#include "sim/link_call.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/failure.h"
#include "sim/route.h"

#include <string.h>

int64_t link_now_ms(const struct link *link)
{
    return world_now(link->world).mono_ms;
}

int64_t link_latency(struct link *link)
{
    uint64_t spread = (uint64_t)(link->options.most_ms - link->options.least_ms) + 1;
    return link->options.least_ms + (int64_t)random_below(&link->random, spread);
}

static const char *place(char **at, const char *text, size_t length)
{
    if (text == NULL) {
        return NULL;
    }
    char *copy = *at;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *at += length + 1;
    return copy;
}

static size_t length_of(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

/* One block: the call, then its texts. */
struct call *call_new(struct link *link, const struct request *request, struct sink sink)
{
    size_t path = length_of(request->path);
    size_t type = length_of(request->content_type);
    size_t accept = length_of(request->accept);
    size_t body = request->body == NULL ? 0 : request->body_bytes;
    struct call *call = memory_new(1, sizeof(*call) + path + type + accept + body + 4);
    char *at = (char *)(call + 1);
    call->link = link;
    call->sink = sink;
    call->request = *request;
    call->request.path = place(&at, request->path, path);
    call->request.content_type = place(&at, request->content_type, type);
    call->request.accept = place(&at, request->accept, accept);
    call->request.body = place(&at, request->body, body);
    call->last_byte_ms = link_now_ms(link);
    bool is_dry_run = strstr(request->path, "dryRun=All") != NULL;
    call->seen = (struct link_request){
        .method = request->method,
        .path = call->request.path,
        .body = call->request.body,
        .is_watch = route_is_watch(&call->request),
        .is_write = request->method != METHOD_GET && !is_dry_run,
        .is_dry_run = is_dry_run,
        .number = ++link->request_count,
    };
    call->next = link->calls;
    if (link->calls != NULL) {
        link->calls->previous = call;
    }
    link->calls = call;
    return call;
}

static void drop(struct link *link, struct world_event **event)
{
    if (*event != NULL) {
        world_cancel(link->world, *event);
        *event = NULL;
    }
}

void call_free(struct call *call)
{
    struct link *link = call->link;
    *(call->previous == NULL ? &link->calls : &call->previous->next) = call->next;
    if (call->next != NULL) {
        call->next->previous = call->previous;
    }
    drop(link, &call->arrival);
    drop(link, &call->departure);
    drop(link, &call->expiry);
    watch_close(call->watch);
    route_reply_release(&call->reply);
    memory_free(call);
}

/* ---- ends ---- */

static void break_off(struct call *call, const char *how)
{
    call->end = call->request.method == METHOD_GET ? ERROR_TIMEOUT : ERROR_UNKNOWN;
    call->end_words = how;
}

/* The last thing in an event: the owner may free the link. */
void link_wake(struct link *link)
{
    if (link->woken != NULL) {
        link->woken(link->self);
    }
}

/* The client hears call->end; the call lives on only until it has arrived. */
void call_finish(struct call *call)
{
    struct link *link = call->link;
    struct sink sink = call->sink;
    struct error end = {.class = call->end};
    if (call->end != ERROR_NONE) {
        error_set(&end, call->end, "%s: %s", method_name(call->request.method), call->end_words);
    }
    bool was_deaf = call->is_deaf;
    call->is_deaf = true;
    if (call->arrival == NULL) {
        call_free(call);
    }
    if (!was_deaf) {
        sink.end(sink.self, &end);
        link_wake(link);
    }
}

void call_expire(void *self)
{
    struct call *call = self;
    call->expiry = NULL;
    break_off(call, "sent, but nothing came within the deadline");
    call_finish(call);
}

int64_t call_expires_at(const struct call *call)
{
    return call->last_byte_ms + call->request.deadline_ms;
}

/* The client will find out by its deadline. */
void call_arm_expiry(struct call *call)
{
    if (call->expiry == NULL) {
        int64_t rest_ms = call_expires_at(call) - link_now_ms(call->link);
        call->expiry = world_after(call->link->world, rest_ms < 0 ? 0 : rest_ms, call_expire, call);
    }
}

/* ---- replies ---- */

static void say_reply(struct call *call)
{
    struct sink sink = call->sink;
    const struct route_reply *reply = &call->reply;
    if (reply->http_status == 0 || call->is_deaf) {
        return;
    }
    size_t byte_count = call->is_torn ? reply->body_bytes / 2 : reply->body_bytes;
    sink.head(sink.self, reply->http_status, (int64_t)reply->retry_after_s * 1000);
    if (byte_count > 0) {
        sink.bytes(sink.self, reply->body, byte_count);
    }
}

static void depart(void *self)
{
    struct call *call = self;
    call->departure = NULL;
    say_reply(call);
    call_finish(call);
}

/* What is in the call (reply, end) reaches the client one latency later, or too late. */
void call_send_back(struct call *call)
{
    struct link *link = call->link;
    if (call->is_deaf) {
        call_free(call);
        return;
    }
    int64_t delay_ms = link_latency(link);
    if (!call->request.watch && link_now_ms(link) + delay_ms > call_expires_at(call)) {
        call_arm_expiry(call);
    } else {
        call->departure = world_after(link->world, delay_ms, depart, call);
    }
}

void call_refuse(struct call *call, const struct link_refusal *refusal)
{
    route_reply_release(&call->reply);
    failure_reply(&call->reply, &(struct failure){
                                    .http_status = refusal->http_status,
                                    .reason = refusal->reason,
                                    .message = refusal->message == NULL ? "refused by the server"
                                                                        : refusal->message,
                                    .retry_after_s = refusal->retry_after_s,
                                });
    call_send_back(call);
}

void call_lose(struct call *call, bool is_torn)
{
    break_off(call, "sent, then the connection closed");
    call->is_torn = is_torn;
    if (!is_torn) {
        route_reply_release(&call->reply);
    }
    call_send_back(call);
}

void call_mute(struct call *call)
{
    if (call->is_deaf) {
        call_free(call);
    } else {
        call_arm_expiry(call);
    }
}

void call_turn_away(struct call *call)
{
    call->end = ERROR_UNAVAILABLE;
    call->end_words = "no connection to the server";
    call_finish(call);
}

void call_cut(struct call *call)
{
    struct link *link = call->link;
    watch_close(call->watch);
    call->watch = NULL;
    drop(link, &call->departure);
    drop(link, &call->expiry);
    break_off(call, "sent, then the connection closed");
    route_reply_release(&call->reply);
    call->departure = world_after(link->world, 0, depart, call);
}
