/* SPDX-License-Identifier: Apache-2.0 */
/* kube/transport.h in memory: requests of one client reach the simulated API server after a delay,
   their replies come back after another, watches are fed with a lag, all as events of the world.
   This is also where a client's requests meet faults: before they are applied, after, or on the
   way back. Error classes are those that kube/transport.h promises. */
#ifndef ADJOINT_SIM_LINK_H
#define ADJOINT_SIM_LINK_H

#include "kube/transport.h"
#include "sim/world.h"

struct apiserver;
struct link;

/* What is to happen to one request. The link asks at two moments: as it arrives at the server, and
   when it was applied and the reply would leave. */
enum link_fate {
    LINK_PASS,
    LINK_REFUSE,      /* answered with the refusal. At arrival: not applied; after: applied, and the
                         client is told otherwise */
    LINK_UNREACHABLE, /* at arrival only: no connection, ERROR_UNAVAILABLE, not applied */
    LINK_LOST,        /* at arrival: not applied; after: applied. Either way the client sees its
                         connection end (ERROR_UNKNOWN for writes, ERROR_TIMEOUT for reads) */
    LINK_TORN,        /* after only: as LINK_LOST, when head and half of the body have come */
    LINK_MUTE,        /* as LINK_LOST, but the client finds out by its deadline */
};

struct link_refusal {
    int http_status;     /* 401, 403, 409, 410, 422, 429, 500, 503, 504... */
    int retry_after_s;   /* 0: no header */
    const char *reason;  /* of the Status; NULL: none */
    const char *message; /* of the Status; NULL: a general one */
};

struct link_request {
    enum method method;
    const char *path, *body;             /* body NULL: none */
    bool is_watch, is_write, is_dry_run; /* a write with dryRun=All is no write */
    uint64_t number;                     /* of this link's requests, from 1, in order of start() */
};

struct link_faults {
    enum link_fate (*arriving)(void *self, const struct link_request *request,
                               struct link_refusal *out_refusal);
    /* http_status: what the server answered; of a watch 200, before its first line. */
    enum link_fate (*answered)(void *self, const struct link_request *request, int http_status,
                               struct link_refusal *out_refusal);
    /* Added to an event's way to the client, for the watch of path. */
    int64_t (*watch_lag_ms)(void *self, const char *path);
    void *self;
};

struct link_options {
    const char *user;          /* who its requests are from; a literal */
    int64_t least_ms, most_ms; /* one way */
};

/* Faults may be NULL, as may each of its functions: none. Borrowed; they may not touch the link.
   woken(self) is called when bytes came or a call ended, so that its owner steps the client; it is
   the last thing in an event of the world, and may start and cancel calls or free the link. */
struct link *link_new(struct apiserver *server, const struct link_options *options,
                      const struct link_faults *faults, void (*woken)(void *self), void *self);
void link_free(struct link *link); /* all its calls are over, as when its process died: what has
                                      arrived at the server was applied, what had not, was not */

/* start() and cancel() never call a sink. A write that is cancelled while on its way arrives
   nevertheless: it was sent. */
struct transport link_transport(struct link *link);

/* The server is away: all watches break off, replies on their way are lost, and what arrives before
   mono_ms finds no server. */
void link_cut(struct link *link, int64_t until_ms);

/* The server gives up on all watches: each gets an ERROR event with that Status, and ends. */
void link_fail_watches(struct link *link, const struct link_refusal *refusal);

/* How latency and watch lag are drawn from now on (a slow network, a slow server). */
void link_set_latency(struct link *link, int64_t least_ms, int64_t most_ms);

size_t link_in_flight(const struct link *link); /* calls that have not ended, watches too */

#endif
