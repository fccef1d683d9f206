/* SPDX-License-Identifier: Apache-2.0 */
#include "support/link_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_watch_streams(void **state)
{
    struct link_fixture *fixture = *state;
    wire_put_map(fixture->wire, "a", "");
    struct heard *watch = link_fixture_begin_watch(fixture, "&timeoutSeconds=60");
    link_fixture_heard(fixture, watch, 2 * LINK_FIXTURE_ONE_WAY_MS - 1, "");
    link_fixture_heard(fixture, watch, 1, "200 ");
    assert_non_null(strstr(watch->body.bytes, "{\"type\":\"ADDED\",\"object\":{"));
    assert_int_equal(fixture->woken_count, 1);

    fixture->watch_lag_ms = 100;
    text_clear(&watch->body);
    wire_put_map(fixture->wire, "a", "'x':'y'");
    link_fixture_run(fixture, LINK_FIXTURE_ONE_WAY_MS + 99);
    assert_string_equal(watch->body.bytes, "");
    link_fixture_run(fixture, 1);
    assert_true(text_starts_with(watch->body.bytes, "{\"type\":\"MODIFIED\",\"object\":{"));
    assert_true(text_ends_with(watch->body.bytes, "}}\n"));
    assert_int_equal(fixture->woken_count, 2);
    link_fixture_heard(fixture, watch, 60 * 1000, "end None ");
    assert_int_equal(link_in_flight(fixture->link), 0);
}

static void a_watch_that_is_refused_is_a_reply(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch = link_fixture_begin_watch(fixture, "&sendInitialEvents=true");
    link_fixture_heard(fixture, watch, 2 * LINK_FIXTURE_ONE_WAY_MS, "422 end None ");
    assert_string_equal(fixture->asked.bytes, "1:GET:watch 1=422 ");
}

static void silence_ends_a_watch(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch = link_fixture_begin_watch(fixture, "");
    link_fixture_heard(fixture, watch, 80 * 1000, "200 ");
    wire_put_map(fixture->wire, "a", "");
    link_fixture_heard(fixture, watch, 90 * 1000 + LINK_FIXTURE_ONE_WAY_MS - 1, "");
    link_fixture_heard(fixture, watch, 1, "end Timeout ");

    fixture->answered_fate = LINK_MUTE;
    struct heard *mute = link_fixture_begin_watch(fixture, "&allowWatchBookmarks=1");
    link_fixture_heard(fixture, mute, 90 * 1000 - 1, "");
    link_fixture_heard(fixture, mute, 1, "end Timeout ");
}

static void bookmarks_keep_a_watch(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch =
        link_fixture_begin_watch(fixture, "&allowWatchBookmarks=1&timeoutSeconds=600");
    link_fixture_heard(fixture, watch, 599 * 1000, "200 ");
    link_fixture_heard(fixture, watch, 2 * 1000, "end None ");
}

static void the_server_goes_away(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch = link_fixture_begin_watch(fixture, "");
    link_fixture_heard(fixture, watch, 100, "200 ");
    struct heard *get = link_fixture_begin_get(fixture, WIRE_MAPS);
    link_fixture_run(fixture, LINK_FIXTURE_ONE_WAY_MS);
    struct heard *post = link_fixture_begin_post(fixture, "");
    fixture->is_starting = true; /* nothing is said in here */
    link_cut(fixture->link, world_now(fixture->wire->world).mono_ms + 50);
    fixture->is_starting = false;
    wire_put_map(fixture->wire, "b", "");
    text_clear(&watch->body);
    link_fixture_heard(fixture, watch, 0, "end Timeout ");
    link_fixture_heard(fixture, get, 0, "end Timeout ");
    assert_string_equal(watch->body.bytes, "");
    link_fixture_heard(fixture, post, 40, "end Unavailable ");
    struct heard *later = link_fixture_begin_get(fixture, WIRE_MAPS);
    link_fixture_heard(fixture, later, 100, "200 end None ");
}

static void the_server_gives_up_on_watches(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch = link_fixture_begin_watch(fixture, "");
    link_fixture_heard(fixture, watch, 100, "200 ");
    link_fail_watches(fixture->link, &(struct link_refusal){410, 0, "Expired", "too old"});
    link_fixture_heard(fixture, watch, 100, "end None ");
    assert_non_null(
        strstr(watch->body.bytes, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\""));
    assert_non_null(strstr(watch->body.bytes, "\"code\":410"));
}

static void a_watch_is_cancelled_in_its_stream(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *watch = link_fixture_begin_watch(fixture, "&allowWatchBookmarks=1");
    link_fixture_heard(fixture, watch, 100, "200 ");
    link_fixture_cancel(fixture, watch);
    wire_put_map(fixture->wire, "a", "");
    link_fixture_heard(fixture, watch, 1000 * 1000, "");
    assert_int_equal(world_next_at(fixture->wire->world), NOW_NEVER);
}

#define WITH_LINK(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, link_fixture_set_up, link_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LINK(a_watch_streams),
        WITH_LINK(a_watch_that_is_refused_is_a_reply),
        WITH_LINK(silence_ends_a_watch),
        WITH_LINK(bookmarks_keep_a_watch),
        WITH_LINK(the_server_goes_away),
        WITH_LINK(the_server_gives_up_on_watches),
        WITH_LINK(a_watch_is_cancelled_in_its_stream),
    };
    return cmocka_run_group_tests_name("sim/link_stream", tests, NULL, NULL);
}
