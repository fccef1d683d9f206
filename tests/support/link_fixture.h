/* SPDX-License-Identifier: Apache-2.0 */
/* A link to a simulated API server, with faults that a test sets and calls that remember what their
   sinks were told. Fails the test when a sink is called from inside start() or cancel(). */
#ifndef ADJOINT_SUPPORT_LINK_FIXTURE_H
#define ADJOINT_SUPPORT_LINK_FIXTURE_H

#include "base/text.h"
#include "sim/link.h"
#include "support/wire.h"

enum { LINK_FIXTURE_ONE_WAY_MS = 10, LINK_FIXTURE_DEADLINE_MS = 1000, LINK_FIXTURE_CALLS_MAX = 8 };

/* What a call's sink was told, in order: "200 " head, "12b " bytes, "end Class ". */
struct heard {
    struct link_fixture *fixture;
    struct call *call;
    struct text text, body;
    int64_t retry_after_ms;
};

struct link_fixture {
    struct wire *wire;
    struct link *link;
    struct heard heard[LINK_FIXTURE_CALLS_MAX];
    size_t call_count;
    bool is_starting; /* inside start() or link_fixture_cancel() */
    int woken_count;
    void (*when_woken)(struct link_fixture *fixture);

    enum link_fate arriving_fate, answered_fate;
    struct link_refusal refusal;
    struct text asked; /* what the faults were asked: "PATCH w 200 " */
    int64_t watch_lag_ms;
};

/* For cmocka's setup and teardown: *state is a struct link_fixture. */
int link_fixture_set_up(void **state);
int link_fixture_tear_down(void **state);

struct heard *link_fixture_begin_get(struct link_fixture *fixture, const char *path);
/* A POST of a ConfigMap "a" in dev; query: "" or "?...". */
struct heard *link_fixture_begin_post(struct link_fixture *fixture, const char *query);
/* Of dev's ConfigMaps, with 90 s of silence at most; query: "" or "&...". */
struct heard *link_fixture_begin_watch(struct link_fixture *fixture, const char *query);
void link_fixture_cancel(struct link_fixture *fixture, struct heard *heard);

void link_fixture_run(struct link_fixture *fixture, int64_t for_ms);
/* Lets so much time go by; fails the test unless exactly this was heard since the last time. */
void link_fixture_heard(struct link_fixture *fixture, struct heard *heard, int64_t after_ms,
                        const char *expected);
bool link_fixture_map_exists(struct link_fixture *fixture); /* "a" */

#endif
