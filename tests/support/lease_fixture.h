/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate for a lease, called "us", with the durations of kube/lease.h, against a server that
   answers when a test says so. */
#ifndef ADJOINT_SUPPORT_LEASE_FIXTURE_H
#define ADJOINT_SUPPORT_LEASE_FIXTURE_H

#include "kube/lease.h"
#include "support/fake_leases.h"
#include "support/fake_transport.h"

/* Of the pause between two attempts, its jitter included. */
enum { LEASE_RETRY_MS_MIN = 1600, LEASE_RETRY_MS_MAX = 2400 };

struct lease_fixture {
    struct fake_transport *transport;
    struct client *client;
    struct fake_leases leases;
    struct lease *lease;
    int64_t mono_ms; /* 1000 at first; the wall clock is then at 2026-08-22T00:00:01Z */
};

/* As cmocka wants them; *state is the fixture. */
int lease_fixture_set_up(void **state);
int lease_fixture_tear_down(void **state);

struct now lease_fixture_now(const struct lease_fixture *fixture);
bool lease_fixture_held(const struct lease_fixture *fixture);

/* At mono_ms: client, lease, client. */
void lease_fixture_step(struct lease_fixture *fixture);
/* To the moment it wants to be woken at, which must not be later than this. */
void lease_fixture_wake(struct lease_fixture *fixture, int64_t within_ms);

struct fake_call *lease_fixture_running(struct lease_fixture *fixture);
enum method lease_fixture_method(struct lease_fixture *fixture); /* of the call that runs */
/* The server answers what runs, or it fails; then a step. */
void lease_fixture_answer(struct lease_fixture *fixture);
void lease_fixture_fail(struct lease_fixture *fixture, enum error_class class);

/* From the beginning to holding a lease that was missing. */
void lease_fixture_take_it(struct lease_fixture *fixture);

#endif
