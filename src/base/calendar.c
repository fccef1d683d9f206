/* SPDX-License-Identifier: Apache-2.0 */
/* Days are counted from 0000-01-01, so that no quotient is of a negative number. */
#include "base/calendar.h"

enum {
    DAYS_TO_1970 = 719528,
    YEAR_MAX = 9999,
    THURSDAY = 4, /* 1970 began on one */
    WEEK_DAYS = 7,
};

bool calendar_is_leap_year(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int calendar_days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && calendar_is_leap_year(year) ? 1 : 0);
}

/* From 0000-01-01, which begins a leap year, to the year's first day. */
static int days_before_year(int year)
{
    if (year == 0) {
        return 0;
    }
    int last = year - 1;
    return year * 365 + 1 + last / 4 - last / 100 + last / 400;
}

int64_t calendar_ms(const struct calendar *calendar)
{
    int days = days_before_year(calendar->year) + calendar->day - 1;
    for (int month = 1; month < calendar->month; month++) {
        days += calendar_days_of_month(calendar->year, month);
    }
    return (int64_t)(days - DAYS_TO_1970) * CALENDAR_DAY_MS + calendar->ms_of_day;
}

/* What four digits of year cannot say becomes the nearest that they can. */
struct calendar calendar_from_ms(int64_t ms)
{
    const int64_t first_ms = (int64_t)-DAYS_TO_1970 * CALENDAR_DAY_MS;
    const int64_t last_ms =
        (int64_t)(days_before_year(YEAR_MAX + 1) - DAYS_TO_1970) * CALENDAR_DAY_MS - 1;
    ms = ms < first_ms ? first_ms : ms;
    ms = ms > last_ms ? last_ms : ms;

    int days = (int)((ms - first_ms) / CALENDAR_DAY_MS);
    struct calendar calendar = {.month = 1, .ms_of_day = (int)((ms - first_ms) % CALENDAR_DAY_MS)};
    calendar.year = days / 366;
    while (days_before_year(calendar.year + 1) <= days) {
        calendar.year++;
    }
    days -= days_before_year(calendar.year);
    while (days >= calendar_days_of_month(calendar.year, calendar.month)) {
        days -= calendar_days_of_month(calendar.year, calendar.month);
        calendar.month++;
    }
    calendar.day = days + 1;
    return calendar;
}

int calendar_weekday(int64_t ms)
{
    int64_t days = ms / CALENDAR_DAY_MS - (ms % CALENDAR_DAY_MS < 0);
    return (int)(((days + THURSDAY) % WEEK_DAYS + WEEK_DAYS) % WEEK_DAYS);
}
