/* SPDX-License-Identifier: Apache-2.0 */
/* One planning of a Pool, and what its status then says. */
#ifndef ADJOINT_SRC_PLAN_POOL_STATUS_H
#define ADJOINT_SRC_PLAN_POOL_STATUS_H

#include "plan/pool.h"

struct pool_turn {
    struct plan *plan;
    const struct pool_observation *seen;
    bool deleting;
    struct golden golden;
    int64_t wanted;                /* clones, warm and coming */
    const struct object *stuck;    /* a holding PVC that has waited too long; NULL */
    const struct object *misbound; /* a holding PVC whose volume is no clone made for it; NULL */
    struct pool next;              /* the status to be */
};

/* Adds the status patch when it differs from what is there. */
void pool_status_plan(struct pool_turn *turn);

#endif
