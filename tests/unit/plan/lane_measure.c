/* SPDX-License-Identifier: Apache-2.0 */
/* What one measurement may change, of which lane, and what of it is news. Times are seconds after
 * BEGIN. */
#include "plan/lane.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BEGIN INT64_C(1787392800000)

/* On lane fs-1; told: of its Pool's status.lane. */
static struct lane_record measure(const char *told, const struct lane_create *creates, size_t count)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    struct object *pool = object_from(
        KIND_POOL,
        arena_print(&arena,
                    "{'metadata':{'name':'p','namespace':'pools','uid':'p',"
                    "'creationTimestamp':'2026-08-22T09:00:00Z'},"
                    "'spec':{'size':10,'refill':{'maxInFlight':20}},'status':{'lane':{%s}}}",
                    told));
    struct lane_pool member = {.pool = pool};
    struct lane lane = {.measured = {.name = "fs-1"}, .pools = &member, .pool_count = 1};
    lane.caps = lane_caps(lane.pools, lane.pool_count);
    lane_measure(&lane, creates, count);
    struct lane_record record = lane.measured;
    object_free(pool);
    return record;
}

static struct lane_create create(int64_t started_s, int64_t completed_s)
{
    return (struct lane_create){BEGIN + started_s * 1000, BEGIN + completed_s * 1000};
}

static void until_something_is_measured_it_is_as_fsx_is_known(void **state)
{
    (void)state;
    assert_int_equal(measure("'name':'fs-1'", NULL, 0).width, 3);
}

/* The lane was idle, or not asked early enough, in between. */
static void what_was_not_wanted_is_no_gap(void **state)
{
    (void)state;
    const struct lane_create creates[] = {create(0, 120), create(100, 220), create(500, 620)};
    struct lane_record record = measure("'name':'fs-1'", creates, 3);
    assert_int_equal(record.gap_ms, 0);
    assert_int_equal(record.latency_ms, 124219);
}

static void a_gap_counts_as_four_at_most(void **state)
{
    (void)state;
    const struct lane_create creates[] = {create(0, 130), create(0, 5000)};
    assert_int_equal(measure("'name':'fs-1'", creates, 2).gap_ms, 240000);
}

static void what_another_lane_did_is_not_gone_on_from(void **state)
{
    (void)state;
    assert_int_equal(measure("'name':'fs-1','width':7", NULL, 0).width, 7);
    assert_int_equal(measure("'name':'fs-2','width':7", NULL, 0).width, 3);
}

static void a_create_that_was_held_up_narrows_it_below_what_fits(void **state)
{
    (void)state;
    const struct lane_create held_up = create(0, 1000);
    assert_int_equal(measure("'name':'fs-1','width':3", &held_up, 1).width, 2);
}

static void two_at_a_time_are_the_least(void **state)
{
    (void)state;
    const struct lane_create held_up = create(0, 1000);
    assert_int_equal(measure("'name':'fs-1','width':2", &held_up, 1).width, 2);
}

/* The binder gave the PVC a volume that was there. */
static void a_volume_older_than_its_pvc_was_no_create(void **state)
{
    (void)state;
    const struct lane_create found = create(100, 50);
    struct lane_record record = measure("'name':'fs-1'", &found, 1);
    assert_int_equal(record.latency_ms, 0);
    assert_int_equal(record.completed_ms, 0);
}

static void a_create_changes_the_width_by_one(void **state)
{
    (void)state;
    const struct lane_create one = create(0, 130);
    assert_int_equal(measure("'name':'fs-1','width':8", &one, 1).width, 7);
}

static void little_differences_are_no_news(void **state)
{
    (void)state;
    struct lane_record told = {"fs-1", 3, 60000, 4, 120000, BEGIN, BEGIN};
    struct lane_record is = {"fs-1", 3, 63000, 9, 125000, BEGIN + 99000, BEGIN + 9000};
    assert_false(lane_is_news(&told, &is));
    is.gap_ms = 70000;
    assert_true(lane_is_news(&told, &is));
    assert_true(lane_is_news(&told, &is));
}

static int64_t at(int64_t seconds)
{
    return BEGIN + seconds * 1000;
}

static void a_time_is_told_again_when_it_has_moved_by_a_share(void **state)
{
    (void)state;
    assert_true(eta_is_news(0, at(60), at(0)));
    assert_false(eta_is_news(at(60), at(75), at(0)));
    assert_true(eta_is_news(at(60), at(81), at(0)));
    assert_false(eta_is_news(at(600), at(740), at(0)));
    assert_true(eta_is_news(at(600), at(440), at(0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_something_is_measured_it_is_as_fsx_is_known),
        cmocka_unit_test(what_was_not_wanted_is_no_gap),
        cmocka_unit_test(a_gap_counts_as_four_at_most),
        cmocka_unit_test(what_another_lane_did_is_not_gone_on_from),
        cmocka_unit_test(a_create_that_was_held_up_narrows_it_below_what_fits),
        cmocka_unit_test(a_create_changes_the_width_by_one),
        cmocka_unit_test(two_at_a_time_are_the_least),
        cmocka_unit_test(a_volume_older_than_its_pvc_was_no_create),
        cmocka_unit_test(little_differences_are_no_news),
        cmocka_unit_test(a_time_is_told_again_when_it_has_moved_by_a_share),
    };
    return cmocka_run_group_tests_name("lane_measure", tests, NULL, NULL);
}
