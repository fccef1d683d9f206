/* SPDX-License-Identifier: Apache-2.0 */
/* While a zone's offset stays the same its clocks are a number line: times are looked for on it, a
   day after the other, and then on that of the next offset. */
#include "plan/cron.h"

#include "base/calendar.h"
#include "base/now.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define MINUTE_MS (INT64_C(60) * 1000)
#define HOUR_MS (60 * MINUTE_MS)
/* As far as CronJobs look. */
#define REACH_MS (INT64_C(5) * 366 * CALENDAR_DAY_MS)

enum { FIELD_BYTES = 128, NAME_LETTERS = 3 };

/* ---- reading ---- */

struct field_kind {
    const char *title;
    int least, most;
    const char *names; /* three letters each, from least on; "": none */
};

enum { FIELD_MINUTE, FIELD_HOUR, FIELD_DAY, FIELD_MONTH, FIELD_WEEKDAY, FIELD_COUNT };
static const struct field_kind KINDS[FIELD_COUNT] = {
    {"minute", 0, 59, ""},
    {"hour", 0, 23, ""},
    {"day of the month", 1, 31, ""},
    {"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
    {"day of the week", 0, 6, "sunmontuewedthufrisat"},
};

static bool take_char(const char **at, char wanted)
{
    bool is_there = **at == wanted;
    *at += is_there;
    return is_there;
}

static bool take_name(const struct field_kind *kind, const char **at, int *out)
{
    int value = kind->least;
    for (const char *name = kind->names; *name != '\0'; name += NAME_LETTERS, value++) {
        int same = 0;
        while (same < NAME_LETTERS && tolower((unsigned char)(*at)[same]) == name[same]) {
            same++;
        }
        if (same == NAME_LETTERS) {
            *at += NAME_LETTERS;
            *out = value;
            return true;
        }
    }
    return false;
}

/* More digits than a value has are none. */
static bool take_value(const struct field_kind *kind, const char **at, int *out)
{
    int value = 0;
    int digits = 0;
    if (take_name(kind, at, out)) {
        return true;
    }
    for (; isdigit((unsigned char)**at) && digits < 4; (*at)++, digits++) {
        value = value * 10 + (**at - '0');
    }
    *out = value;
    return digits > 0;
}

/* One of a list; a step behind one value goes on to the end. */
static bool take_range(const struct field_kind *kind, const char **at, uint64_t *bits, bool *any)
{
    int first = kind->least;
    int last = kind->most;
    int step = 1;
    bool is_any = take_char(at, '*') || take_char(at, '?');
    bool is_one = false;
    if (!is_any) {
        if (!take_value(kind, at, &first)) {
            return false;
        }
        last = first;
        is_one = !take_char(at, '-');
        if (!is_one && !take_value(kind, at, &last)) {
            return false;
        }
    }
    if (take_char(at, '/')) {
        static const struct field_kind number = {.names = ""};
        if (!take_value(&number, at, &step) || step == 0) {
            return false;
        }
        last = is_one ? kind->most : last;
    }
    if (first < kind->least || last > kind->most || first > last) {
        return false;
    }
    for (int i = first; i <= last; i += step) {
        *bits |= UINT64_C(1) << i;
    }
    *any = *any || (is_any && step == 1);
    return true;
}

static bool read_field(const struct field_kind *kind, const char *text, uint64_t *out_bits,
                       bool *out_any, struct error *error)
{
    const char *at = text;
    bool good;
    *out_bits = 0;
    *out_any = false;
    do {
        good = take_range(kind, &at, out_bits, out_any);
    } while (good && take_char(&at, ','));
    if (good && *at == '\0') {
        return true;
    }
    return error_set(error, ERROR_INVALID,
                     "\"%s\" is no %s: give *, or numbers from %d to %d%s, ranges such as %d-%d, "
                     "steps such as */2, or a list of those",
                     text, kind->title, kind->least, kind->most,
                     kind->names[0] == '\0' ? "" : ", names of three letters", kind->least,
                     kind->least + 3);
}

static const char *spelled_out(const char *text)
{
    static const char *const words[][2] = {
        {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
        {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
        {"@hourly", "0 * * * *"},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (text_equal(text, words[i][0])) {
            return words[i][1];
        }
    }
    return text;
}

/* The next word of the text; "": there is none. */
static void next_word(const char **at, char out[FIELD_BYTES])
{
    size_t length = 0;
    *at += strspn(*at, " ");
    while (**at != '\0' && **at != ' ' && length + 1 < FIELD_BYTES) {
        out[length++] = *(*at)++;
    }
    out[length] = '\0';
}

bool cron_parse(const char *text, struct cron *out, struct error *error)
{
    const char *at = spelled_out(text);
    uint64_t bits[FIELD_COUNT];
    bool any[FIELD_COUNT];
    char word[FIELD_BYTES] = "";
    for (int i = 0; i < FIELD_COUNT; i++) {
        next_word(&at, word);
        if (word[0] == '\0' || word[0] == '@') {
            return error_set(
                error, ERROR_INVALID,
                "\"%s\" is no schedule: give minute, hour, day of the month, month and "
                "day of the week, as in 0 9 * * MON-FRI, or @daily",
                text);
        }
        if (!read_field(&KINDS[i], word, &bits[i], &any[i], error)) {
            return false;
        }
    }
    next_word(&at, word);
    if (word[0] != '\0') {
        return error_set(error, ERROR_INVALID,
                         "\"%s\" has more than five fields: the first is the minute", text);
    }
    *out = (struct cron){.minutes = bits[FIELD_MINUTE],
                         .hours = bits[FIELD_HOUR],
                         .days = bits[FIELD_DAY],
                         .months = bits[FIELD_MONTH],
                         .weekdays = bits[FIELD_WEEKDAY],
                         .any_day = any[FIELD_DAY],
                         .any_weekday = any[FIELD_WEEKDAY]};
    return true;
}

/* ---- times ---- */

static bool has(uint64_t bits, int value)
{
    return (bits >> value & 1) != 0;
}

static bool day_matches(const struct cron *cron, int64_t day_ms)
{
    struct calendar calendar = calendar_from_ms(day_ms);
    bool day = has(cron->days, calendar.day);
    bool weekday = has(cron->weekdays, calendar_weekday(day_ms));
    bool either = cron->any_day || cron->any_weekday ? day && weekday : day || weekday;
    return has(cron->months, calendar.month) && either;
}

static int64_t find_in_hour(const struct cron *cron, int64_t hour_ms, int64_t from_ms,
                            int64_t to_ms, bool back)
{
    for (int i = 0; i < 60; i++) {
        int minute = back ? 59 - i : i;
        int64_t at_ms = hour_ms + minute * MINUTE_MS;
        if (has(cron->minutes, minute) && at_ms >= from_ms && at_ms <= to_ms) {
            return at_ms;
        }
    }
    return NOW_NEVER;
}

/* The first minute of that day within [from, to], by its clock, the last one when back; to < from:
   none. */
static int64_t find_in_day(const struct cron *cron, int64_t day_ms, int64_t from_ms, int64_t to_ms,
                           bool back)
{
    for (int i = 0; i < 24; i++) {
        int hour = back ? 23 - i : i;
        int64_t hour_ms = day_ms + hour * HOUR_MS;
        bool overlaps = hour_ms <= to_ms && hour_ms + HOUR_MS > from_ms;
        int64_t found_ms = has(cron->hours, hour) && overlaps
                               ? find_in_hour(cron, hour_ms, from_ms, to_ms, back)
                               : NOW_NEVER;
        if (found_ms != NOW_NEVER) {
            return found_ms;
        }
    }
    return NOW_NEVER;
}

static int64_t day_of(int64_t ms)
{
    int64_t within_ms = ms % CALENDAR_DAY_MS;
    return ms - within_ms - (within_ms < 0 ? CALENDAR_DAY_MS : 0);
}

/* Both ends belong to it. */
static int64_t find(const struct cron *cron, int64_t from_ms, int64_t to_ms, bool back)
{
    int64_t step_ms = back ? -CALENDAR_DAY_MS : CALENDAR_DAY_MS;
    int64_t day_ms = day_of(back ? to_ms : from_ms);
    for (; day_ms <= to_ms && day_ms + CALENDAR_DAY_MS > from_ms; day_ms += step_ms) {
        int64_t found_ms =
            day_matches(cron, day_ms) ? find_in_day(cron, day_ms, from_ms, to_ms, back) : NOW_NEVER;
        if (found_ms != NOW_NEVER) {
            return found_ms;
        }
    }
    return NOW_NEVER;
}

int64_t cron_next(const struct cron *cron, const struct time_zone *zone, int64_t after_ms)
{
    int64_t end_ms = after_ms + REACH_MS;
    for (int64_t from_ms = after_ms + 1; from_ms < end_ms;) {
        struct time_zone_period period = time_zone_at(zone, from_ms);
        int64_t last_ms = (period.until_ms < end_ms ? period.until_ms : end_ms) - 1;
        int64_t found_ms =
            find(cron, from_ms + period.offset_ms, last_ms + period.offset_ms, false);
        if (found_ms != NOW_NEVER) {
            return found_ms - period.offset_ms;
        }
        from_ms = last_ms + 1;
    }
    return NOW_NEVER;
}

int64_t cron_last(const struct cron *cron, const struct time_zone *zone, int64_t until_ms,
                  int64_t after_ms)
{
    for (int64_t to_ms = until_ms; to_ms > after_ms;) {
        struct time_zone_period period = time_zone_at(zone, to_ms);
        int64_t first_ms = period.from_ms > after_ms ? period.from_ms : after_ms + 1;
        int64_t found_ms = find(cron, first_ms + period.offset_ms, to_ms + period.offset_ms, true);
        if (found_ms != NOW_NEVER) {
            return found_ms - period.offset_ms;
        }
        to_ms = first_ms - 1;
    }
    return NOW_NEVER;
}
