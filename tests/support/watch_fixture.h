/* SPDX-License-Identifier: Apache-2.0 */
/* One watch, and what it said since it was last asked: "T:name " for each line, in which T is the
   type's first letter; "(" opened, ")" ended, "." settled. */
#ifndef ADJOINT_SUPPORT_WATCH_FIXTURE_H
#define ADJOINT_SUPPORT_WATCH_FIXTURE_H

#include "base/text.h"
#include "sim/watch.h"
#include "support/wire.h"

struct watch_fixture {
    struct wire *wire;
    struct watch *watch;
    struct text said, line;
    struct text raw; /* all bytes */
    int64_t lag_ms;  /* of lines from now on */
    struct route_reply refusal;
};

/* For cmocka's setup and teardown: *state is a struct watch_fixture. */
int watch_fixture_set_up(void **state);
int watch_fixture_tear_down(void **state);

/* false: refused, see refusal. */
bool watch_fixture_open_path(struct watch_fixture *fixture, const char *path, const char *accept);
/* Of dev's ConfigMaps, with that query. */
bool watch_fixture_open_maps(struct watch_fixture *fixture, const char *query);
void watch_fixture_open_since(struct watch_fixture *fixture, uint64_t revision, const char *query);
uint64_t watch_fixture_revision(const struct watch_fixture *fixture);

/* Lets so much time go by; fails the test unless exactly this was said. */
void watch_fixture_said(struct watch_fixture *fixture, int64_t after_ms, const char *expected);

#endif
