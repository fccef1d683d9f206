/* SPDX-License-Identifier: Apache-2.0 */
/* Times as cron names them, read as a Kubernetes CronJob reads them (robfig/cron v3, parser.go and
   spec.go): minute, hour, day of the month, month, day of the week; names, lists, ranges, steps;
   @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly. If neither day is *, either
   will do.

   A minute counts if a clock on the wall shows it: one that is left out when clocks go forward does
   not come that day, one that is shown twice when they go back comes twice. */
#ifndef ADJOINT_PLAN_CRON_H
#define ADJOINT_PLAN_CRON_H

#include "base/time_zone.h"

/* A bit for each value. */
struct cron {
    uint64_t minutes, hours, days, months, weekdays; /* weekdays: 0 is Sunday */
    bool any_day, any_weekday;                       /* it was * */
};

/* ERROR_INVALID says which field, and what it may be. */
MUST_CHECK bool cron_parse(const char *text, struct cron *out, struct error *error);

/* The first time after that one; NOW_NEVER: none within five years. Wall. */
int64_t cron_next(const struct cron *cron, const struct time_zone *zone, int64_t after_ms);
/* The last one up to that time and after `after_ms`; NOW_NEVER: none. */
int64_t cron_last(const struct cron *cron, const struct time_zone *zone, int64_t until_ms,
                  int64_t after_ms);

#endif
