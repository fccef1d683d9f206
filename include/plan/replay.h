/* SPDX-License-Identifier: Apache-2.0 */
/* What a size would have done for requests that came: the lane as a leaky bucket. A clone that is
   taken is asked for anew at once, and comes a latency later, but not before a gap after the one
   before it; who finds none takes the next one that comes, in order. */
#ifndef ADJOINT_PLAN_REPLAY_H
#define ADJOINT_PLAN_REPLAY_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* A lane as one Pool sees it; both > 0. */
struct replay_lane {
    int64_t gap_ms, latency_ms;
};

/* How many clones are wanted at a time. It is asked each step_ms, and once if that is 0. */
struct replay_size {
    int64_t (*at)(const void *self, int64_t wall_ms);
    const void *self;
    int64_t step_ms;
};

struct replay {
    int64_t requests, warm;       /* all, and those that found a clone */
    int64_t wait_p95_ms;          /* of all: 0 for those that found one */
    int64_t volumes_most;         /* warm or being made, at a time */
    int64_t volumes_mean_hundred; /* a hundred times their mean over time */
};

/* times_ms: sorted, within [from_ms, to_ms]. The bucket is full when it begins. */
struct replay replay_run(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                         const struct replay_size *size, const struct replay_lane *lane,
                         struct arena *arena);

/* The same with one size all the time. */
struct replay replay_fixed(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                           int64_t size, const struct replay_lane *lane, struct arena *arena);

/* Of ten thousand requests so many were warm; all, if none came. */
int64_t replay_hits(const struct replay *replay);

#endif
