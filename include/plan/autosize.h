/* SPDX-License-Identifier: Apache-2.0 */
/* A size from what was asked for: one for all times, and one for each half hour of the week. Both
   are the smallest whose replay reaches the target; that of the week is judged only by weeks that
   it was not made of. */
#ifndef ADJOINT_PLAN_AUTOSIZE_H
#define ADJOINT_PLAN_AUTOSIZE_H

#include "api/pool.h"
#include "plan/arrivals.h"
#include "plan/replay.h"

#define WEEK_SLOT_MS (INT64_C(30) * 60 * 1000)
enum { WEEK_SLOTS = 7 * 48 };

/* Clones by half hours of a week, from Monday 00:00 UTC. */
struct week_sizes {
    unsigned char slots[WEEK_SLOTS];
};

/* How many are wanted at a time, so that as many are there in each half hour as it needs: begun as
   long before as the lane takes, kept for half an hour after it. */
int64_t week_size_at(const struct week_sizes *sizes, const struct replay_lane *lane,
                     int64_t wall_ms);

/* Base64 of a byte a slot, and back; false: it is no such text. */
const char *week_sizes_write(const struct week_sizes *sizes, struct arena *arena);
bool week_sizes_read(const char *text, struct arena *arena, struct week_sizes *out);

struct fixed_advice {
    int64_t size;         /* within min and max of the wish */
    bool reaches;         /* the target; else max is too small */
    struct replay replay; /* with it */
};
struct fixed_advice autosize_fixed(const int64_t *times_ms, size_t count, int64_t from_ms,
                                   int64_t to_ms, const struct autosize_wish *wish,
                                   const struct replay_lane *lane, struct arena *arena);

struct week_advice {
    struct week_sizes sizes;
    bool reaches;         /* else the weeks are too different: one size for all times it is */
    struct replay replay; /* each week with sizes that were made of the others */
};
/* Needs two whole weeks at least: false otherwise. fixed: no half hour gets more than one size for
   all times would be. */
bool autosize_week(const struct arrivals *arrivals, const struct autosize_wish *wish,
                   const struct fixed_advice *fixed, const struct replay_lane *lane,
                   struct arena *arena, struct week_advice *out);

#endif
