/* SPDX-License-Identifier: Apache-2.0 */
/* One list of bounds for all: a dashboard can lay phases over each other. */
#include "operator/histogram.h"

const double histogram_bounds[HISTOGRAM_BUCKETS] = {0.05, 0.1, 0.25, 0.5, 1,   2.5,  5,   10,
                                                    30,   60,  120,  300, 600, 1800, 3600};

void histogram_add(struct histogram *histogram, int64_t duration_ms)
{
    int64_t length_ms = duration_ms < 0 ? 0 : duration_ms;
    histogram->count++;
    histogram->sum_ms += length_ms;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if ((double)length_ms <= histogram_bounds[i] * 1000) {
            histogram->buckets[i]++;
            return;
        }
    }
}
