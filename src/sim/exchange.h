/* SPDX-License-Identifier: Apache-2.0 */
/* One request to a resource, with all that was read from it, and the reply to be. */
#ifndef ADJOINT_SIM_EXCHANGE_H
#define ADJOINT_SIM_EXCHANGE_H

#include "kube/transport.h"
#include "sim/rendering.h"
#include "sim/reply.h"
#include "sim/target.h"

struct exchange {
    struct apiserver *server;
    const char *user;
    const struct request *request;
    const struct url *url;
    struct target target;
    struct rendering rendering;
    struct route_reply *out;
};

/* Each fills in the reply. */
void exchange_read(struct exchange *exchange);
void exchange_create(struct exchange *exchange);
void exchange_update(struct exchange *exchange);
void exchange_patch(struct exchange *exchange);
void exchange_delete(struct exchange *exchange);
void exchange_delete_collection(struct exchange *exchange);

/* ---- for the files of these ---- */
/* The namespace as verbs want it. */
const char *exchange_namespace(const struct exchange *exchange);
/* What a verb said: the object in the form that was asked for, or the refusal. */
void exchange_reply(struct exchange *exchange, const struct outcome *outcome, const char *name);

#endif
