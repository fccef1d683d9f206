/* SPDX-License-Identifier: Apache-2.0 */
/* One life of the operator, from its start to its crash or its stop, on the real HTTP client. A
   crash is its end with no clean-up at all: the lease stays taken, and what was on the wire is
   nobody's. */
#ifndef ADJOINT_CRASH_MATRIX_INCARNATION_H
#define ADJOINT_CRASH_MATRIX_INCARNATION_H

#include "base/now.h"
#include "crash_matrix/interceptor.h"
#include "crash_matrix/lag.h"
#include "crash_matrix/scope.h"
#include "operator/operator.h"

struct incarnation {
    /* From the HTTP client to the operator. */
    struct scope scope;
    struct lag *lag;
    struct interceptor *interceptor;
    struct operator* op; /* NULL: none lives */
};

struct incarnation_options {
    int world, world_count;
    const char *lease_namespace, *lease_name;
    const char *identity;  /* new for each life */
    const char *late_kind; /* as in lag.h */
};

void incarnation_start(struct incarnation *life, struct transport transport,
                       const struct incarnation_options *options);
/* Also after a clean stop. None lives: nothing. */
void incarnation_end(struct incarnation *life);
bool incarnation_lives(const struct incarnation *life);

/* Unless it is killed already. Its mono_ms to be stepped again. */
int64_t incarnation_step(struct incarnation *life, struct now now);

#endif
