/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/link.h"

#include "support/link_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- without faults ---- */

static void a_request_takes_two_ways(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *post = link_fixture_begin_post(fixture, "");
    link_fixture_heard(fixture, post, LINK_FIXTURE_ONE_WAY_MS - 1, "");
    assert_false(link_fixture_map_exists(fixture));
    link_fixture_heard(fixture, post, 1, "");
    assert_true(link_fixture_map_exists(fixture));
    link_fixture_heard(fixture, post, LINK_FIXTURE_ONE_WAY_MS - 1, "");
    assert_int_equal(fixture->woken_count, 0);
    link_fixture_heard(fixture, post, 1, "201 end None ");
    assert_int_equal(fixture->woken_count, 1);
    assert_non_null(strstr(post->body.bytes, "\"kind\":\"ConfigMap\""));
    assert_string_equal(fixture->asked.bytes, "1:POST:write 1=201 ");
    assert_int_equal(link_in_flight(fixture->link), 0);
    assert_int_equal(world_next_at(fixture->wire->world), NOW_NEVER);
}

static void refusals_of_the_server_are_whole_replies(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *get = link_fixture_begin_get(fixture, WIRE_MAPS "/none");
    link_fixture_heard(fixture, get, 100, "404 end None ");
    assert_non_null(strstr(get->body.bytes, "\"reason\":\"NotFound\""));
}

static void faults_know_what_is_asked(void **state)
{
    struct link_fixture *fixture = *state;
    link_fixture_begin_post(fixture, "?dryRun=All");
    link_fixture_begin_get(fixture, WIRE_MAPS);
    link_fixture_begin_watch(fixture, "");
    link_fixture_run(fixture, 100);
    assert_string_equal(fixture->asked.bytes,
                        "1:POST:dry-run 1=201 2:GET:read 2=200 3:GET:watch 3=200 ");
}

static void latency_is_drawn_for_each_way(void **state)
{
    struct link_fixture *fixture = *state;
    link_set_latency(fixture->link, 5, 500);
    int64_t least_ms = INT64_MAX;
    int64_t most_ms = 0;
    for (int i = 0; i < 200; i++) {
        fixture->call_count = 0;
        int64_t begin_ms = world_now(fixture->wire->world).mono_ms;
        struct heard *get = link_fixture_begin_get(fixture, "/healthz");
        while (get->call != NULL) {
            assert_true(world_run_next(fixture->wire->world, NOW_NEVER));
        }
        int64_t took_ms = world_now(fixture->wire->world).mono_ms - begin_ms;
        least_ms = took_ms < least_ms ? took_ms : least_ms;
        most_ms = took_ms > most_ms ? took_ms : most_ms;
    }
    assert_in_range(least_ms, 10, 200);
    assert_in_range(most_ms, 800, 1000);
}

/* ---- what befalls requests ---- */

static void fates_at_arrival(void **state)
{
    struct link_fixture *fixture = *state;
    static const struct {
        enum link_fate fate;
        const char *of_write, *of_read;
        int64_t after_ms;
    } rows[] = {
        {LINK_REFUSE, "429 end None ", "429 end None ", 2 * LINK_FIXTURE_ONE_WAY_MS},
        {LINK_UNREACHABLE, "end Unavailable ", "end Unavailable ", LINK_FIXTURE_ONE_WAY_MS},
        {LINK_LOST, "end OutcomeUnknown ", "end Timeout ", 2 * LINK_FIXTURE_ONE_WAY_MS},
        {LINK_MUTE, "end OutcomeUnknown ", "end Timeout ", LINK_FIXTURE_DEADLINE_MS},
    };
    fixture->refusal = (struct link_refusal){429, 7, "TooManyRequests", NULL};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture->call_count = 0;
        fixture->arriving_fate = rows[i].fate;
        struct heard *post = link_fixture_begin_post(fixture, "");
        struct heard *get = link_fixture_begin_get(fixture, WIRE_MAPS);
        link_fixture_run(fixture, rows[i].after_ms - 1);
        link_fixture_heard(fixture, post, 0, "");
        link_fixture_heard(fixture, post, 1, rows[i].of_write);
        link_fixture_heard(fixture, get, 0, rows[i].of_read);
        assert_false(link_fixture_map_exists(fixture));
        bool is_refused = rows[i].fate == LINK_REFUSE;
        assert_int_equal(get->retry_after_ms, is_refused ? 7000 : 0);
        assert_int_equal(strstr(get->body.bytes, "\"retryAfterSeconds\":7") != NULL, is_refused);
        text_clear(&get->body);
        get->retry_after_ms = 0;
    }
}

static void fates_of_replies(void **state)
{
    struct link_fixture *fixture = *state;
    static const struct {
        enum link_fate fate;
        const char *of_write;
        int64_t after_ms;
    } rows[] = {
        {LINK_REFUSE, "504 end None ", 2 * LINK_FIXTURE_ONE_WAY_MS},
        {LINK_LOST, "end OutcomeUnknown ", 2 * LINK_FIXTURE_ONE_WAY_MS},
        {LINK_TORN, "201 end OutcomeUnknown ", 2 * LINK_FIXTURE_ONE_WAY_MS},
        {LINK_MUTE, "end OutcomeUnknown ", LINK_FIXTURE_DEADLINE_MS},
    };
    fixture->refusal = (struct link_refusal){504, 0, "Timeout", "etcd took its time"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture->call_count = 0;
        fixture->answered_fate = rows[i].fate;
        struct heard *post = link_fixture_begin_post(fixture, "");
        text_clear(&post->body);
        link_fixture_heard(fixture, post, rows[i].after_ms - 1, "");
        assert_true(link_fixture_map_exists(fixture));
        link_fixture_heard(fixture, post, 1, rows[i].of_write);
        wire_delete_map(fixture->wire, "a");
        bool is_torn = rows[i].fate == LINK_TORN;
        assert_int_equal(text_starts_with(post->body.bytes, "{\"kind\":\"ConfigMap\""), is_torn);
        assert_false(text_ends_with(post->body.bytes, "}}}"));
    }
}

static void a_slow_network_runs_into_the_deadline(void **state)
{
    struct link_fixture *fixture = *state;
    link_set_latency(fixture->link, 600, 600);
    struct heard *post = link_fixture_begin_post(fixture, "");
    link_fixture_heard(fixture, post, LINK_FIXTURE_DEADLINE_MS - 1, "");
    assert_true(link_fixture_map_exists(fixture));
    link_fixture_heard(fixture, post, 1, "end OutcomeUnknown ");
    wire_delete_map(fixture->wire, "a");

    link_set_latency(fixture->link, 1500, 1500);
    struct heard *late = link_fixture_begin_post(fixture, "");
    link_fixture_heard(fixture, late, LINK_FIXTURE_DEADLINE_MS, "end OutcomeUnknown ");
    assert_false(link_fixture_map_exists(fixture));
    assert_int_equal(link_in_flight(fixture->link), 0);
    link_fixture_run(fixture, 500);
    assert_true(link_fixture_map_exists(fixture)); /* it was sent, and comes through at last */
    link_fixture_heard(fixture, late, 5000, "");
}

/* ---- clients that go ---- */

static void a_cancelled_write_arrives_and_says_nothing(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *post = link_fixture_begin_post(fixture, "");
    struct heard *get = link_fixture_begin_get(fixture, WIRE_MAPS);
    struct heard *watch = link_fixture_begin_watch(fixture, "");
    link_fixture_cancel(fixture, post);
    link_fixture_cancel(fixture, get);
    link_fixture_cancel(fixture, watch);
    assert_int_equal(link_in_flight(fixture->link), 0);
    link_fixture_heard(fixture, post, 10000, "");
    link_fixture_heard(fixture, get, 0, "");
    link_fixture_heard(fixture, watch, 0, "");
    assert_true(link_fixture_map_exists(fixture));
    assert_int_equal(fixture->woken_count, 0);
}

static void a_dead_process_writes_no_more(void **state)
{
    struct link_fixture *fixture = *state;
    struct heard *post = link_fixture_begin_post(fixture, "");
    struct heard *watch = link_fixture_begin_watch(fixture, "");
    link_fixture_run(fixture, LINK_FIXTURE_ONE_WAY_MS - 1);
    link_free(fixture->link);
    fixture->link = NULL;
    link_fixture_heard(fixture, post, 1000, "");
    link_fixture_heard(fixture, watch, 0, "");
    assert_false(link_fixture_map_exists(fixture));
    assert_int_equal(world_next_at(fixture->wire->world), NOW_NEVER);
}

static void die(struct link_fixture *fixture)
{
    link_free(fixture->link);
    fixture->link = NULL;
}

static void a_process_may_die_when_woken(void **state)
{
    struct link_fixture *fixture = *state;
    fixture->when_woken = die;
    link_fixture_begin_watch(fixture, "");
    link_fixture_begin_watch(fixture, "");
    link_fixture_begin_post(fixture, "");
    link_fixture_run(fixture, 1000);
    assert_int_equal(fixture->woken_count, 1);
}

#define WITH_LINK(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, link_fixture_set_up, link_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LINK(a_request_takes_two_ways),
        WITH_LINK(refusals_of_the_server_are_whole_replies),
        WITH_LINK(faults_know_what_is_asked),
        WITH_LINK(latency_is_drawn_for_each_way),
        WITH_LINK(fates_at_arrival),
        WITH_LINK(fates_of_replies),
        WITH_LINK(a_slow_network_runs_into_the_deadline),
        WITH_LINK(a_cancelled_write_arrives_and_says_nothing),
        WITH_LINK(a_dead_process_writes_no_more),
        WITH_LINK(a_process_may_die_when_woken),
    };
    return cmocka_run_group_tests_name("sim/link", tests, NULL, NULL);
}
