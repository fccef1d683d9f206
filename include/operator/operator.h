/* SPDX-License-Identifier: Apache-2.0 */
/* The op: connects the Kubernetes side (kube/) with the decisions (plan/). Every decision
   happens inside operator_step; sinks and replies only note what came. All state is in the API
   server: it can be ended at any instruction, and its successor goes on. */
#ifndef ADJOINT_OPERATOR_OPERATOR_H
#define ADJOINT_OPERATOR_OPERATOR_H

#include "base/entropy.h"
#include "base/now.h"
#include "base/time_zone.h"
#include "kube/informer.h"
#include "kube/lease.h"
#include "kube/transport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct operator;

struct operator_options {
    struct lease_options lease;
    struct informer_options informer;
    uint64_t seed;                 /* of back-off jitter and watch lengths */
    struct entropy entropy;        /* of passwords */
    struct time_zone_source zones; /* of schedules */
    bool events;                   /* tell people by Kubernetes Events, too */
};

/* The transport is borrowed and must outlive it. */
struct operator* operator_new(const struct operator_options *options, struct transport transport);
void operator_free(struct operator* op);

/* Everything that is due at now. A second step at the same now does nothing. */
void operator_step(struct operator* op, struct now now);
/* mono_ms, always later than the last step's now; NOW_NEVER: only when bytes come. */
int64_t operator_wake_at(const struct operator* op);

/* Stop cleanly: no new plans; what is on the wire is waited for; then the lease is given back.
   operator_stopped when done. */
void operator_stop(struct operator* op);
bool operator_stopped(const struct operator* op, struct now now);

/* What it is doing, for `adj plan`, tests and metrics. */
struct operator_facts {
    bool synced, leading;
    uint64_t plans, writes, failures;
    /* That nobody looks after any more, by what plan/sweep.h finds; of the leader, else 0. */
    size_t volumes_leaked;
};
struct operator_facts operator_facts(const struct operator* op, struct now now);
const struct store *operator_store(const struct operator* op);

#endif
