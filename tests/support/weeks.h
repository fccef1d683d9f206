/* SPDX-License-Identifier: Apache-2.0 */
/* When a company asked for clones: mornings in two time zones, quiet afternoons and nights, the day
   before each release, a holiday. From a seed. */
#ifndef ADJOINT_TESTS_SUPPORT_WEEKS_H
#define ADJOINT_TESTS_SUPPORT_WEEKS_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define WEEKS_START_MS INT64_C(1788134400000) /* 2026-08-31T00:00:00Z, a Monday */
#define WEEKS_WEEK_MS (INT64_C(7) * 24 * 3600 * 1000)

/* Wall times of the requests of so many weeks, sorted. */
size_t weeks_make(uint64_t seed, int64_t week_count, struct arena *arena, int64_t **out_times_ms);

#endif
