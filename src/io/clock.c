/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the real time alone, so that every process that reads the same kubeconfig has the
   same clock, and a later one too. It leans on the real wall clock, which a step of NTP moves, and
   this one with it, times the speed: that is for demonstrations to bear. */
#include "io/clock.h"

static int64_t speed_of(const struct clock *clock)
{
    return clock->speed == 0 ? 1 : clock->speed;
}

struct now clock_now(const struct clock *clock, struct now real)
{
    int64_t speed = speed_of(clock);
    return (struct now){
        .mono_ms = real.mono_ms * speed,
        .wall_ms = clock->from_wall_ms + (real.wall_ms - clock->from_wall_ms) * speed,
    };
}

int64_t clock_real_mono_ms(const struct clock *clock, int64_t mono_ms)
{
    int64_t speed = speed_of(clock);
    int64_t real_ms = mono_ms / speed;
    return mono_ms == NOW_NEVER ? NOW_NEVER : real_ms + (mono_ms % speed > 0 ? 1 : 0);
}
