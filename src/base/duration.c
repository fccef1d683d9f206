/* SPDX-License-Identifier: Apache-2.0 */
/* Go's fractions (1.5h) are left out: nobody types them, and every part stays a whole number. */
#include "base/duration.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { NUMBER_BYTES_MAX = 12 };

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

/* The larger ones first. */
static const struct unit {
    const char *name;
    int64_t ms;
} UNITS[] = {{"d", DAY_MS}, {"h", HOUR_MS}, {"m", MINUTE_MS}, {"s", SECOND_MS}, {"ms", 1}};

enum { UNIT_COUNT = sizeof(UNITS) / sizeof(UNITS[0]) };

/* The unit that stands at `at`, among those from first on; UNIT_COUNT: none. */
static size_t find_unit(const char *at, size_t first)
{
    size_t byte_count = strcspn(at, "0123456789");
    for (size_t i = first; i < UNIT_COUNT; i++) {
        if (strlen(UNITS[i].name) == byte_count && strncmp(at, UNITS[i].name, byte_count) == 0) {
            return i;
        }
    }
    return UNIT_COUNT;
}

static bool take_number(const char **at, int64_t *out_number)
{
    char digits[NUMBER_BYTES_MAX + 1] = "";
    size_t byte_count = strspn(*at, "0123456789");
    if (byte_count == 0 || byte_count > NUMBER_BYTES_MAX) {
        return false;
    }
    (void)memcpy(digits, *at, byte_count);
    *at += byte_count;
    struct error ignored; /* the caller says what is expected */
    return text_parse_int64(digits, out_number, &ignored);
}

static bool parse(const char *string, int64_t *out_ms)
{
    int64_t sum_ms = 0;
    size_t unit = 0;
    const char *at = string;
    while (*at != '\0') {
        int64_t number = 0;
        int64_t part_ms = 0;
        if (unit == UNIT_COUNT || !take_number(&at, &number)) {
            return false;
        }
        unit = find_unit(at, unit);
        if (unit == UNIT_COUNT || __builtin_mul_overflow(number, UNITS[unit].ms, &part_ms) ||
            __builtin_add_overflow(sum_ms, part_ms, &sum_ms)) {
            return false;
        }
        at += strlen(UNITS[unit].name);
        unit++;
    }
    if (at == string) {
        return false;
    }
    *out_ms = sum_ms;
    return true;
}

bool duration_parse(const char *string, int64_t *out_ms, struct error *error)
{
    if (text_equal(string, "0")) {
        *out_ms = 0;
        return true;
    }
    return parse(string, out_ms) ||
           error_set(error, ERROR_INVALID, "\"%s\" is no duration such as 90s, 10m or 1h30m",
                     string);
}

void duration_print(int64_t ms, struct text *out)
{
    assert(ms >= 0);
    if (ms == 0) {
        text_append(out, "0s");
    }
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (ms >= UNITS[i].ms) {
            text_print(out, "%" PRId64 "%s", ms / UNITS[i].ms, UNITS[i].name);
            ms %= UNITS[i].ms;
        }
    }
}

static void print_pair(int64_t whole, const char *unit, int64_t rest, const char *rest_unit,
                       struct text *out)
{
    text_print(out, "%" PRId64 "%s", whole, unit);
    if (rest != 0) {
        text_print(out, "%" PRId64 "%s", rest, rest_unit);
    }
}

void duration_print_age(int64_t ms, struct text *out)
{
    int64_t seconds = ms < 0 ? 0 : ms / SECOND_MS;
    int64_t minutes = seconds / 60;
    int64_t hours = minutes / 60;
    int64_t days = hours / 24;
    int64_t years = days / 365;
    if (seconds < 120) {
        print_pair(seconds, "s", 0, "", out);
    } else if (minutes < 10) {
        print_pair(minutes, "m", seconds % 60, "s", out);
    } else if (hours < 3) {
        print_pair(minutes, "m", 0, "", out);
    } else if (hours < 8) {
        print_pair(hours, "h", minutes % 60, "m", out);
    } else if (hours < 48) {
        print_pair(hours, "h", 0, "", out);
    } else if (days < 8) {
        print_pair(days, "d", hours % 24, "h", out);
    } else if (years < 2) {
        print_pair(days, "d", 0, "", out);
    } else {
        print_pair(years, "y", years < 8 ? days % 365 : 0, "d", out);
    }
}
