/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/arrivals.h"

#include "base/now.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MINUTE INT64_C(60000)
#define DAY (24 * 60 * MINUTE)
/* A Monday's midnight. */
#define START INT64_C(1788134400000)

struct fixture {
    struct arena arena;
    struct arrivals arrivals;
    struct error error;
};

static int begin(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    arena_init(&fixture.arena, 0);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    return 0;
}

static bool add(struct fixture *fixture, int64_t time_ms, int64_t wall_ms)
{
    return arrivals_add(&fixture->arrivals, &time_ms, 1, wall_ms);
}

static int64_t count_at(const struct fixture *fixture, int64_t wall_ms)
{
    return arrivals_count(&fixture->arrivals, wall_ms / ARRIVAL_BUCKET_MS);
}

static void require_reads_back(struct fixture *fixture)
{
    struct arrival_record record = arrivals_write(&fixture->arrivals, &fixture->arena);
    static struct arrivals again;
    assert_true(arrivals_read(&record, &fixture->arena, &again, &fixture->error));
    assert_int_equal(again.since, fixture->arrivals.since);
    assert_int_equal(again.until, fixture->arrivals.until);
    for (int64_t at = again.since; at < again.until; at++) {
        assert_int_equal(arrivals_count(&again, at), arrivals_count(&fixture->arrivals, at));
    }
}

static void a_request_counts_when_its_five_minutes_are_over(void **state)
{
    struct fixture *fixture = *state;
    int64_t at_ms = START + 2 * MINUTE;
    assert_int_equal(arrivals_wait_ms(0, &at_ms, 1, at_ms), 6 * MINUTE);
    assert_false(add(fixture, at_ms, START + 8 * MINUTE - 1));
    assert_true(add(fixture, at_ms, START + 8 * MINUTE));
    assert_int_equal(count_at(fixture, at_ms), 1);
    assert_int_equal(fixture->arrivals.until * ARRIVAL_BUCKET_MS, START + 5 * MINUTE);
    require_reads_back(fixture);
}

static void it_counts_once_whoever_looks(void **state)
{
    struct fixture *fixture = *state;
    int64_t times_ms[] = {START + MINUTE, START + 2 * MINUTE, START + 7 * MINUTE};
    assert_true(arrivals_add(&fixture->arrivals, times_ms, 3, START + 8 * MINUTE));
    assert_false(arrivals_add(&fixture->arrivals, times_ms, 3, START + 9 * MINUTE));
    assert_int_equal(arrivals_wait_ms(START + 5 * MINUTE, times_ms, 3, START + 9 * MINUTE),
                     4 * MINUTE);
    assert_true(arrivals_add(&fixture->arrivals, times_ms, 3, START + 13 * MINUTE));
    assert_int_equal(count_at(fixture, START), 2);
    assert_int_equal(count_at(fixture, START + 5 * MINUTE), 1);
    assert_int_equal(arrivals_wait_ms(START + 10 * MINUTE, times_ms, 3, START + 13 * MINUTE),
                     NOW_NEVER);
}

/* Of all requests, and of those from there on, the same is counted. */
static void what_came_before_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct arrivals *others = arena_new(&fixture->arena, 1, sizeof *others);
    const int64_t untils_ms[] = {0, START - 600 * MINUTE, START, START + 5 * MINUTE,
                                 START + 540 * MINUTE};
    for (size_t i = 0; i < sizeof untils_ms / sizeof untils_ms[0]; i++) {
        int64_t wall_ms = START + 8 * MINUTE;
        int64_t from_ms = arrivals_from_ms(untils_ms[i], wall_ms);
        const int64_t times_ms[] = {from_ms - 1, from_ms, START + MINUTE};
        fixture->arrivals.until = others->until = untils_ms[i] / ARRIVAL_BUCKET_MS;
        assert_int_equal(arrivals_wait_ms(untils_ms[i], times_ms, 3, wall_ms),
                         arrivals_wait_ms(untils_ms[i], &times_ms[1], 2, wall_ms));
        assert_int_equal(arrivals_add(&fixture->arrivals, times_ms, 3, wall_ms),
                         arrivals_add(others, &times_ms[1], 2, wall_ms));
        assert_memory_equal(&fixture->arrivals, others, sizeof *others);
    }
    assert_int_equal(arrivals_from_ms(START - 600 * MINUTE, START), START - 600 * MINUTE);
    assert_true(arrivals_from_ms(0, START) >= START - 60 * MINUTE);
    assert_true(arrivals_from_ms(START, START + 4 * MINUTE) >= START - 60 * MINUTE);
}

static void a_record_begins_with_what_is_young(void **state)
{
    struct fixture *fixture = *state;
    int64_t times_ms[] = {START, START + 60 * MINUTE};
    assert_false(arrivals_add(&fixture->arrivals, times_ms, 1, START + 40 * MINUTE));
    assert_true(arrivals_add(&fixture->arrivals, times_ms, 2, START + 68 * MINUTE));
    assert_int_equal(fixture->arrivals.since * ARRIVAL_BUCKET_MS, START + 60 * MINUTE);
    assert_int_equal(count_at(fixture, START), 0);
}

static void what_came_while_nobody_led_counts(void **state)
{
    struct fixture *fixture = *state;
    assert_true(add(fixture, START, START + 9 * MINUTE));
    assert_true(add(fixture, START + 300 * MINUTE, START + DAY));
    assert_int_equal(count_at(fixture, START), 1);
    assert_int_equal(count_at(fixture, START + 300 * MINUTE), 1);
    require_reads_back(fixture);
}

static void twenty_eight_days_are_kept(void **state)
{
    struct fixture *fixture = *state;
    for (int64_t day = 0; day < 40; day++) {
        int64_t at_ms = START + day * DAY;
        assert_true(add(fixture, at_ms, at_ms + 9 * MINUTE));
        require_reads_back(fixture);
    }
    int64_t *times_ms;
    assert_int_equal(arrivals_times(&fixture->arrivals, &fixture->arena, &times_ms), 28);
    assert_int_equal(times_ms[0], START + 12 * DAY + ARRIVAL_BUCKET_MS / 4);
    assert_true(add(fixture, START + 400 * DAY, START + 401 * DAY));
    assert_int_equal(arrivals_times(&fixture->arrivals, &fixture->arena, &times_ms), 1);
}

static void a_clock_that_was_ahead_is_put_right(void **state)
{
    struct fixture *fixture = *state;
    assert_true(add(fixture, START, START + 9 * MINUTE));
    assert_true(add(fixture, START + 20 * MINUTE, START + 300 * DAY));
    assert_true(add(fixture, START + 20 * MINUTE, START + 40 * MINUTE));
    assert_int_equal(count_at(fixture, START + 20 * MINUTE), 1);
    assert_int_equal(fixture->arrivals.until * ARRIVAL_BUCKET_MS, START + 35 * MINUTE);
}

static void the_fullest_record_is_bounded(void **state)
{
    struct fixture *fixture = *state;
    fixture->arrivals.since = START / ARRIVAL_BUCKET_MS;
    fixture->arrivals.until = fixture->arrivals.since + ARRIVAL_BUCKETS;
    for (size_t i = 0; i < ARRIVAL_BUCKETS; i++) {
        fixture->arrivals.counts[i] = ARRIVALS_A_BUCKET_MAX;
    }
    require_reads_back(fixture);
    struct arrival_record record = arrivals_write(&fixture->arrivals, &fixture->arena);
    assert_true(strlen(record.counts) <= 22 * 1024);
    int64_t at_ms = (fixture->arrivals.until - 1) * ARRIVAL_BUCKET_MS;
    assert_false(add(fixture, at_ms, at_ms + MINUTE));
}

static void requests_are_spread_over_their_minutes(void **state)
{
    struct fixture *fixture = *state;
    int64_t same_ms[] = {START, START};
    assert_true(arrivals_add(&fixture->arrivals, same_ms, 2, START + 9 * MINUTE));
    int64_t *times_ms;
    assert_int_equal(arrivals_times(&fixture->arrivals, &fixture->arena, &times_ms), 2);
    assert_int_equal(times_ms[0], START + ARRIVAL_BUCKET_MS / 8);
    assert_int_equal(times_ms[1], START + ARRIVAL_BUCKET_MS * 3 / 8);
}

static void what_cannot_be_read_is_said_and_begun_anew(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        struct arrival_record record;
        const char *message;
    } rows[] = {
        {{2, START, START + 5 * MINUTE, "AQ=="}, "version 2"},
        {{1, START + 1, START + 5 * MINUTE, "AQ=="}, "five minutes"},
        {{1, START, START, "AQ=="}, "five minutes"},
        {{1, 0, START, "AQ=="}, "five minutes"},
        {{1, START, START + 5 * MINUTE, NULL}, "five minutes"},
        {{1, START, START + 5 * MINUTE, "A"}, "status.arrivals.counts"},
        {{1, START, START + 5 * MINUTE, "AQE="}, "another time"},
        {{1, START, START + 5 * MINUTE, "BA=="}, "another time"},
        {{1, START, START + 5 * MINUTE, "AA=="}, "another time"},
        {{1, START, START + 5 * MINUTE, "//9/"}, "another time"},
        {{1, START, START + 5 * MINUTE, "gQ=="}, "ends in a number"},
        {{1, START, START + 5 * MINUTE, "////AQ=="}, "ends in a number"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool good =
            arrivals_read(&rows[i].record, &fixture->arena, &fixture->arrivals, &fixture->error);
        if (good || strstr(fixture->error.message, rows[i].message) == NULL) {
            fail_msg("row %zu: %s", i, good ? "is read" : fixture->error.message);
        }
        assert_int_equal(fixture->arrivals.until, 0);
        assert_true(add(fixture, START, START + 9 * MINUTE));
    }
}

static void no_record_is_no_error(void **state)
{
    struct fixture *fixture = *state;
    struct arrival_record none = {.version = 0};
    int64_t *times_ms;
    assert_true(arrivals_read(&none, &fixture->arena, &fixture->arrivals, &fixture->error));
    assert_int_equal(arrivals_times(&fixture->arrivals, &fixture->arena, &times_ms), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_request_counts_when_its_five_minutes_are_over),
        TEST(it_counts_once_whoever_looks),
        TEST(a_record_begins_with_what_is_young),
        TEST(what_came_before_changes_nothing),
        TEST(what_came_while_nobody_led_counts),
        TEST(twenty_eight_days_are_kept),
        TEST(a_clock_that_was_ahead_is_put_right),
        TEST(the_fullest_record_is_bounded),
        TEST(requests_are_spread_over_their_minutes),
        TEST(what_cannot_be_read_is_said_and_begun_anew),
        TEST(no_record_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
