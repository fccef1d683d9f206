/* SPDX-License-Identifier: Apache-2.0 */
/* A clock that was set, or a machine that slept: between two steps the wall clock went another way
   than the monotonic one. What it is slewed by is less. */
#include "operator/state.h"

#define SLEW_MS_MAX 10000

void clock_watch(struct operator* op, struct now now)
{
    int64_t offset_ms = now.wall_ms - now.mono_ms;
    int64_t moved_ms = offset_ms - op->clock_offset_ms;
    if (moved_ms > SLEW_MS_MAX || moved_ms < -SLEW_MS_MAX) {
        op->clock_set_ms = now.mono_ms;
    }
    op->clock_offset_ms = offset_ms;
}
