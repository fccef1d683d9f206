/* SPDX-License-Identifier: Apache-2.0 */
/* The client of a controller in the same process: a request waits for a token of the client's rate
   limit, is applied when it has reached the server, and is answered one latency later.
   Rate limit: client-go's, a bucket that fills by so many a second up to the burst; who finds it
   empty reserves the next token and waits for it. */
#ifndef ADJOINT_SIM_CALLER_H
#define ADJOINT_SIM_CALLER_H

#include "sim/apiserver.h"
#include "sim/simulation.h"

struct caller;

struct caller_options {
    const char *actor;                /* user name; a literal, also its random stream's */
    int64_t requests_a_second, burst; /* 0: no limit */
    const struct span *latency;       /* one way; borrowed, read at each request */
};

struct caller *caller_new(struct apiserver *server, const struct caller_options *options);
/* Requests on the way are dropped, nobody is answered: as when the process dies. What had reached
   the server was applied. */
void caller_free(struct caller *caller);

/* outcome is borrowed for the call. NULL: nobody wants to know. */
struct answer {
    void (*done)(void *self, const struct outcome *outcome);
    void *self;
};

/* Names are copied, value is taken, subresource is a literal (NULL: none). */
void caller_get(struct caller *caller, const struct resource *resource, const char *namespace,
                const char *name, struct answer answer);
void caller_create(struct caller *caller, const struct resource *resource, const char *namespace,
                   cJSON *value, struct answer answer);
/* resource and names are the record's; value carries the resourceVersion it is based on. */
void caller_update(struct caller *caller, const struct record *record, const char *subresource,
                   cJSON *value, struct answer answer);
void caller_patch(struct caller *caller, const struct record *record, const char *subresource,
                  enum patch_type type, cJSON *patch, struct answer answer);
/* propagation: a literal; NULL: the kind's default. uid: precondition, copied; NULL: none. */
void caller_delete(struct caller *caller, const struct resource *resource, const char *namespace,
                   const char *name, const char *propagation, const char *uid,
                   struct answer answer);
/* A read of the caller's own: look(self) runs when the request is at the server, done(self) when
   the reply is back, with an outcome of 200 and no record. */
void caller_look(struct caller *caller, void (*look)(void *self), struct answer answer);

#endif
