/* SPDX-License-Identifier: Apache-2.0 */
#include "base/timestamp.h"

#include "base/now.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)
#define FIRST_MS (-719528 * DAY_MS)
#define LAST_MS INT64_C(253402300799999)

/* Moments whose number was taken from `date -u -d ... +%s`. */
static const struct {
    const char *text;
    int64_t wall_ms;
} moments[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"1970-01-01T00:00:01Z", 1000},
    {"1969-12-31T23:59:59Z", -1000},
    {"2000-02-28T23:59:59Z", INT64_C(951782399000)},
    {"2000-02-29T00:00:00Z", INT64_C(951782400000)},
    {"2000-03-01T00:00:00Z", INT64_C(951868800000)},
    {"2000-12-31T23:59:59Z", INT64_C(978307199000)},
    {"2024-02-29T12:34:56Z", INT64_C(1709210096000)},
    {"2024-12-31T00:00:00Z", INT64_C(1735603200000)},
    {"2025-11-30T20:43:00Z", INT64_C(1764535380000)},
    {"2100-02-28T00:00:00Z", INT64_C(4107456000000)},
    {"2100-03-01T00:00:00Z", INT64_C(4107542400000)},
    {"1900-03-01T00:00:00Z", INT64_C(-2203891200000)},
    {"0001-01-01T00:00:00Z", INT64_C(-62135596800000)},
    {"0000-01-01T00:00:00Z", FIRST_MS},
    {"9999-12-31T23:59:59Z", LAST_MS - 999},
};

static void known_moments_go_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
        char text[TIMESTAMP_BYTES];
        timestamp_format_seconds(moments[i].wall_ms, text);
        assert_string_equal(text, moments[i].text);
        int64_t wall_ms = 42;
        struct error error;
        assert_true(timestamp_parse(moments[i].text, &wall_ms, &error));
        assert_true(wall_ms == moments[i].wall_ms);
    }
}

static void every_day_of_four_centuries_comes_back(void **state)
{
    (void)state;
    char before[TIMESTAMP_BYTES] = "";
    for (int64_t day = -400 * 366; day <= 400 * 366; day++) {
        char text[TIMESTAMP_BYTES];
        timestamp_format_seconds(day * DAY_MS + DAY_MS - 1, text);
        assert_true(strcmp(before, text) < 0);
        memcpy(before, text, sizeof(text));
        int64_t wall_ms = 42;
        struct error error;
        assert_true(timestamp_parse(text, &wall_ms, &error));
        assert_true(wall_ms == day * DAY_MS + DAY_MS - 1000);
    }
}

static void fractions_have_three_or_six_digits(void **state)
{
    (void)state;
    char text[TIMESTAMP_BYTES];
    timestamp_format_millis(7, text);
    assert_string_equal(text, "1970-01-01T00:00:00.007Z");
    timestamp_format_millis(-1, text);
    assert_string_equal(text, "1969-12-31T23:59:59.999Z");
    timestamp_format_micros(1230, text);
    assert_string_equal(text, "1970-01-01T00:00:01.230000Z");
    timestamp_format_micros(2000, text);
    assert_string_equal(text, "1970-01-01T00:00:02.000000Z");
    timestamp_format_seconds(1999, text);
    assert_string_equal(text, "1970-01-01T00:00:01Z");
}

static void years_beyond_four_digits_stop_at_the_ends(void **state)
{
    (void)state;
    char text[TIMESTAMP_BYTES];
    timestamp_format_micros(NOW_NEVER, text);
    assert_string_equal(text, "9999-12-31T23:59:59.999000Z");
    timestamp_format_micros(LAST_MS + 1, text);
    assert_string_equal(text, "9999-12-31T23:59:59.999000Z");
    timestamp_format_millis(INT64_MIN, text);
    assert_string_equal(text, "0000-01-01T00:00:00.000Z");
    timestamp_format_millis(FIRST_MS - 1, text);
    assert_string_equal(text, "0000-01-01T00:00:00.000Z");
}

static void parse_takes_up_to_nine_fraction_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t wall_ms;
    } cases[] = {
        {"1970-01-01T00:00:01Z", 1000},           {"1970-01-01T00:00:01.2Z", 1200},
        {"1970-01-01T00:00:01.23Z", 1230},        {"1970-01-01T00:00:01.234Z", 1234},
        {"1970-01-01T00:00:01.2345Z", 1234},      {"1970-01-01T00:00:01.23456Z", 1234},
        {"1970-01-01T00:00:01.234567Z", 1234},    {"1970-01-01T00:00:01.2345678Z", 1234},
        {"1970-01-01T00:00:01.999999999Z", 1999}, {"1970-01-01T00:00:01.000000000Z", 1000},
        {"1969-12-31T23:59:59.5Z", -500},         {"1970-01-01T01:00:00.25+01:00", 250},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t wall_ms = 42;
        struct error error;
        assert_true(timestamp_parse(cases[i].text, &wall_ms, &error));
        assert_true(wall_ms == cases[i].wall_ms);
    }
}

static void parse_takes_any_offset(void **state)
{
    (void)state;
    static const char *const same[] = {
        "2024-02-29T12:34:56Z",      "2024-02-29T12:34:56+00:00", "2024-02-29T12:34:56-00:00",
        "2024-02-29T14:34:56+02:00", "2024-02-29T07:04:56-05:30", "2024-03-01T12:33:56+23:59",
        "2024-02-28T12:35:56-23:59",
    };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        int64_t wall_ms = 42;
        struct error error;
        assert_true(timestamp_parse(same[i], &wall_ms, &error));
        assert_true(wall_ms == INT64_C(1709210096000));
    }
}

static void parse_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const bad[] = {
        NULL,
        "",
        "2024-02-29",
        "2024-02-29T12:34:56",
        "2024-02-29T12:34Z",
        "2024-02-29 12:34:56Z",
        "2024-02-29t12:34:56z",
        " 2024-02-29T12:34:56Z",
        "2024-02-29T12:34:56Z ",
        "2024-02-29T12:34:56ZZ",
        "24-02-29T12:34:56Z",
        "12024-02-29T12:34:56Z",
        "-024-02-29T12:34:56Z",
        "2024-2-29T12:34:56Z",
        "2024-00-01T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-01-00T00:00:00Z",
        "2024-01-32T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2024-02-29T24:00:00Z",
        "2024-02-29T12:60:00Z",
        "2024-02-29T23:59:60Z",
        "2024-02-29T12:34:56.Z",
        "2024-02-29T12:34:56,5Z",
        "2024-02-29T12:34:56.1234567890Z",
        "2024-02-29T12:34:56.12345678901234567890123456789012345678901234567890Z",
        "2024-02-29T12:34:56+2:00",
        "2024-02-29T12:34:56+0200",
        "2024-02-29T12:34:56+24:00",
        "2024-02-29T12:34:56+00:60",
        "2024-02-29T12:34:56+02:00Z",
        "2024-02-29T12:34:56+-2:00",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t wall_ms = 42;
        struct error error = {0};
        assert_false(timestamp_parse(bad[i], &wall_ms, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_int_equal(wall_ms, 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_moments_go_both_ways),
        cmocka_unit_test(every_day_of_four_centuries_comes_back),
        cmocka_unit_test(fractions_have_three_or_six_digits),
        cmocka_unit_test(years_beyond_four_digits_stop_at_the_ends),
        cmocka_unit_test(parse_takes_up_to_nine_fraction_digits),
        cmocka_unit_test(parse_takes_any_offset),
        cmocka_unit_test(parse_refuses_everything_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
