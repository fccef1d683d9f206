/* SPDX-License-Identifier: Apache-2.0 */
#include "base/duration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void durations_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *string;
        int64_t ms;
    } rows[] = {{"0", 0},          {"0s", 0},          {"500ms", 500},
                {"90s", 90000},    {"10m", 600000},    {"1h30m", 5400000},
                {"2d", 172800000}, {"1m500ms", 60500}, {"1d1h1m1s1ms", 90061001}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t ms = -1;
        struct error error;
        assert_true(duration_parse(rows[i].string, &ms, &error));
        assert_int_equal(ms, rows[i].ms);
    }
}

static void what_is_no_duration_is_refused(void **state)
{
    (void)state;
    static const char *const strings[] = {"",     "10",   "m",   "-1s",           "1.5h",
                                          "1s1m", "1m1m", "1w",  "1m ",           " 1m",
                                          "+1s",  "1h30", "ten", "999999999999d", "1234567890123s"};
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        int64_t ms = -1;
        struct error error;
        assert_false(duration_parse(strings[i], &ms, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_non_null(strstr(error.message, strings[i]));
        assert_int_equal(ms, -1);
    }
}

static void ages_read_as_kubectl_prints_them(void **state)
{
    (void)state;
    enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR, YEAR = 365 * DAY };
    /* HumanDuration's own table of examples and its edges. */
    static const struct {
        int64_t seconds;
        const char *age;
    } rows[] = {{-5, "0s"},
                {0, "0s"},
                {5, "5s"},
                {119, "119s"},
                {120, "2m"},
                {125, "2m5s"},
                {10 * MINUTE - 1, "9m59s"},
                {10 * MINUTE, "10m"},
                {3 * HOUR - 1, "179m"},
                {3 * HOUR, "3h"},
                {3 * HOUR + 7 * MINUTE, "3h7m"},
                {8 * HOUR - 1, "7h59m"},
                {8 * HOUR + 59 * MINUTE, "8h"},
                {2 * DAY - 1, "47h"},
                {2 * DAY, "2d"},
                {2 * DAY + 4 * HOUR, "2d4h"},
                {8 * DAY - 1, "7d23h"},
                {8 * DAY + HOUR, "8d"},
                {2 * YEAR - 1, "729d"},
                {2 * YEAR, "2y"},
                {3 * YEAR + 100 * DAY, "3y100d"},
                {8 * YEAR + 100 * DAY, "8y"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_text struct text age;
        text_init(&age, 64);
        duration_print_age(rows[i].seconds * 1000, &age);
        assert_string_equal(age.bytes, rows[i].age);
    }
}

static void what_is_printed_is_read_as_the_same(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *printed;
    } rows[] = {{0, "0s"},
                {1, "1ms"},
                {90 * 1000, "1m30s"},
                {INT64_C(36) * 60 * 60 * 1000, "1d12h"},
                {INT64_C(24) * 60 * 60 * 1000 + 1500, "1d1s500ms"},
                {DURATION_MS_MAX, "99999d"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_text struct text printed;
        text_init(&printed, 64);
        duration_print(rows[i].ms, &printed);
        assert_string_equal(printed.bytes, rows[i].printed);
        int64_t ms = -1;
        struct error error;
        assert_true(duration_parse(printed.bytes, &ms, &error));
        assert_int_equal(ms, rows[i].ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_read),
        cmocka_unit_test(what_is_no_duration_is_refused),
        cmocka_unit_test(what_is_printed_is_read_as_the_same),
        cmocka_unit_test(ages_read_as_kubectl_prints_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
