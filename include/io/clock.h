/* SPDX-License-Identifier: Apache-2.0 */
/* The time of an API server that runs at a speed, as adjoint-sim does: what the operator decides by
   and what people read is in the server's time, or leases, ages and ETAs would be of two times.
   Deadlines of the transport, credentials and the loop itself stay in real time. */
#ifndef ADJOINT_IO_CLOCK_H
#define ADJOINT_IO_CLOCK_H

#include "base/now.h"

/* All zero: the real clock, of every server that is not simulated. */
struct clock {
    int64_t speed;        /* the server's milliseconds in a real one; 0 is 1 */
    int64_t from_wall_ms; /* when the server's wall clock showed the real time */
};

/* The server's time at a real one. Its mono_ms, too, counts from some moment only. */
struct now clock_now(const struct clock *clock, struct now real);

/* The first real mono_ms at which clock_now's is mono_ms or later; NOW_NEVER stays. */
int64_t clock_real_mono_ms(const struct clock *clock, int64_t mono_ms);

#endif
