/* SPDX-License-Identifier: Apache-2.0 */
/* Single requests: queues them, keeps at most LIMIT_REQUESTS_IN_FLIGHT on the wire (more urgent
   ones first), gathers the reply, and turns it into an error class (base/error.h). It re-sends
   nothing by itself: what happens next is the caller's decision. Replies are handed over by
   client_step, never from inside a sink. */
#ifndef ADJOINT_KUBE_CLIENT_H
#define ADJOINT_KUBE_CLIENT_H

#include "base/now.h"
#include "kube/transport.h"

struct client;

/* URGENT may take all places on the wire, NORMAL starts while fewer than half are taken, LATER
   while fewer than a quarter are: lease renewals and claims must not wait for slow requests of
   others. */
enum client_priority { CLIENT_URGENT, CLIENT_NORMAL, CLIENT_LATER, CLIENT_PRIORITY_COUNT };

struct reply {
    struct error error; /* class ERROR_NONE: 2xx */
    int http_status;    /* 0: none came */
    const char *body;   /* borrowed, NUL-terminated; "" if none */
    size_t body_bytes;
    int64_t elapsed_ms; /* from being put on the wire */
};

/* The request is copied; it is no watch. json_patch_tests: the body is a JSON patch with `test`
   operations, so that a 422 can be ERROR_TEST_FAILED. done is called once, unless the client is
   freed first or client_forget(self) is called. */
void client_send(struct client *client, const struct request *request,
                 enum client_priority priority, bool json_patch_tests,
                 void (*done)(void *self, const struct reply *reply), void *self);

/* Asked right before a request goes on the wire; false: it ends with ERROR_UNAVAILABLE instead,
   surely not sent. NULL: all may. */
void client_set_gate(struct client *client,
                     bool (*may_start)(void *self, const struct request *request, struct now now),
                     void *self);

/* Calls of this self will not be told: what waits is dropped, what is on the wire goes on. */
void client_forget(struct client *client, const void *self);

struct client *client_new(struct transport transport, size_t body_bytes_max);
void client_free(struct client *client); /* cancels all */

/* Hands over the replies that came, then starts what waits. Replies' done may call client_send. */
void client_step(struct client *client, struct now now);
/* true: client_step has something to do now. */
bool client_due(const struct client *client);
size_t client_in_flight(const struct client *client); /* waiting ones included */

/* How many calls of a method have ended so, ever: for metrics. Lists and watches of informers are
   not among them. */
struct client_tally {
    enum method method;
    int http_status; /* 0: no reply came */
    uint64_t count;
};
size_t client_tallies(const struct client *client, const struct client_tally **out_tallies);

/* The class of a reply by its HTTP status and Status body (reason, details); the error's message is
   the Status' own. 2xx: ERROR_NONE. Retry-After counts up to five minutes. Pure; for those who read
   replies by themselves. */
void reply_classify(enum method method, int http_status, int64_t retry_after_ms, const char *body,
                    size_t body_bytes, bool json_patch_tests, struct error *error);

#endif
