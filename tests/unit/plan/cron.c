/* SPDX-License-Identifier: Apache-2.0 */
/* The times are those that robfig/cron v3.0.1 gives, but for one: where clocks change by half an
   hour it misses the rest of that day (Lord Howe at nine). */
#include "plan/cron.h"

#include "base/memory.h"
#include "base/now.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "support/test_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *zone, *cron, *after, *next;
} TIMES[] = {
    {"Europe/Berlin", "0 9 * * MON-FRI", "2026-03-27T08:00:00Z", "2026-03-30T07:00:00Z"},
    {"Europe/Berlin", "30 2 * * *", "2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"},
    {"Europe/Berlin", "30 2 * * *", "2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z"},
    {"Europe/Berlin", "30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"},
    {"Europe/Berlin", "0 * * * *", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"},
    {"America/New_York", "0 9 * * mon-fri", "2026-03-06T14:00:00Z", "2026-03-09T13:00:00Z"},
    {"America/New_York", "15 2 * * *", "2026-03-07T07:15:00Z", "2026-03-09T06:15:00Z"},
    {"America/New_York", "30 1 * * *", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"},
    {"Asia/Kolkata", "30 9 * * 1-5", "2026-08-31T00:00:00Z", "2026-08-31T04:00:00Z"},
    {"Asia/Kolkata", "@daily", "2026-08-31T18:30:00Z", "2026-09-01T18:30:00Z"},
    {"Australia/Lord_Howe", "15 2 * * *", "2026-10-02T15:45:00Z", "2026-10-04T15:15:00Z"},
    {"Australia/Lord_Howe", "45 1 * * *", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"},
    {"Australia/Lord_Howe", "0 9 * * *", "2026-10-02T22:30:00Z", "2026-10-03T22:00:00Z"},
    {"UTC", "0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
    {"UTC", "0 0 13 * FRI", "2026-08-31T00:00:00Z", "2026-09-04T00:00:00Z"},
    {"UTC", "0 0 */2 * FRI", "2026-08-31T00:00:00Z", "2026-09-01T00:00:00Z"},
    {"UTC", "0 0 13 * */2", "2026-08-31T00:00:00Z", "2026-09-01T00:00:00Z"},
    {"UTC", "0 0 * * SUN,3", "2026-08-31T00:00:00Z", "2026-09-02T00:00:00Z"},
    {"UTC", "5/20 8-10/2 1 jan-MAR *", "2026-08-31T00:00:00Z", "2027-01-01T08:05:00Z"},
    {"UTC", "0 0 31 12 *", "2026-12-31T00:00:00Z", "2027-12-31T00:00:00Z"},
    {"UTC", "@yearly", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"},
    {"UTC", "@weekly", "2026-08-31T00:00:00Z", "2026-09-06T00:00:00Z"},
    {"UTC", "@monthly", "2026-08-31T00:00:00Z", "2026-09-01T00:00:00Z"},
    {"UTC", "@hourly", "2026-08-31T00:00:00Z", "2026-08-31T01:00:00Z"},
};

static void read_zone(const char *name, struct arena *arena, struct time_zone *out)
{
    struct time_zone_source zones = test_zones();
    char *bytes;
    size_t byte_count;
    struct error error;
    *out = (struct time_zone){.first_offset_ms = 0};
    if (!text_equal(name, "UTC")) {
        assert_true(zones.read(zones.self, name, &bytes, &byte_count, &error));
        assert_true(time_zone_parse(bytes, byte_count, arena, out, &error));
        memory_free(bytes);
    }
}

static int64_t time_of(const char *text)
{
    int64_t wall_ms = 0;
    struct error error;
    assert_true(timestamp_parse(text, &wall_ms, &error));
    return wall_ms;
}

static struct cron cron_of(const char *text)
{
    struct cron cron;
    struct error error;
    if (!cron_parse(text, &cron, &error)) {
        fail_msg("%s", error.message);
    }
    return cron;
}

static void times_are_those_of_a_cron_job(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof(TIMES) / sizeof(TIMES[0]); i++) {
        struct time_zone zone;
        char next[TIMESTAMP_BYTES];
        struct cron cron = cron_of(TIMES[i].cron);
        int64_t after_ms = time_of(TIMES[i].after);
        read_zone(TIMES[i].zone, &arena, &zone);
        int64_t next_ms = cron_next(&cron, &zone, after_ms);
        timestamp_format_seconds(next_ms, next);
        assert_string_equal(next, TIMES[i].next);
        assert_true(cron_last(&cron, &zone, next_ms + 59999, after_ms) == next_ms);
        assert_true(cron_last(&cron, &zone, next_ms - 1, after_ms) == NOW_NEVER);
    }
    arena_release(&arena);
}

static void a_day_that_never_comes_is_never(void **state)
{
    (void)state;
    static const struct time_zone utc = {.first_offset_ms = 0};
    struct cron cron = cron_of("0 0 31 2 *");
    assert_true(cron_next(&cron, &utc, INT64_C(1788134400000)) == NOW_NEVER);
    assert_true(cron_last(&cron, &utc, INT64_C(1788134400000), INT64_C(1700000000000)) ==
                NOW_NEVER);
}

static void each_minute_of_a_year_comes_once(void **state)
{
    (void)state;
    struct arena arena;
    struct time_zone zone;
    arena_init(&arena, 0);
    read_zone("Australia/Lord_Howe", &arena, &zone);
    struct cron cron = cron_of("* * * * *");
    int64_t at_ms = INT64_C(1788134400000);
    for (int i = 0; i < 366 * 1440; i++) {
        assert_true(cron_next(&cron, &zone, at_ms) == at_ms + 60000);
        at_ms += 60000;
    }
    arena_release(&arena);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"0 9 * *", "is no schedule"},
        {"", "is no schedule"},
        {"@every 1h", "is no schedule"},
        {"@noon", "is no schedule"},
        {"TZ=UTC 0 9 * * *", "is no minute"},
        {"0 9 * * * *", "more than five fields"},
        {"60 9 * * *", "\"60\" is no minute"},
        {"0 24 * * *", "\"24\" is no hour"},
        {"0 9 0 * *", "\"0\" is no day of the month"},
        {"0 9 * 13 *", "\"13\" is no month"},
        {"0 9 * * 7", "\"7\" is no day of the week: give *, or numbers from 0 to 6, names"},
        {"0 9 * * FRI-MON", "is no day of the week"},
        {"0 9 * * MONDAY", "is no day of the week"},
        {"0 9 MON * *", "is no day of the month"},
        {"*/0 9 * * *", "is no minute"},
        {"1-2-3 9 * * *", "is no minute"},
        {"1/2/3 9 * * *", "is no minute"},
        {"1,,2 9 * * *", "is no minute"},
        {", 9 * * *", "is no minute"},
        {"-1 9 * * *", "is no minute"},
        {"00000 9 * * *", "is no minute"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct cron cron;
        struct error error;
        assert_false(cron_parse(wrong[i][0], &cron, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        if (strstr(error.message, wrong[i][1]) == NULL) {
            fail_msg("%s: %s", wrong[i][0], error.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_a_cron_job),
        cmocka_unit_test(a_day_that_never_comes_is_never),
        cmocka_unit_test(each_minute_of_a_year_comes_once),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
