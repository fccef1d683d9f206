/* SPDX-License-Identifier: Apache-2.0 */
#include "support/weeks.h"

#include "base/random.h"

#include <stdbool.h>

enum {
    MINUTE_MS = 60 * 1000,
    DAY_MINUTES = 24 * 60,
    WEEK_DAYS = 7,
    FRIDAY = 4,
    THURSDAY = 3,
    MILLION = 1000 * 1000,
    REQUESTS_A_MINUTE_MAX = 3,
    HITS_WANTED = 9900,
};

const struct replay_lane weeks_lane = {60 * 1000, 127500};

/* Of minutes since midnight UTC. */
struct stretch {
    int64_t from, to;
    int64_t rate;
};

/* Office hours of Dublin and of New York, in summer: eight to five, and thirteen to ten. */
static const struct stretch WORKDAY[] = {
    {0, 480, 2000},     {480, 490, 1500000}, {490, 510, 700000}, {510, 600, 200000},
    {600, 780, 60000},  {780, 790, 1000000}, {790, 810, 500000}, {810, 900, 150000},
    {900, 1260, 40000}, {1260, 1440, 4000},
};
/* Everybody tries the release once more. */
static const struct stretch EVENING_BEFORE = {840, 870, 900000};

/* Requests in a million minutes. */
static int64_t rate_at(int64_t day, int64_t minute)
{
    int64_t week = day / WEEK_DAYS, weekday = day % WEEK_DAYS;
    bool is_holiday = week % 4 == 2 && weekday == 0;
    if (weekday > FRIDAY || is_holiday) {
        return WORKDAY[0].rate;
    }
    if (week % 2 == 1 && weekday == THURSDAY && minute >= EVENING_BEFORE.from &&
        minute < EVENING_BEFORE.to) {
        return EVENING_BEFORE.rate;
    }
    size_t at = 0;
    while (minute >= WORKDAY[at].to) {
        at++;
    }
    return WORKDAY[at].rate;
}

size_t weeks_make(uint64_t seed, int64_t week_count, struct arena *arena, int64_t **out_times_ms)
{
    struct random random;
    int64_t minutes = week_count * WEEK_DAYS * DAY_MINUTES;
    int64_t *times_ms =
        arena_new(arena, (size_t)minutes * REQUESTS_A_MINUTE_MAX + 1, sizeof *times_ms);
    size_t count = 0;
    random_init(&random, seed);
    for (int64_t minute = 0; minute < minutes; minute++) {
        int64_t rate = rate_at(minute / DAY_MINUTES, minute % DAY_MINUTES);
        for (int i = 0; i < REQUESTS_A_MINUTE_MAX; i++) {
            if (random_below(&random, (uint64_t)REQUESTS_A_MINUTE_MAX * MILLION) < (uint64_t)rate) {
                times_ms[count] =
                    WEEKS_START_MS + minute * MINUTE_MS + i * MINUTE_MS / REQUESTS_A_MINUTE_MAX;
                count++;
            }
        }
    }
    *out_times_ms = times_ms;
    return count;
}

void weeks_record(const int64_t *times_ms, size_t count, int64_t until_ms, struct arrivals *out)
{
    *out = (struct arrivals){.since = WEEKS_START_MS / ARRIVAL_BUCKET_MS,
                             .until = until_ms / ARRIVAL_BUCKET_MS};
    for (size_t i = 0; i < count && times_ms[i] < until_ms; i++) {
        out->counts[times_ms[i] / ARRIVAL_BUCKET_MS % ARRIVAL_BUCKETS]++;
    }
}

struct weeks_best weeks_best(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                             struct arena *arena)
{
    struct weeks_best best = {.size = 0};
    do {
        best.replay =
            replay_fixed(times_ms, count, from_ms, to_ms, ++best.size, &weeks_lane, arena);
    } while (replay_hits(&best.replay) < HITS_WANTED);
    return best;
}
