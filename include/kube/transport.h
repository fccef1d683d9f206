/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to the API server. io/http_client implements it with libcurl, the simulator in memory.
   A call is one request and its reply; a watch is a call whose bytes keep coming. Server address,
   TLS and credentials are the transport's business: a 401 is retried there once with credentials
   read again, so a sink sees 401 only when that did not help. */
#ifndef ADJOINT_KUBE_TRANSPORT_H
#define ADJOINT_KUBE_TRANSPORT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum method { METHOD_GET, METHOD_POST, METHOD_PUT, METHOD_PATCH, METHOD_DELETE };

struct request {
    enum method method;
    const char *path;         /* begins with '/', carries its query, already percent-encoded */
    const char *content_type; /* NULL: no body */
    const char *accept;       /* NULL: application/json */
    const char *body;         /* NULL: none */
    size_t body_bytes;
    /* A watch has a connection of its own and no deadline for the whole: deadline_ms is then the
       longest silence between two bytes. For other calls it bounds the whole call. > 0. */
    bool watch;
    bool list; /* a watch follows: it takes over this call's connection */
    int64_t deadline_ms;
};

/* Called from the transport's loop, never from inside start() or cancel(). `end` comes exactly
   once, last, unless the call was cancelled; after it the call no longer exists.
   None of them may start or cancel a call. */
struct sink {
    /* The reply's status line was read. retry_after_ms: 0 without the header. */
    void (*head)(void *self, int http_status, int64_t retry_after_ms);
    void (*bytes)(void *self, const char *bytes, size_t byte_count);
    /* class ERROR_NONE: the reply came whole, whatever its status. Otherwise:
       ERROR_UNAVAILABLE   surely not processed (no connection, TLS refused, not sent)
       ERROR_UNKNOWN       a write (not GET) was sent, its reply did not come whole
       ERROR_TIMEOUT       a GET or watch was sent and ran into its deadline or broke off
       ERROR_UNAUTHORIZED  no credentials could be had
       ERROR_LIMIT, ERROR_SYSTEM */
    void (*end)(void *self, const struct error *error);
    void *self;
};

struct call;

struct transport {
    /* Everything in request is copied or used up before start returns. Never NULL: what cannot be
       started ends through the sink. */
    struct call *(*start)(void *self, const struct request *request, struct sink sink);
    /* The sink is not called again. */
    void (*cancel)(void *self, struct call *call);
    void *self;
};

const char *method_name(enum method method);

#endif
