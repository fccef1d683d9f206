/* SPDX-License-Identifier: Apache-2.0 */
/* Dates there and back are shown in timestamp.c, which is made of them. */
#include "base/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void days_of_the_week_follow_each_other(void **state)
{
    (void)state;
    assert_int_equal(calendar_weekday(0), 4);
    assert_int_equal(calendar_weekday(-1), 3);
    assert_int_equal(calendar_weekday(INT64_C(1788134400000)), 1); /* 2026-08-31 */
    for (int64_t day = -1000; day < 1000; day++) {
        int64_t ms = day * CALENDAR_DAY_MS;
        assert_int_equal((calendar_weekday(ms) + 1) % 7, calendar_weekday(ms + CALENDAR_DAY_MS));
        assert_int_equal(calendar_weekday(ms), calendar_weekday(ms + CALENDAR_DAY_MS - 1));
    }
}

static void february_is_long_in_leap_years(void **state)
{
    (void)state;
    assert_int_equal(calendar_days_of_month(2024, 2), 29);
    assert_int_equal(calendar_days_of_month(2026, 2), 28);
    assert_int_equal(calendar_days_of_month(2000, 2), 29);
    assert_int_equal(calendar_days_of_month(2100, 2), 28);
    assert_int_equal(calendar_days_of_month(2026, 12), 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_of_the_week_follow_each_other),
        cmocka_unit_test(february_is_long_in_leap_years),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
