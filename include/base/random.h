/* SPDX-License-Identifier: Apache-2.0 */
/* Chance as an argument: the same seed gives the same numbers on every machine. Not for keys or
   passwords. */
#ifndef ADJOINT_BASE_RANDOM_H
#define ADJOINT_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_init(struct random *random, uint64_t seed);
uint64_t random_next(struct random *random);

/* In [0, bound); bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);

/* In [value - value * percent / 100, value + value * percent / 100], the upper end at most
   INT64_MAX; value >= 0, percent 0 to 100. */
int64_t random_jitter(struct random *random, int64_t value, int percent);

#endif
