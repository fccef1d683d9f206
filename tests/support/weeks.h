/* SPDX-License-Identifier: Apache-2.0 */
/* When a company asked for clones: mornings in two time zones, quiet afternoons and nights, the day
   before each release, a holiday. From a seed. */
#ifndef ADJOINT_TESTS_SUPPORT_WEEKS_H
#define ADJOINT_TESTS_SUPPORT_WEEKS_H

#include "base/arena.h"
#include "plan/arrivals.h"
#include "plan/replay.h"

#include <stddef.h>
#include <stdint.h>

#define WEEKS_START_MS INT64_C(1788134400000) /* 2026-08-31T00:00:00Z, a Monday */
#define WEEKS_WEEK_MS (INT64_C(7) * 24 * 3600 * 1000)

/* Wall times of the requests of so many weeks, sorted. */
size_t weeks_make(uint64_t seed, int64_t week_count, struct arena *arena, int64_t **out_times_ms);

/* Those before until_ms, as a Pool has recorded them from the first week on. */
void weeks_record(const int64_t *times_ms, size_t count, int64_t until_ms, struct arrivals *out);

/* The smallest size with which 99 of 100 find a clone, on an FSx for OpenZFS; in hindsight. */
struct weeks_best {
    int64_t size;
    struct replay replay;
};
extern const struct replay_lane weeks_lane;
struct weeks_best weeks_best(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                             struct arena *arena);

#endif
