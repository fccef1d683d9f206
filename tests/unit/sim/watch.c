/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch.h"

#include "support/watch_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void what_is_there_comes_first(void **state)
{
    struct watch_fixture *fixture = *state;
    wire_put_map(fixture->wire, "b", "");
    wire_put_map(fixture->wire, "a", "");
    assert_true(watch_fixture_open_maps(fixture, ""));
    watch_fixture_said(fixture, 0, "(A:a A:b .");
    wire_put_map(fixture->wire, "a", "'x':'y'");
    wire_delete_map(fixture->wire, "b");
    watch_fixture_said(fixture, 0, "M:a D:b .");
    watch_close(fixture->watch);
    assert_true(watch_fixture_open_maps(fixture, "resourceVersion=0"));
    watch_fixture_said(fixture, 0, "(A:a .");
}

static void changes_after_a_revision(void **state)
{
    struct watch_fixture *fixture = *state;
    wire_put_map(fixture->wire, "a", "");
    uint64_t then = watch_fixture_revision(fixture);
    wire_put_map(fixture->wire, "b", "");
    wire_put_map(fixture->wire, "a", "'x':'y'");
    wire_delete_map(fixture->wire, "b");
    watch_fixture_open_since(fixture, then, "");
    wire_put_map(fixture->wire, "c", "");
    watch_fixture_said(fixture, 0, "(A:b M:a D:b A:c .");
    watch_close(fixture->watch);
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    watch_fixture_said(fixture, 0, "(.");
}

/* Another server may know more than this one: nothing up to there is news. */
static void changes_up_to_a_revision_to_come_are_not_shown(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture) + 1, "");
    wire_put_map(fixture->wire, "a", "");
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 0, "(A:b .");
}

static void only_its_own_namespace_and_resource(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    struct wire *wire = fixture->wire;
    wire_ask(wire, METHOD_POST, "/api/v1/namespaces", "{'metadata':{'name':'other'}}");
    assert_int_equal(wire_ask(wire, METHOD_POST, "/api/v1/namespaces/other/configmaps",
                              "{'metadata':{'name':'x'}}"),
                     201);
    assert_int_equal(
        wire_ask(wire, METHOD_POST, "/api/v1/namespaces/dev/secrets", "{'metadata':{'name':'y'}}"),
        201);
    watch_fixture_said(fixture, 0, "(.");
    watch_close(fixture->watch);
    assert_true(watch_fixture_open_path(fixture, "/api/v1/configmaps?watch=1", NULL));
    wire_put_map(wire, "a", "");
    watch_fixture_said(fixture, 0, "(A:x A:a .");
}

static void a_selector_makes_changes_come_and_go(void **state)
{
    struct watch_fixture *fixture = *state;
    struct wire *wire = fixture->wire;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "labelSelector=in");
    wire_put_map(wire, "a", "'out':''");
    wire_put_map(wire, "a", "'in':'1'");
    wire_put_map(wire, "a", "'in':'2'");
    watch_fixture_said(fixture, 0, "(A:a M:a .");
    text_clear(&fixture->raw);
    wire_put_map(wire, "a", "'out':''");
    uint64_t left = watch_fixture_revision(fixture);
    watch_fixture_said(fixture, 0, "D:a .");
    char version[60];
    snprintf(version, sizeof(version), "\"resourceVersion\":\"%llu\"", (unsigned long long)left);
    assert_non_null(strstr(fixture->raw.bytes, version));
    assert_non_null(strstr(fixture->raw.bytes, "{\"in\":\"2\"}")); /* as it was when it matched */
    wire_delete_map(wire, "a");
    watch_fixture_said(fixture, 0, "");
    wire_put_map(wire, "b", "'in':''");
    wire_delete_map(wire, "b");
    watch_fixture_said(fixture, 0, "A:b D:b .");
}

static void deletion_has_a_revision_of_its_own(void **state)
{
    struct watch_fixture *fixture = *state;
    wire_put_map(fixture->wire, "a", "");
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    wire_delete_map(fixture->wire, "a");
    watch_fixture_said(fixture, 0, "(D:a .");
    char version[60];
    snprintf(version, sizeof(version), "\"resourceVersion\":\"%llu\"",
             (unsigned long long)watch_fixture_revision(fixture));
    assert_non_null(strstr(fixture->raw.bytes, version));
}

static void lag_delays_and_never_reorders(void **state)
{
    struct watch_fixture *fixture = *state;
    fixture->lag_ms = 100;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    watch_fixture_said(fixture, 99, "");
    watch_fixture_said(fixture, 1, "(.");
    wire_put_map(fixture->wire, "a", "");
    fixture->lag_ms = 0;
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 99, "");
    watch_fixture_said(fixture, 1, "A:a A:b .");
    wire_put_map(fixture->wire, "c", "");
    watch_fixture_said(fixture, 0, "A:c .");
}

static void what_waits_outlives_compaction(void **state)
{
    struct watch_fixture *fixture = *state;
    fixture->lag_ms = 1000;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    wire_put_map(fixture->wire, "a", "'x':'1'");
    wire_put_map(fixture->wire, "a", "'x':'2'");
    wire_delete_map(fixture->wire, "a");
    objects_compact(apiserver_objects(fixture->wire->server), watch_fixture_revision(fixture));
    watch_fixture_said(fixture, 1000, "(A:a M:a D:a .");
}

static void too_old_is_an_error_event_and_the_end(void **state)
{
    struct watch_fixture *fixture = *state;
    uint64_t then = watch_fixture_revision(fixture);
    wire_put_map(fixture->wire, "a", "");
    wire_put_map(fixture->wire, "b", "");
    objects_compact(apiserver_objects(fixture->wire->server), watch_fixture_revision(fixture) - 1);
    watch_fixture_open_since(fixture, then, "");
    watch_fixture_said(fixture, 0, "(E: ).");
    assert_non_null(strstr(fixture->raw.bytes, "\"reason\":\"Expired\""));
    assert_non_null(strstr(fixture->raw.bytes, "\"code\":410}}\n"));
    assert_null(fixture->watch);
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture) - 1, "");
    watch_fixture_said(fixture, 0, "(A:b .");
}

static void the_server_may_give_up(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "allowWatchBookmarks=1");
    wire_put_map(fixture->wire, "a", "");
    watch_fail(fixture->watch, 500, "InternalError", "etcd is away");
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 0, "(A:a E: ).");
    assert_non_null(strstr(fixture->raw.bytes, "\"message\":\"etcd is away\""));
}

static void it_ends_in_time(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "timeoutSeconds=7");
    watch_fixture_said(fixture, 6999, "(.");
    wire_put_map(fixture->wire, "a", "");
    watch_fixture_said(fixture, 1, "A:a .).");
    assert_null(fixture->watch);
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 1000, "");
}

static void without_a_timeout_it_ends_within_the_hour(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    watch_fixture_said(fixture, 1800 * 1000 - 1, "(.");
    watch_fixture_said(fixture, 1800 * 1000 + 1, ").");
}

static void bookmarks_come_each_minute_and_before_the_end(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture),
                             "allowWatchBookmarks=true&timeoutSeconds=100");
    watch_fixture_said(fixture, 59999, "(.");
    wire_ask(fixture->wire, METHOD_POST, "/api/v1/namespaces", "{'metadata':{'name':'n'}}");
    watch_fixture_said(fixture, 1, "B: .");
    char bookmark[200];
    snprintf(bookmark, sizeof(bookmark),
             "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
             "\"metadata\":{\"resourceVersion\":\"%llu\"",
             (unsigned long long)watch_fixture_revision(fixture));
    assert_non_null(strstr(fixture->raw.bytes, bookmark));
    watch_fixture_said(fixture, 37999, "");
    watch_fixture_said(fixture, 1, "B: .");
    watch_fixture_said(fixture, 2000, ").");
}

static void a_bookmark_does_not_overtake(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "allowWatchBookmarks=true");
    watch_fixture_said(fixture, 59990, "(.");
    fixture->lag_ms = 100;
    wire_put_map(fixture->wire, "a", "");
    fixture->lag_ms = 0;
    watch_fixture_said(fixture, 100, "A:a B: .");
}

static void without_asking_there_are_no_bookmarks(void **state)
{
    struct watch_fixture *fixture = *state;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture), "");
    watch_fixture_said(fixture, 200 * 1000, "(.");
}

static void rows_come_as_tables(void **state)
{
    struct watch_fixture *fixture = *state;
    wire_put_map(fixture->wire, "a", "");
    assert_true(
        watch_fixture_open_path(fixture, WIRE_MAPS "?watch=1",
                                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"));
    watch_fixture_said(fixture, 0, "(A:Name .");
    assert_non_null(strstr(fixture->raw.bytes, "\"kind\":\"Table\""));
    assert_non_null(strstr(fixture->raw.bytes, "\"cells\":[\"a\",0,"));
    text_clear(&fixture->raw);
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 0, "A:b .");
    assert_non_null(strstr(fixture->raw.bytes, "\"columnDefinitions\":null"));
    assert_non_null(strstr(fixture->raw.bytes, "\"cells\":[\"b\",0,"));
}

static void closing_takes_back_what_was_not_said(void **state)
{
    struct watch_fixture *fixture = *state;
    fixture->lag_ms = 10;
    watch_fixture_open_since(fixture, watch_fixture_revision(fixture),
                             "allowWatchBookmarks=1&timeoutSeconds=5");
    wire_put_map(fixture->wire, "a", "");
    watch_close(fixture->watch);
    fixture->watch = NULL;
    wire_put_map(fixture->wire, "b", "");
    watch_fixture_said(fixture, 100 * 1000, "");
    assert_int_equal(world_next_at(fixture->wire->world), NOW_NEVER);
}

#define WITH_WATCH(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, watch_fixture_set_up, watch_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WATCH(what_is_there_comes_first),
        WITH_WATCH(changes_after_a_revision),
        WITH_WATCH(changes_up_to_a_revision_to_come_are_not_shown),
        WITH_WATCH(only_its_own_namespace_and_resource),
        WITH_WATCH(a_selector_makes_changes_come_and_go),
        WITH_WATCH(deletion_has_a_revision_of_its_own),
        WITH_WATCH(lag_delays_and_never_reorders),
        WITH_WATCH(what_waits_outlives_compaction),
        WITH_WATCH(too_old_is_an_error_event_and_the_end),
        WITH_WATCH(the_server_may_give_up),
        WITH_WATCH(it_ends_in_time),
        WITH_WATCH(without_a_timeout_it_ends_within_the_hour),
        WITH_WATCH(bookmarks_come_each_minute_and_before_the_end),
        WITH_WATCH(a_bookmark_does_not_overtake),
        WITH_WATCH(without_asking_there_are_no_bookmarks),
        WITH_WATCH(rows_come_as_tables),
        WITH_WATCH(closing_takes_back_what_was_not_said),
    };
    return cmocka_run_group_tests_name("sim/watch", tests, NULL, NULL);
}
