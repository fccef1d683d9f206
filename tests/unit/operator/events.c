/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/events.h"

#include "support/fake_transport.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TYPED(type, status, reason, message)                                                       \
    "{'type':'" type "','status':'" status "','reason':'" reason "','message':'" message           \
    "','lastTransitionTime':'2026-08-22T10:00:00Z'}"
#define CONDITION(status, reason, message) TYPED("Ready", status, reason, message)
#define INSTANCE(phase, condition)                                                                 \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'u','resourceVersion':'7'},'spec':{"      \
    "'pool':{'name':'main','namespace':'pools'}},'status':{'phase':'" phase                        \
    "','conditions':[" condition "]}}"
#define NEW INSTANCE("Pending", "")
#define WAITING INSTANCE("Waiting", CONDITION("False", "Waiting", "first in line"))
#define WAITING_STILL INSTANCE("Waiting", CONDITION("False", "Waiting", "second in line"))
#define FAILED INSTANCE("Failed", CONDITION("False", "SystemIDMismatch", "not the golden"))
#define READY INSTANCE("Ready", CONDITION("True", "Ready", "it answers"))
#define POOL(condition)                                                                            \
    "{'metadata':{'name':'main','namespace':'pools','uid':'p'},'spec':{},'status':{'conditions':"  \
    "[" condition "]}}"
#define VOLUME "{'metadata':{'name':'pv-1','uid':'v'}}"

enum { MINUTE_MS = 60 * 1000, BODY_BYTES_MAX = 100 * 1000 };

struct fixture {
    struct fake_transport *transport;
    struct client *client;
    struct events events;
    struct now now;
};

static int set_up_as(void **state, const char *instance)
{
    static struct fixture fixture;
    fixture.transport = fake_transport_new();
    fixture.client = client_new(fake_transport_seam(fixture.transport), BODY_BYTES_MAX);
    events_init(&fixture.events, instance);
    fixture.now = (struct now){.mono_ms = 1000, .wall_ms = 1787392800000};
    *state = &fixture;
    return 0;
}

static int set_up(void **state)
{
    return set_up_as(state, "us");
}

static int set_up_without(void **state)
{
    return set_up_as(state, NULL);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    client_free(fixture->client);
    events_release(&fixture->events);
    fake_transport_free(fixture->transport);
    return 0;
}

static void change(struct fixture *fixture, enum object_kind kind, const char *before,
                   const char *after)
{
    struct object *was = before == NULL ? NULL : object_from(kind, before);
    struct object *is = after == NULL ? NULL : object_from(kind, after);
    events_changed(&fixture->events, was, is);
    object_free(was);
    object_free(is);
}

/* How many went on the wire. */
static size_t step(struct fixture *fixture)
{
    size_t before = fake_transport_count(fixture->transport);
    events_step(&fixture->events, fixture->client, fixture->now);
    client_step(fixture->client, fixture->now);
    size_t after = fake_transport_count(fixture->transport);
    for (size_t i = before; i < after; i++) {
        fake_call_reply(fake_transport_call(fixture->transport, i), 201, "{}");
    }
    client_step(fixture->client, fixture->now);
    return after - before;
}

static void assert_last(const struct fixture *fixture, enum method method, const char *has)
{
    const struct request *request = &fake_transport_last(fixture->transport)->request;
    assert_int_equal(request->method, method);
    if (strstr(request->body, has) == NULL) {
        fail_msg("%s\nhas no\n%s", request->body, has);
    }
}

static void a_reason_that_changes_is_an_event(void **state)
{
    struct fixture *fixture = *state;
    change(fixture, KIND_INSTANCE, NEW, WAITING);
    assert_int_equal(step(fixture), 1);
    assert_string_equal(fake_transport_last(fixture->transport)->request.path,
                        "/apis/events.k8s.io/v1/namespaces/dev/events");
    assert_last(fixture, METHOD_POST, "\"reason\":\"Waiting\",\"type\":\"Normal\"");
    assert_last(fixture, METHOD_POST, "\"note\":\"first in line\"");
    assert_last(
        fixture, METHOD_POST,
        "\"regarding\":{\"apiVersion\":\"adjoint.dev/v1alpha1\",\"kind\":\"Instance\","
        "\"namespace\":\"dev\",\"name\":\"alice\",\"uid\":\"u\",\"resourceVersion\":\"7\"}");
    assert_last(fixture, METHOD_POST, "\"eventTime\":\"2026-08-22T10:00:00.000000Z\"");
    change(fixture, KIND_INSTANCE, WAITING, READY);
    assert_int_equal(step(fixture), 1);
    assert_last(fixture, METHOD_POST, "\"action\":\"Ready\",\"reason\":\"Ready\"");
}

static void a_message_that_counts_down_is_none(void **state)
{
    struct fixture *fixture = *state;
    change(fixture, KIND_INSTANCE, WAITING, WAITING_STILL);
    change(fixture, KIND_INSTANCE, NULL,
           WAITING); /* seen for the first time: nothing has changed */
    change(fixture, KIND_INSTANCE, WAITING, NULL);
    assert_int_equal(step(fixture), 0);
}

static void what_asks_for_somebody_is_a_warning(void **state)
{
    struct fixture *fixture = *state;
    change(fixture, KIND_INSTANCE, WAITING, FAILED);
    assert_int_equal(step(fixture), 1);
    assert_last(fixture, METHOD_POST, "\"type\":\"Warning\"");
}

static void a_warning_is_what_asks_for_somebody_whichever_status_that_is(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        enum object_kind kind;
        const char *was, *is, *type;
    } rows[] = {
        {KIND_INSTANCE, NEW, INSTANCE("Ready", TYPED("Expiring", "False", "NotDue", "in a week")),
         "Normal"},
        {KIND_INSTANCE, NEW,
         INSTANCE("Ready", TYPED("Expiring", "True", "LifetimeEnding", "in an hour")), "Warning"},
        {KIND_POOL, POOL(""), POOL(TYPED("Rotating", "True", "Replacing", "two are stale")),
         "Normal"},
        {KIND_POOL, POOL(""), POOL(TYPED("Rotating", "False", "UpToDate", "none is stale")),
         "Normal"},
        {KIND_POOL, POOL(""), POOL(TYPED("Sized", "False", "HistoryShort", "since today")),
         "Normal"},
        {KIND_POOL, POOL(""), POOL(TYPED("Sized", "False", "TargetOutOfReach", "raise it")),
         "Warning"},
        {KIND_POOL, POOL(""),
         POOL(TYPED("GoldenReady", "False", "SnapshotNotFound", "there is none")), "Warning"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        change(fixture, rows[i].kind, rows[i].was, rows[i].is);
        assert_int_equal(step(fixture), 1);
        cleanup_text struct text type;
        text_init(&type, BODY_BYTES_MAX);
        text_print(&type, "\"type\":\"%s\"", rows[i].type);
        assert_last(fixture, METHOD_POST, type.bytes);
    }
}

static void one_that_repeats_becomes_a_series_each_minute(void **state)
{
    struct fixture *fixture = *state;
    change(fixture, KIND_INSTANCE, READY, FAILED);
    assert_int_equal(step(fixture), 1);
    fixture->now.wall_ms += MINUTE_MS / 2;
    change(fixture, KIND_INSTANCE, READY, FAILED);
    assert_int_equal(step(fixture), 0);
    fixture->now.wall_ms += MINUTE_MS;
    change(fixture, KIND_INSTANCE, READY, FAILED);
    assert_int_equal(step(fixture), 1);
    assert_last(fixture, METHOD_PATCH,
                "{\"series\":{\"count\":3,\"lastObservedTime\":\"2026-08-22T10:01:30.000000Z\"}}");
    fixture->now.wall_ms += INT64_C(31) * MINUTE_MS;
    change(fixture, KIND_INSTANCE, READY, FAILED);
    assert_int_equal(step(fixture), 1);
    assert_last(fixture, METHOD_POST, "\"reason\":\"SystemIDMismatch\"");
}

static void of_an_object_without_namespace_it_lies_in_default(void **state)
{
    struct fixture *fixture = *state;
    struct object *volume = object_from(KIND_VOLUME, VOLUME);
    events_note_warning(&fixture->events, volume, "Sweep", "Orphaned", "nobody has it");
    assert_int_equal(step(fixture), 1);
    assert_string_equal(fake_transport_last(fixture->transport)->request.path,
                        "/apis/events.k8s.io/v1/namespaces/default/events");
    assert_last(fixture, METHOD_POST, "\"regarding\":{\"apiVersion\":\"v1\"");
    object_free(volume);
}

static void too_many_at_once_are_left_out(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 300; i++) {
        change(fixture, KIND_INSTANCE, READY, FAILED);
    }
    assert_int_equal(fixture->events.left_out, 100);
    change(fixture, KIND_INSTANCE, NEW, WAITING); /* left for the release */
}

static void nobody_who_does_not_ask_for_them_gets_any(void **state)
{
    struct fixture *fixture = *state;
    change(fixture, KIND_INSTANCE, NEW, WAITING);
    assert_int_equal(step(fixture), 0);
}

#define WITH_EVENTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_EVENTS(a_reason_that_changes_is_an_event),
        WITH_EVENTS(a_message_that_counts_down_is_none),
        WITH_EVENTS(what_asks_for_somebody_is_a_warning),
        WITH_EVENTS(a_warning_is_what_asks_for_somebody_whichever_status_that_is),
        WITH_EVENTS(one_that_repeats_becomes_a_series_each_minute),
        WITH_EVENTS(of_an_object_without_namespace_it_lies_in_default),
        WITH_EVENTS(too_many_at_once_are_left_out),
        cmocka_unit_test_setup_teardown(nobody_who_does_not_ask_for_them_gets_any, set_up_without,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
