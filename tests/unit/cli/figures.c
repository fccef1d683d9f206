/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(values) (sizeof(values) / sizeof((values)[0]))

static void a_quantile_is_in_proportion_between_its_neighbours(void **state)
{
    (void)state;
    int64_t values[] = {40, 10, 30, 20};
    figures_sort(values, COUNT(values));
    assert_int_equal(values[0], 10);
    assert_int_equal(figures_quantile(values, 4, 0), 10);
    assert_int_equal(figures_quantile(values, 4, 50), 25);
    assert_int_equal(figures_quantile(values, 4, 95), 39); /* 38.5 */
    assert_int_equal(figures_quantile(values, 4, 100), 40);
    assert_int_equal(figures_quantile(values, 1, 95), 10);
    assert_int_equal(figures_quantile(values, 0, 50), 0);
}

/* The measurements that FSx' queue was first seen in: a minute apart, ten at once. */
static void a_minute_apart_is_a_queue(void **state)
{
    (void)state;
    int64_t values[10];
    for (int i = 0; i < 10; i++) {
        values[i] = 110000 + INT64_C(60300) * i;
    }
    assert_int_equal(figures_quantile(values, 10, 50) / 1000, 381);
    assert_int_equal(figures_quantile(values, 10, 95) / 1000, 625);
    assert_int_equal(figures_straightness(values, 10), 100);
    assert_int_equal(figures_shape(values, 10), FANOUT_QUEUE);
}

/* Rounded up to a poll each 15 s, as the real driver showed a queue with a gap of 6 s. */
static void a_queue_seen_through_polls_is_one(void **state)
{
    (void)state;
    static const int64_t values[] = {15600, 30600, 30600, 30600, 45600,
                                     45900, 61900, 62200, 62200, 77500};
    assert_in_range(figures_straightness(values, 10), 93, 96);
    assert_int_equal(figures_shape(values, 10), FANOUT_QUEUE);
}

static void what_comes_together_is_parallel(void **state)
{
    (void)state;
    static const int64_t values[] = {10000, 10100, 10200, 12000, 14000};
    static const int64_t same[] = {10, 10, 10, 10};
    assert_int_equal(figures_shape(values, COUNT(values)), FANOUT_PARALLEL);
    assert_int_equal(figures_shape(same, COUNT(same)), FANOUT_PARALLEL);
    assert_int_equal(figures_straightness(same, COUNT(same)), 0);
}

static void one_that_is_late_is_no_queue(void **state)
{
    (void)state;
    static const int64_t values[] = {10000, 10100, 10200, 10300, 10400, 90000};
    assert_int_equal(figures_shape(values, COUNT(values)), FANOUT_UNCLEAR);
}

static void three_are_too_few(void **state)
{
    (void)state;
    static const int64_t values[] = {110000, 177000, 238000};
    assert_int_equal(figures_shape(values, COUNT(values)), FANOUT_FEW);
    assert_int_equal(figures_shape(NULL, 0), FANOUT_FEW);
    assert_int_equal(figures_straightness(values, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quantile_is_in_proportion_between_its_neighbours),
        cmocka_unit_test(a_minute_apart_is_a_queue),
        cmocka_unit_test(a_queue_seen_through_polls_is_one),
        cmocka_unit_test(what_comes_together_is_parallel),
        cmocka_unit_test(one_that_is_late_is_no_queue),
        cmocka_unit_test(three_are_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
