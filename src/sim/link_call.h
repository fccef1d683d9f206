/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a link, from start() to its end. For the link's files alone. */
#ifndef ADJOINT_SIM_LINK_CALL_H
#define ADJOINT_SIM_LINK_CALL_H

#include "sim/link.h"
#include "sim/reply.h"
#include "sim/watch.h"

struct link {
    struct apiserver *server;
    struct world *world;
    struct link_options options;
    const struct link_faults *faults; /* NULL: none */
    void (*woken)(void *self);
    void *self;
    struct random random;
    struct call *calls; /* newest first */
    uint64_t request_count;
    int64_t cut_until_ms;
};

struct call {
    struct call *next, *previous;
    struct link *link;
    struct sink sink;
    bool is_deaf; /* the client is through with it */
    struct request request;
    struct link_request seen;                         /* by the faults */
    int64_t last_byte_ms;                             /* the deadline of a watch counts from it */
    struct world_event *arrival, *departure, *expiry; /* NULL: none */
    struct watch *watch;
    struct route_reply reply;
    bool is_torn;          /* the reply ends in its middle */
    enum error_class end;  /* what the client will hear, and in which words */
    const char *end_words; /* static */
};

struct call *call_new(struct link *link, const struct request *request, struct sink sink);
void call_free(struct call *call); /* says nothing to anybody */

int64_t link_now_ms(const struct link *link);
int64_t link_latency(struct link *link);
/* The last thing in an event: the owner may free the link. */
void link_wake(struct link *link);

/* How calls go on once they have arrived. Each may end the call or do so later; the caller does
   nothing more with it. */
/* What is in the call (reply, end) reaches the client one latency later, or too late. */
void call_send_back(struct call *call);
void call_refuse(struct call *call, const struct link_refusal *refusal);
void call_lose(struct call *call, bool is_torn);
void call_mute(struct call *call); /* the client will find out by its deadline */
void call_turn_away(struct call *call);
/* The client hears call->end now; the call lives on only if it has yet to arrive. */
void call_finish(struct call *call);
/* The connection breaks now; the client hears of it in an event of its own. */
void call_cut(struct call *call);

void call_arm_expiry(struct call *call);
void call_expire(void *self);
int64_t call_expires_at(const struct call *call);

/* ---- link_stream.c ---- */
/* false: no watch, and the call's reply says why. */
bool call_open_watch(struct call *call);
/* From now on silence ends it. */
void call_begin_silence(struct call *call);

#endif
