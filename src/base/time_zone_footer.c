/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of POSIX' TZ, and the offset at a time. Offsets there are those to be added to local
   time, so their sign is the other one. */
#include "base/time_zone.h"

#include "base/calendar.h"

#include <ctype.h>

enum {
    SECOND_MS = 1000,
    LETTERS_MIN = 3,
    OFFSET_HOURS_MAX = 24,
    RULE_HOURS_MAX = 167, /* TZif of version 3 */
    RULE_TIME_MS = 2 * 3600 * SECOND_MS,
    HOUR_MS = 3600 * SECOND_MS,
    WEEK_DAYS = 7,
    LAST_WEEK = 5,
    YEAR_DAYS = 365,
    MARCH = 60, /* the day of the year that 1 March is without a leap day */
    YEAR_MIN = 1,
    YEAR_MAX = 9998,
};

/* ---- reading ---- */

static bool take_char(const char **at, char wanted)
{
    bool is_there = **at == wanted;
    *at += is_there;
    return is_there;
}

static bool take_number(const char **at, int least, int most, int *out)
{
    int value = 0;
    int digits = 0;
    for (; isdigit((unsigned char)**at) && digits < 3; (*at)++, digits++) {
        value = value * 10 + (**at - '0');
    }
    *out = value;
    return digits > 0 && value >= least && value <= most;
}

static bool take_name(const char **at)
{
    bool is_quoted = take_char(at, '<');
    int letters = 0;
    for (; isalpha((unsigned char)**at) ||
           (is_quoted && (isdigit((unsigned char)**at) || **at == '+' || **at == '-'));
         (*at)++) {
        letters++;
    }
    return letters >= LETTERS_MIN && (!is_quoted || take_char(at, '>'));
}

static bool take_time(const char **at, int hours_max, int64_t *out_ms)
{
    bool is_negative = **at == '-';
    *at += is_negative || **at == '+';
    int hours = 0;
    int minutes = 0;
    int seconds = 0;
    bool good =
        take_number(at, 0, hours_max, &hours) &&
        (!take_char(at, ':') || (take_number(at, 0, 59, &minutes) &&
                                 (!take_char(at, ':') || take_number(at, 0, 59, &seconds))));
    int64_t ms = ((int64_t)hours * 3600 + minutes * INT64_C(60) + seconds) * SECOND_MS;
    *out_ms = is_negative ? -ms : ms;
    return good;
}

static bool take_rule(const char **at, struct time_zone_rule *out)
{
    *out = (struct time_zone_rule){.kind = ZONE_DAY_OF_YEAR, .time_ms = RULE_TIME_MS};
    bool good;
    if (take_char(at, 'M')) {
        out->kind = ZONE_DAY_OF_MONTH;
        good = take_number(at, 1, 12, &out->month) && take_char(at, '.') &&
               take_number(at, 1, LAST_WEEK, &out->week) && take_char(at, '.') &&
               take_number(at, 0, WEEK_DAYS - 1, &out->weekday);
    } else if (take_char(at, 'J')) {
        out->kind = ZONE_DAY_WITHOUT_LEAP;
        good = take_number(at, 1, YEAR_DAYS, &out->day);
    } else {
        good = take_number(at, 0, YEAR_DAYS, &out->day);
    }
    return good && (!take_char(at, '/') || take_time(at, RULE_HOURS_MAX, &out->time_ms));
}

static bool take_summer(const char **at, struct time_zone *zone)
{
    zone->has_summer = true;
    zone->summer_ms = zone->standard_ms + HOUR_MS;
    if (!take_name(at)) {
        return false;
    }
    if (**at != ',') {
        bool good = take_time(at, OFFSET_HOURS_MAX, &zone->summer_ms);
        zone->summer_ms = -zone->summer_ms;
        if (!good) {
            return false;
        }
    }
    return take_char(at, ',') && take_rule(at, &zone->summer_begins) && take_char(at, ',') &&
           take_rule(at, &zone->summer_ends);
}

bool time_zone_parse_footer(const char *text, struct time_zone *out, struct error *error)
{
    struct time_zone zone = {.has_footer = true};
    const char *at = text;
    bool good = take_name(&at) && take_time(&at, OFFSET_HOURS_MAX, &zone.standard_ms);
    zone.standard_ms = -zone.standard_ms;
    zone.first_offset_ms = zone.standard_ms;
    if (!good || (*at != '\0' && !take_summer(&at, &zone)) || *at != '\0') {
        return error_set(error, ERROR_INVALID, "\"%s\" is no rule of a time zone", text);
    }
    *out = zone;
    return true;
}

/* ---- at a time ---- */

/* The rule's time of that year, by the clock before it. */
static int64_t rule_ms(const struct time_zone_rule *rule, int year)
{
    struct calendar first = {.year = year, .month = 1, .day = 1};
    int days = rule->day;
    switch (rule->kind) {
    case ZONE_DAY_OF_MONTH:
        first.month = rule->month;
        days = (rule->weekday - calendar_weekday(calendar_ms(&first)) + WEEK_DAYS) % WEEK_DAYS;
        days += (rule->week - 1) * WEEK_DAYS;
        days -= days >= calendar_days_of_month(year, rule->month) ? WEEK_DAYS : 0;
        break;
    case ZONE_DAY_WITHOUT_LEAP:
        days += calendar_is_leap_year(year) && rule->day >= MARCH ? 0 : -1;
        break;
    case ZONE_DAY_OF_YEAR:
        break;
    }
    return calendar_ms(&first) + days * CALENDAR_DAY_MS + rule->time_ms;
}

/* Where one summer ends as the next begins, there is no winter. */
static void note_change(struct time_zone_period *period, int64_t wall_ms, int64_t at_ms,
                        int64_t offset_ms)
{
    if (at_ms > wall_ms) {
        period->until_ms = at_ms < period->until_ms ? at_ms : period->until_ms;
    } else if (at_ms >= period->from_ms) {
        period->from_ms = at_ms;
        period->offset_ms = offset_ms;
    }
}

static struct time_zone_period by_footer(const struct time_zone *zone, int64_t wall_ms)
{
    struct time_zone_period period = {INT64_MIN, INT64_MAX, zone->standard_ms};
    if (!zone->has_summer) {
        return period;
    }
    int year = calendar_from_ms(wall_ms).year;
    year = year < YEAR_MIN ? YEAR_MIN : year > YEAR_MAX ? YEAR_MAX : year;
    for (int i = year - 1; i <= year + 1; i++) {
        note_change(&period, wall_ms, rule_ms(&zone->summer_ends, i) - zone->summer_ms,
                    zone->standard_ms);
    }
    for (int i = year - 1; i <= year + 1; i++) {
        note_change(&period, wall_ms, rule_ms(&zone->summer_begins, i) - zone->standard_ms,
                    zone->summer_ms);
    }
    return period;
}

struct time_zone_period time_zone_at(const struct time_zone *zone, int64_t wall_ms)
{
    size_t after = zone->change_count;
    while (after > 0 && zone->changes[after - 1].at_ms > wall_ms) {
        after--;
    }
    const struct time_zone_change *last = after == 0 ? NULL : &zone->changes[after - 1];
    struct time_zone_period period = {last == NULL ? INT64_MIN : last->at_ms, INT64_MAX,
                                      last == NULL ? zone->first_offset_ms : last->offset_ms};
    if (after < zone->change_count) {
        period.until_ms = zone->changes[after].at_ms;
        return period;
    }
    if (!zone->has_footer) {
        return period;
    }
    struct time_zone_period rule = by_footer(zone, wall_ms);
    rule.from_ms = rule.from_ms > period.from_ms ? rule.from_ms : period.from_ms;
    return rule;
}
