/* SPDX-License-Identifier: Apache-2.0 */
/* One call and its present transfer. A call that is tried again gets a new transfer. */
#ifndef ADJOINT_IO_HTTP_CALL_H
#define ADJOINT_IO_HTTP_CALL_H

#include "base/arena.h"
#include "io/http_client.h"
#include "io/http_connections.h"
#include "io/http_endpoint.h"
#include "kube/transport.h"

enum http_call_state {
    HTTP_CALL_WAITING, /* for credentials */
    HTTP_CALL_RUNNING,
    HTTP_CALL_ENDING, /* `error` is to be told in the next turn of the loop */
};

struct call {
    struct call *next, **link; /* the client's list; link points at what points here */
    const struct http_client_options *options;
    const struct loop *loop;
    struct arena arena; /* the request's copies */
    struct request request;
    struct sink sink;
    enum http_call_state state;
    int64_t due_ms; /* mono_ms of its deadline; a watch's moves with each byte */
    struct error error;

    uint64_t generation;    /* of the credentials it was sent with */
    bool refreshed;         /* they were read again for it, after a 401 */
    int send_count;         /* since then */
    bool on_new_connection; /* must be, from the second try on */

    /* The transfer; NULL outside of HTTP_CALL_RUNNING. */
    CURL *easy;
    struct http_endpoint *endpoint;       /* held; NULL for a watch */
    struct http_connections *connections; /* borrowed; NULL once the transfer has left them */
    const char *server;
    struct curl_slist *headers, *routes;
    bool made_socket;   /* else it is on a kept connection */
    bool was_held_back; /* which was not good enough: not sent there */
    char reason[CURL_ERROR_SIZE];
    int http_status; /* 0: no status line yet */
    int64_t retry_after_ms;
};

/* Copies request; options and loop are borrowed. In no list, HTTP_CALL_WAITING. */
struct call *http_call_new(const struct request *request, struct sink sink,
                           const struct http_client_options *options, const struct loop *loop);
/* Stops the transfer, too. */
void http_call_free(struct call *call);

/* Starts a transfer among connections. ERROR_UNAUTHORIZED for credentials that cannot be sent. */
MUST_CHECK bool http_call_run(struct call *call, const struct credential_set *set,
                              struct http_endpoint *endpoint, struct http_connections *connections,
                              struct error *error);

/* Both give the transfer's outcome and drop it: one that has left its connections by itself, and
   one that is to be stopped. */
void http_call_judge_end(struct call *call, CURLcode result, struct error *out_error);
void http_call_judge_deadline(struct call *call, struct error *out_error);

/* Drops the transfer, which has left its connections, for the next one. */
void http_call_forget_transfer(struct call *call);

/* The reply was a 401 that the sink has not seen: it will get that of one more try. */
bool http_call_wants_refresh(const struct call *call);
/* It was held back, or it is a GET whose connection closed before the status line, for the first
   time. */
bool http_call_wants_resend(const struct call *call, CURLcode result);

#endif
