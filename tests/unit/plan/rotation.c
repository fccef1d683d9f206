/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/rotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A Pool of so many, all stale at first, is rotated step by step: what is to go goes at once, what
   may be made is made, one at a time. */
struct course {
    struct rotation_wish wish;
    struct rotation_counts counts;
    int64_t least_free, most_places, steps;
};

static void run(struct course *course)
{
    struct rotation_counts *counts = &course->counts;
    course->least_free = counts->free;
    for (course->steps = 0; counts->stale > 0 || counts->filling > 0; course->steps++) {
        assert_true(course->steps < 200);
        struct rotation rotation = rotation_decide(&course->wish, counts);
        int64_t fresh = counts->free - counts->stale;
        counts->stale -= rotation.retire;
        counts->free -= rotation.retire;
        assert_true(counts->stale >= 0);
        int64_t missing = counts->wanted + rotation.surge - counts->free - counts->filling;
        int64_t room = counts->in_flight_max - counts->filling;
        missing = missing < room ? missing : room;
        counts->filling += missing > 0 ? missing : 0;
        counts->filling_fresh = counts->filling;
        int64_t places = counts->free + counts->filling;
        course->most_places = places > course->most_places ? places : course->most_places;
        course->least_free = counts->free < course->least_free ? counts->free : course->least_free;
        bool comes = counts->filling > 0;
        assert_true(comes || counts->stale == 0 || rotation.retire > 0);
        counts->filling -= comes;
        counts->filling_fresh -= comes;
        counts->free = counts->stale + fresh + comes;
    }
}

static struct course course(enum rotation_strategy strategy, int64_t warm_min, int64_t surge_max)
{
    return (struct course){.wish = {strategy, warm_min, surge_max, 0},
                           .counts = {.wanted = 5, .free = 5, .stale = 5, .in_flight_max = 3}};
}

static void rolling_ends_and_keeps_what_it_should(void **state)
{
    (void)state;
    for (int64_t warm_min = -1; warm_min <= 7; warm_min++) {
        for (int64_t surge_max = 0; surge_max <= 4; surge_max++) {
            struct course rolling = course(ROTATION_ROLLING, warm_min, surge_max);
            int64_t least = warm_min < 0 || warm_min > 5 ? 5 : warm_min;
            least = surge_max == 0 && least == 5 ? 4 : least;
            run(&rolling);
            assert_true(rolling.least_free >= least);
            assert_true(rolling.most_places <= 5 + surge_max);
        }
    }
}

static void nothing_goes_that_could_not_be_replaced_at_once(void **state)
{
    (void)state;
    struct course rolling = course(ROTATION_ROLLING, 0, 0);
    assert_int_equal(rotation_decide(&rolling.wish, &rolling.counts).retire, 3);
    run(&rolling);
    assert_int_equal(rolling.least_free, 2);
}

static void what_may_be_wanted_in_a_moment_stays(void **state)
{
    (void)state;
    struct course rolling = course(ROTATION_ROLLING, 0, 0);
    rolling.counts.undecided = 4;
    assert_int_equal(rotation_decide(&rolling.wish, &rolling.counts).retire, 1);
    rolling.counts.undecided = 9;
    assert_int_equal(rotation_decide(&rolling.wish, &rolling.counts).retire, 0);
}

static void recreate_takes_all_at_once(void **state)
{
    (void)state;
    struct course recreate = course(ROTATION_RECREATE, 5, 2);
    struct rotation rotation = rotation_decide(&recreate.wish, &recreate.counts);
    assert_int_equal(rotation.retire, 5);
    assert_int_equal(rotation.surge, 0);
}

static void on_claim_takes_what_is_lacking_and_no_more(void **state)
{
    (void)state;
    struct course on_claim = course(ROTATION_ON_CLAIM, -1, 1);
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).retire, 0);
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).surge, 0);
    on_claim.counts.waiting_current = 2;
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).surge, 1);
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).retire, 1);
    on_claim.counts.filling = on_claim.counts.filling_fresh = 1;
    on_claim.counts.free = on_claim.counts.stale = 4;
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).surge, 1);
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).retire, 0);
    on_claim.counts.filling = on_claim.counts.filling_fresh = 2;
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).surge, 1);
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).retire, 0);
    on_claim.counts.free = on_claim.counts.stale = 5;
    on_claim.counts.filling = on_claim.counts.filling_fresh = 0;
    on_claim.counts.waiting_current = 9; /* no more than may be made at once */
    assert_int_equal(rotation_decide(&on_claim.wish, &on_claim.counts).retire, 2);
}

static void without_stale_ones_nothing_is_rotated(void **state)
{
    (void)state;
    struct course rolling = course(ROTATION_ROLLING, 0, 3);
    rolling.counts.stale = 0;
    struct rotation rotation = rotation_decide(&rolling.wish, &rolling.counts);
    assert_int_equal(rotation.retire + rotation.surge + rotation.floor, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_ends_and_keeps_what_it_should),
        cmocka_unit_test(nothing_goes_that_could_not_be_replaced_at_once),
        cmocka_unit_test(what_may_be_wanted_in_a_moment_stays),
        cmocka_unit_test(recreate_takes_all_at_once),
        cmocka_unit_test(on_claim_takes_what_is_lacking_and_no_more),
        cmocka_unit_test(without_stale_ones_nothing_is_rotated),
    };
    return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
