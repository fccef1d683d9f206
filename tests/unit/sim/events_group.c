/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/events_group.h"

#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define EVENTS "/apis/events.k8s.io/v1/namespaces/dev/events"
#define CORE_EVENT "/api/v1/namespaces/dev/events/alice.1"
#define EVENT                                                                                      \
    "{'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'alice.1',"                \
    "'namespace':'dev'},'eventTime':'2026-08-22T10:00:00.000000Z','action':'Ready',"               \
    "'reason':'Waiting','type':'Normal','note':'first in line','reportingController':"             \
    "'adjoint.dev/operator','reportingInstance':'us','regarding':{'kind':'Instance',"              \
    "'namespace':'dev','name':'alice','uid':'u'}}"

static void what_is_written_there_is_a_core_event(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS, EVENT), 201);
    assert_int_equal(wire_get(wire, CORE_EVENT), 200);
    wire_assert_has(wire, "'apiVersion':'v1'");
    wire_assert_has(wire, "'message':'first in line'");
    wire_assert_has(wire, "'reportingComponent':'adjoint.dev/operator'");
    assert_string_equal(wire_text(wire, "note"), "");
    assert_int_equal(
        wire_get(wire, "/api/v1/namespaces/dev/events?fieldSelector=involvedObject.name%3Dalice"),
        200);
    assert_string_equal(wire_names(wire), "alice.1");
}

static void it_becomes_a_series(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS, EVENT), 201);
    assert_int_equal(wire_ask(wire, METHOD_PATCH, EVENTS "/alice.1",
                              "{'series':{'count':2,'lastObservedTime':"
                              "'2026-08-22T10:01:00.000000Z'}}"),
                     200);
    assert_int_equal(wire_get(wire, CORE_EVENT), 200);
    wire_assert_has(wire, "'series':{'count':2,");
}

static void a_table_says_when_it_was_seen(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS, EVENT), 201);
    assert_int_equal(wire_send(wire, METHOD_GET, "/api/v1/namespaces/dev/events", NULL,
                               "application/json;as=Table;v=v1;g=meta.k8s.io", NULL),
                     200);
    wire_assert_has(wire, "'cells':['0s','Normal','Waiting','instance/alice',"
                          "'first in line'");
}

static void what_makes_no_sense_is_refused_as_elsewhere(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS, "[]"), 400);
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS, "{"), 400);
    assert_int_equal(wire_ask(wire, METHOD_POST, EVENTS,
                              "{'metadata':{'name':'a'},'regarding':{'namespace':'other'}}"),
                     422);
    assert_int_equal(wire_get(wire, EVENTS), 404);
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(what_is_written_there_is_a_core_event),
        WITH_WIRE(it_becomes_a_series),
        WITH_WIRE(a_table_says_when_it_was_seen),
        WITH_WIRE(what_makes_no_sense_is_refused_as_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
