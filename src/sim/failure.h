/* SPDX-License-Identifier: Apache-2.0 */
/* A refusal as a Status object says it (apimachinery meta/v1 types.go, api/errors): reasons and
   details are what clients decide by. */
#ifndef ADJOINT_SIM_FAILURE_H
#define ADJOINT_SIM_FAILURE_H

#include "sim/apiserver.h"
#include "sim/reply.h"

struct failure {
    int http_status;
    const char *reason;              /* NULL: none, as for the outermost filters' refusals */
    const char *message;             /* NULL: "" */
    const char *name, *group, *kind; /* details; NULL or "" are left out */
    const char *causes;              /* JSON array; NULL: none */
    int retry_after_s;               /* 0: none */
    const char *continue_token;      /* in the Status' metadata; NULL: none */
};

void failure_append(struct text *text, const struct failure *failure);
void failure_reply(struct route_reply *reply, const struct failure *failure);
/* 400 BadRequest with that message. */
void failure_bad_request(struct route_reply *reply, const char *message);
/* 422 Invalid of a request's options: kind as "ListOptions"; the cause names the field. reason: of
   the cause. */
void failure_invalid_option(struct route_reply *reply, const char *options_kind, const char *field,
                            const char *reason, const char *message);
/* What a verb refused; name: of the object, "" when it had none yet. */
void failure_of_outcome(struct route_reply *reply, const struct outcome *outcome,
                        const struct resource *resource, const char *name);

#endif
