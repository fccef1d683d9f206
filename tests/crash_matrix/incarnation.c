/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/incarnation.h"

#include "support/test_entropy.h"
#include "support/test_zones.h"

/* A successor must not take most of a cell's time; a renewal may still take half a second on a busy
   machine. */
static const struct lease_options lease_times = {
    .duration_ms = 1500, .renew_ms = 1200, .retry_ms = 200, .attempt_ms = 600};

enum { LATE_MS = 1000 }; /* a claim is over in less */

void incarnation_start(struct incarnation *life, struct transport transport,
                       const struct incarnation_options *options)
{
    struct operator_options chosen = {
        .lease = lease_times,
        .informer = informer_options_default,
        .seed = 1,
        .entropy = test_entropy(),
        .zones = test_zones(),
    };
    chosen.lease.namespace = options->lease_namespace;
    chosen.lease.name = options->lease_name;
    chosen.lease.identity = options->identity;
    chosen.informer.backoff_ms_max = 2000;
    for (const char *at = options->identity; *at != '\0'; at++) {
        chosen.seed = chosen.seed * 31 + (unsigned char)*at;
    }
    scope_init_world(&life->scope, transport, options->world, options->world_count);
    life->lag = lag_new(scope_transport(&life->scope), options->late_kind, LATE_MS);
    life->interceptor = interceptor_new(lag_transport(life->lag));
    life->op = operator_new(&chosen, interceptor_transport(life->interceptor));
}

void incarnation_end(struct incarnation *life)
{
    if (!incarnation_lives(life)) {
        return;
    }
    operator_free(life->op);
    interceptor_free(life->interceptor);
    lag_free(life->lag);
    scope_release(&life->scope);
    *life = (struct incarnation){.op = NULL};
}

bool incarnation_lives(const struct incarnation *life)
{
    return life->op != NULL;
}

int64_t incarnation_step(struct incarnation *life, struct now now)
{
    if (!incarnation_lives(life) || interceptor_killed(life->interceptor)) {
        return NOW_NEVER;
    }
    lag_step(life->lag, now);
    operator_step(life->op, now);
    return operator_wake_at(life->op);
}
