/* SPDX-License-Identifier: Apache-2.0 */
/* The time of one step, read once and passed on: mono for back-off and deadlines (never goes
   back), wall for lifetimes, ETAs and what people read. Nobody below operator/ reads a clock. */
#ifndef ADJOINT_BASE_NOW_H
#define ADJOINT_BASE_NOW_H

#include <stdint.h>

struct now {
    int64_t mono_ms;
    int64_t wall_ms; /* since 1970-01-01T00:00:00Z */
};

#define NOW_NEVER INT64_MAX

#endif
