/* SPDX-License-Identifier: Apache-2.0 */
/* Dates of the proleptic Gregorian calendar and milliseconds since 1970-01-01T00:00 on the same
   clock, whatever that is: UTC's, or one on a wall. */
#ifndef ADJOINT_BASE_CALENDAR_H
#define ADJOINT_BASE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#define CALENDAR_DAY_MS (INT64_C(24) * 60 * 60 * 1000)

struct calendar {
    int year;  /* 0 to 9999 */
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
    int ms_of_day;
};

/* What lies outside the years is the first or last moment of them. */
struct calendar calendar_from_ms(int64_t ms);
int64_t calendar_ms(const struct calendar *calendar);

int calendar_days_of_month(int year, int month);
bool calendar_is_leap_year(int year);
int calendar_weekday(int64_t ms); /* 0 is Sunday */

#endif
