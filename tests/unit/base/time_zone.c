/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time_zone.h"

#include "support/test_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS (INT64_C(3600) * 1000)

struct fixture {
    struct arena arena;
    struct text file;
    struct time_zone zone;
    struct error error;
};

static int begin(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.zone = {.first_offset_ms = 0}};
    arena_init(&fixture.arena, 0);
    text_init(&fixture.file, TIME_ZONE_BYTES_MAX);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    text_release(&fixture->file);
    arena_release(&fixture->arena);
    return 0;
}

static bool parse(struct fixture *fixture)
{
    return time_zone_parse(fixture->file.bytes, fixture->file.length_bytes, &fixture->arena,
                           &fixture->zone, &fixture->error);
}

static void write(struct fixture *fixture, const char *footer)
{
    static const struct time_zone_change changes[] = {{0, HOUR_MS}, {1000 * HOUR_MS, -HOUR_MS}};
    text_clear(&fixture->file);
    test_zone_write(changes, 2, footer, &fixture->file);
}

static void what_a_file_lists_holds_up_to_its_last_change(void **state)
{
    struct fixture *fixture = *state;
    write(fixture, "EST5EDT,M3.2.0,M11.1.0");
    assert_true(parse(fixture));
    struct time_zone_period period = time_zone_at(&fixture->zone, -1);
    assert_true(period.offset_ms == 0 && period.from_ms == INT64_MIN && period.until_ms == 0);
    period = time_zone_at(&fixture->zone, 0);
    assert_true(period.offset_ms == HOUR_MS && period.from_ms == 0);
    assert_true(period.until_ms == 1000 * HOUR_MS);
    period = time_zone_at(&fixture->zone, 1000 * HOUR_MS); /* 1970-02-11: winter, by the footer */
    assert_true(period.offset_ms == -5 * HOUR_MS && period.from_ms == 1000 * HOUR_MS);
}

static void without_a_footer_the_last_offset_stays(void **state)
{
    struct fixture *fixture = *state;
    write(fixture, "");
    assert_true(parse(fixture));
    struct time_zone_period period = time_zone_at(&fixture->zone, INT64_C(1788134400000));
    assert_true(period.offset_ms == -HOUR_MS && period.until_ms == INT64_MAX);
}

/* Offsets, and when clocks change, of `zdump -v`. */
static const struct {
    const char *footer;
    int64_t at_s, offset_s, from_s, until_s;
} TIMES[] = {
    {"CET-1CEST,M3.5.0,M10.5.0/3", 1774745999, 3600, 1761440400, 1774746000},
    {"CET-1CEST,M3.5.0,M10.5.0/3", 1774746000, 7200, 1774746000, 1792890000},
    {"EST5EDT,M3.2.0,M11.1.0", 1772953200, -14400, 1772953200, 1793512800},
    {"EST5EDT,M3.2.0,M11.1.0", 1772953199, -18000, 1762063200, 1772953200},
    {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1775315000, 37800, 1775314800, 1791041400},
    {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1791041400, 39600, 1791041400, 1806764400},
};

static void footers_say_when_clocks_change(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(TIMES) / sizeof(TIMES[0]); i++) {
        assert_true(time_zone_parse_footer(TIMES[i].footer, &fixture->zone, &fixture->error));
        struct time_zone_period period = time_zone_at(&fixture->zone, TIMES[i].at_s * 1000);
        assert_int_equal(period.offset_ms / 1000, TIMES[i].offset_s);
        assert_int_equal(period.from_ms / 1000, TIMES[i].from_s);
        assert_int_equal(period.until_ms / 1000, TIMES[i].until_s);
    }
}

static void days_of_the_year_are_counted_with_and_without_29_february(void **state)
{
    struct fixture *fixture = *state;
    const int64_t first_of_march_2028_ms = INT64_C(1835481600000);
    assert_true(time_zone_parse_footer("AAA0BBB,J60/0,J300", &fixture->zone, &fixture->error));
    assert_true(time_zone_at(&fixture->zone, first_of_march_2028_ms).from_ms ==
                first_of_march_2028_ms);
    assert_true(time_zone_parse_footer("AAA0BBB,60/0,300", &fixture->zone, &fixture->error));
    assert_true(time_zone_at(&fixture->zone, first_of_march_2028_ms).from_ms ==
                first_of_march_2028_ms);
    assert_true(time_zone_parse_footer("AAA0BBB,59/0,300", &fixture->zone, &fixture->error));
    assert_true(time_zone_at(&fixture->zone, first_of_march_2028_ms).from_ms ==
                first_of_march_2028_ms - 24 * HOUR_MS);
}

static void summer_all_year_has_no_winter(void **state)
{
    struct fixture *fixture = *state;
    assert_true(time_zone_parse_footer("XXX3EDT4,0/0,J365/23", &fixture->zone, &fixture->error));
    for (int day = 0; day < 800; day++) {
        int64_t at_ms = INT64_C(1788134400000) + day * 24 * HOUR_MS;
        assert_true(time_zone_at(&fixture->zone, at_ms).offset_ms == -4 * HOUR_MS);
    }
}

static void what_is_no_rule_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        "CE-1",
        "CET",
        "CET-1CEST",
        "CET-1CEST,M3.5.0",
        "CET-25",
        "<CET-1",
        "CET-1x",
        "CET-1CEST,M13.1.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,J0,J100",
        "CET-1CEST,366,10",
        "CET-1CEST,M3.5.0/168,M10.5.0",
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(time_zone_parse_footer(wrong[i], &fixture->zone, &fixture->error));
        assert_int_equal(fixture->error.class, ERROR_INVALID);
    }
}

static void what_is_cut_short_is_refused(void **state)
{
    struct fixture *fixture = *state;
    write(fixture, "CET-1CEST,M3.5.0,M10.5.0/3");
    assert_true(parse(fixture));
    while (fixture->file.length_bytes > 0) {
        fixture->file.length_bytes--;
        assert_false(parse(fixture));
        assert_int_equal(fixture->error.class, ERROR_INVALID);
    }
}

static void leap_seconds_are_refused(void **state)
{
    struct fixture *fixture = *state;
    write(fixture, "CET-1");
    size_t second = 44 + 2 * 5 + 3 * 6 + 4; /* the block of eight bytes */
    struct text file;
    text_init(&file, TIME_ZONE_BYTES_MAX);
    text_append_bytes(&file, fixture->file.bytes, fixture->file.length_bytes);
    static const char room[12];
    file.bytes[second + 20 + 8 + 3] = 1;
    size_t at = second + 44 + 2 * 9 + 3 * 6 + 4;
    text_clear(&fixture->file);
    text_append_bytes(&fixture->file, file.bytes, at);
    text_append_bytes(&fixture->file, room, sizeof room);
    text_append_bytes(&fixture->file, &file.bytes[at], file.length_bytes - at);
    text_release(&file);
    assert_false(parse(fixture));
    assert_non_null(strstr(fixture->error.message, "leap seconds"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_file_lists_holds_up_to_its_last_change),
        TEST(without_a_footer_the_last_offset_stays),
        TEST(footers_say_when_clocks_change),
        TEST(days_of_the_year_are_counted_with_and_without_29_february),
        TEST(summer_all_year_has_no_winter),
        TEST(what_is_no_rule_is_refused),
        TEST(what_is_cut_short_is_refused),
        TEST(leap_seconds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
