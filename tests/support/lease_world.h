/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates against each other on one server, in virtual time: clocks that disagree, requests and
   replies that are late or lost (a request may be late and still be carried out), an API server
   that stalls, processes that freeze, die, or leave. A test fails when two hold the lease at one
   instant. */
#ifndef ADJOINT_SUPPORT_LEASE_WORLD_H
#define ADJOINT_SUPPORT_LEASE_WORLD_H

#include "base/random.h"
#include "kube/lease.h"
#include "support/fake_leases.h"
#include "support/fake_transport.h"

enum { LEASE_CANDIDATE_COUNT_MAX = 3, LEASE_MESSAGE_COUNT_MAX = 64, LEASE_TICK_MS = 10 };

struct lease_candidate {
    struct fake_transport *transport;
    struct client *client;
    struct lease *lease;
    int64_t mono_offset_ms, wall_offset_ms;
    int64_t frozen_until_ms;
    size_t seen_count; /* of its calls */
    int life;          /* part of its identity */
};

/* A request on its way, until it is carried out and its caller has heard of it. */
struct lease_message {
    struct lease_candidate *candidate; /* NULL: free */
    struct fake_call *call;            /* NULL: the caller has given up, or died */
    struct request request;
    int64_t arrives_ms; /* NOW_NEVER: lost, or carried out */
    int64_t replies_ms; /* NOW_NEVER: lost */
    int64_t deadline_ms;
    int http_status; /* 0: not carried out yet */
    char body[1024];
};

struct lease_world {
    struct random random;
    int64_t now_ms;
    int64_t renew_ms;
    int lost_percent;
    int delay_ms_max;
    int64_t stalled_until_ms; /* the server carries out nothing */
    struct fake_leases leases;
    struct lease_candidate candidates[LEASE_CANDIDATE_COUNT_MAX];
    size_t candidate_count;
    struct lease_message messages[LEASE_MESSAGE_COUNT_MAX];
    size_t message_count;                /* of those places that were ever used */
    struct fake_transport *graves[1000]; /* calls of the dead may still arrive */
    size_t grave_count;
};

void lease_world_init(struct lease_world *world, uint64_t seed, size_t candidate_count,
                      int64_t renew_ms);
void lease_world_release(struct lease_world *world);

/* What a candidate's clocks show. */
struct now lease_world_now(const struct lease_world *world,
                           const struct lease_candidate *candidate);
bool lease_world_chance(struct lease_world *world, int per_10000);
int64_t lease_world_below(struct lease_world *world, int64_t bound);

/* A new process in this place, with new clocks and a new identity; and its sudden end. */
void lease_world_bear(struct lease_world *world, struct lease_candidate *candidate);
void lease_world_end(struct lease_world *world, struct lease_candidate *candidate);

void lease_world_run_for(struct lease_world *world, int64_t duration_ms);
/* Who holds it; NULL: nobody. */
struct lease_candidate *lease_world_holder(struct lease_world *world);
/* Until somebody holds it, which must be within this time. */
struct lease_candidate *lease_world_run_until_held(struct lease_world *world, int64_t within_ms);

#endif
