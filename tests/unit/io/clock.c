/* SPDX-License-Identifier: Apache-2.0 */
#include "io/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct clock sixty = {.speed = 60, .from_wall_ms = 1000000};

static void is_the_real_one_unless_told_otherwise(void **state)
{
    const struct clock real = {0};
    struct now now = clock_now(&real, (struct now){.mono_ms = 7, .wall_ms = 1796083200123});
    (void)state;
    assert_int_equal(now.mono_ms, 7);
    assert_int_equal(now.wall_ms, 1796083200123);
    assert_int_equal(clock_real_mono_ms(&real, 7), 7);
}

static void shows_the_real_time_where_it_begins(void **state)
{
    (void)state;
    assert_int_equal(clock_now(&sixty, (struct now){.wall_ms = 1000000}).wall_ms, 1000000);
}

static void runs_at_its_speed_on_both_clocks(void **state)
{
    struct now one = clock_now(&sixty, (struct now){.mono_ms = 500, .wall_ms = 1000500});
    struct now other = clock_now(&sixty, (struct now){.mono_ms = 1500, .wall_ms = 1001500});
    (void)state;
    assert_int_equal(other.mono_ms - one.mono_ms, 60000);
    assert_int_equal(other.wall_ms - one.wall_ms, 60000);
    assert_int_equal(one.wall_ms, 1000000 + 30000);
}

static void shows_times_before_it_begins(void **state)
{
    (void)state;
    assert_int_equal(clock_now(&sixty, (struct now){.wall_ms = 999999}).wall_ms, 1000000 - 60);
}

/* One too early would be a step for nothing, and another, until the time has come. */
static void wakes_nobody_too_early(void **state)
{
    (void)state;
    assert_int_equal(clock_real_mono_ms(&sixty, 600), 10);
    assert_int_equal(clock_real_mono_ms(&sixty, 601), 11);
    assert_int_equal(clock_real_mono_ms(&sixty, 659), 11);
    assert_int_equal(clock_real_mono_ms(&sixty, 660), 11);
    assert_int_equal(clock_real_mono_ms(&sixty, 0), 0);
    assert_int_equal(clock_real_mono_ms(&sixty, -61), -1);
}

static void never_stays_never(void **state)
{
    (void)state;
    assert_int_equal(clock_real_mono_ms(&sixty, NOW_NEVER), NOW_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_real_one_unless_told_otherwise),
        cmocka_unit_test(shows_the_real_time_where_it_begins),
        cmocka_unit_test(runs_at_its_speed_on_both_clocks),
        cmocka_unit_test(shows_times_before_it_begins),
        cmocka_unit_test(wakes_nobody_too_early),
        cmocka_unit_test(never_stays_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
