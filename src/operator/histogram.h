/* SPDX-License-Identifier: Apache-2.0 */
/* Durations in fixed buckets, from what one request takes to a morning's queue. */
#ifndef ADJOINT_SRC_OPERATOR_HISTOGRAM_H
#define ADJOINT_SRC_OPERATOR_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 15 };

/* Upper bounds in seconds; what is longer counts in none of them. */
extern const double histogram_bounds[HISTOGRAM_BUCKETS];

struct histogram {
    uint64_t buckets[HISTOGRAM_BUCKETS]; /* each without those below it */
    uint64_t count;
    int64_t sum_ms;
};

void histogram_add(struct histogram *histogram, int64_t duration_ms); /* negative: 0 */

#endif
