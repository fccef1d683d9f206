/* SPDX-License-Identifier: Apache-2.0 */
/* What many measured times come to. Values are in ms, or whatever the caller counts in. */
#ifndef ADJOINT_CLI_FIGURES_H
#define ADJOINT_CLI_FIGURES_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

/* For printf: ms as seconds with their tenths, cut. */
#define FIGURES_SECONDS "%" PRId64 ".%" PRId64
#define FIGURES_SECONDS_OF(ms) (ms) / 1000, (ms) % 1000 / 100

void figures_sort(int64_t *values, size_t count);

/* Of sorted values: below it lie percent of them, in proportion between the two neighbours, as
   spreadsheets and NumPy have it. 0 of none. */
int64_t figures_quantile(const int64_t *sorted, size_t count, int percent);

/* How straight they rise from the first to the last: the coefficient of determination of value
   against place, in percent. 0 of fewer than three, and when they are all the same. */
int figures_straightness(const int64_t *sorted, size_t count);

/* What they look like as completions of requests that were sent at once. */
enum fanout_shape {
    FANOUT_FEW,      /* fewer than FANOUT_COUNT_MIN: nothing can be told */
    FANOUT_PARALLEL, /* the last takes less than 1.5 times what the first takes */
    FANOUT_QUEUE,    /* at least twice, on a line of at least 90 percent */
    FANOUT_UNCLEAR,
};
enum { FANOUT_COUNT_MIN = 4 };
enum fanout_shape figures_shape(const int64_t *sorted, size_t count);

#endif
