/* SPDX-License-Identifier: Apache-2.0 */
/* A whole operator before a fake API server, on virtual time. */
#ifndef ADJOINT_SUPPORT_OPERATOR_FIXTURE_H
#define ADJOINT_SUPPORT_OPERATOR_FIXTURE_H

#include "operator/operator.h"
#include "support/fake_api.h"

struct operator_fixture {
    struct fake_api *api;
    struct api_table *table; /* the API server's */
    struct operator* op;
    struct now now;
};

/* It has not taken a step yet. wall_ms of the beginning. */
void operator_fixture_init(struct operator_fixture *fixture, int64_t wall_ms);
void operator_fixture_release(struct operator_fixture *fixture);
/* The same for cmocka: at OBJECTS_WALL_MS, logging errors alone; *state is the fixture. */
int operator_fixture_set_up(void **state);
int operator_fixture_tear_down(void **state);

/* The process is killed and its successor starts: nothing is remembered. */
void operator_fixture_restart(struct operator_fixture *fixture);

/* Somebody else's write, JSON with ' for ". */
void operator_fixture_put(struct operator_fixture *fixture, const char *json);
/* Several, which end with NULL. */
void operator_fixture_put_all(struct operator_fixture *fixture, const char *const *objects);

/* Is it there, with this in its JSON? */
bool operator_fixture_has(const struct operator_fixture *fixture, enum object_kind kind,
                          const char *namespace, const char *name, const char *part);

/* To this mono_ms; nothing is stepped. */
void operator_fixture_advance(struct operator_fixture *fixture, int64_t mono_ms);
/* One step and all answers to it; false: nothing moved. */
bool operator_fixture_turn(struct operator_fixture *fixture);
/* Until nothing moves any more at this time; fails the test when that does not come. */
void operator_fixture_settle(struct operator_fixture *fixture);
/* Settles at each time the operator wants to be woken, until so much has passed. */
void operator_fixture_pass(struct operator_fixture *fixture, int64_t ms);
/* Until it leads and is in sync. */
void operator_fixture_lead(struct operator_fixture *fixture);

#endif
