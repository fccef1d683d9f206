/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the API server share; for them alone. */
#ifndef ADJOINT_SRC_SIM_APISERVER_STATE_H
#define ADJOINT_SRC_SIM_APISERVER_STATE_H

#include "sim/apiserver.h"
#include "sim/outcome.h"
#include "sim/value.h"

#include <stddef.h>

struct custom; /* sim/definitions.c: a resource that a CustomResourceDefinition brought */

struct write_listener {
    void (*seen)(void *self, const struct write_seen *write);
    void *self;
};

struct apiserver {
    struct world *world;
    struct objects *objects;
    struct custom **customs; /* never shorter: records point into them */
    size_t custom_count;
    struct write_listener *listeners;
    size_t listener_count;
    struct webhook *webhooks;
    size_t webhook_count;
    uint32_t address_next; /* the host part of the next Service's address */
};

/* One create or update on its way through the rules. */
struct write {
    struct apiserver *server;
    const struct resource *resource;
    const char *namespace; /* "" for none */
    const char *name;      /* of an update; of a create once it is known */
    const struct verb_options *options;
    const struct record *before; /* kept while the write lasts; NULL: a create */
    cJSON *value;                /* what is to be */
    struct outcome *outcome;
};

/* The world's wall clock as metav1.Time, and some seconds later. */
void apiserver_stamp(const struct apiserver *server, int64_t later_s, char out[32]);

#endif
