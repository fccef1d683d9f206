/* SPDX-License-Identifier: Apache-2.0 */
/* How long claims take until they are Bound, alone and many at once, in each order. The simulator's
   are to be within a factor of two of a real cluster's, measured in the same run: the median of
   claims one at a time, the mean of many. Of many either few or most miss what they wait for, on
   both sides and by a hair, and are found by the binder's resync; a median would jump between the
   two. Bursts begin at the same time before a resync, so that those all wait equally long.

   What rules all of it is the binder's rate limit, and that is asserted of each side by itself. */
#ifndef ADJOINT_CONFORMANCE_TIMINGS_H
#define ADJOINT_CONFORMANCE_TIMINGS_H

#include "conformance/claim.h"
#include "conformance/stage.h"

enum { TIMINGS_SIZES = 3 };

struct timing {
    int64_t p50_ms, mean_ms, max_ms; /* 0: not measured */
};

struct timings {
    struct timing of[ORDER_COUNT][TIMINGS_SIZES];
    int64_t bare_ms[ORDER_COUNT][TIMINGS_SIZES]; /* two writes, just before */
    int64_t resync_ms;                           /* when there was one */
    int round_count;
};

/* One assertion a claim: it gets Bound. */
struct tally timings_measure(const struct subject *subject, struct timings *out);
/* What of the real cluster is too far off is measured anew, up to three times; what was measured
   when the machine was least busy counts. */
struct tally timings_repeat(const struct subject *cluster, const struct timings *simulator,
                            struct timings *of_cluster);
/* Prints the table, either side of which may lack (NULL). One assertion a row, if none does, and
   one for each row of a side. */
struct tally timings_compare(const struct timings *simulator, const struct timings *cluster);

#endif
