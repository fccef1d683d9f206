/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/figures.h"

#include <stdbool.h>
#include <stdlib.h>

enum { WHOLE = 100, STRAIGHT = 90, RATIO_PARALLEL = 150, RATIO_QUEUE = 200 };

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one;
    int64_t b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

void figures_sort(int64_t *values, size_t count)
{
    if (count > 0) {
        qsort(values, count, sizeof(*values), compare);
    }
}

int64_t figures_quantile(const int64_t *sorted, size_t count, int percent)
{
    if (count == 0) {
        return 0;
    }
    int64_t place = (int64_t)(count - 1) * percent; /* in hundredths */
    size_t below = (size_t)(place / WHOLE);
    int64_t part = place % WHOLE;
    int64_t rise = part == 0 ? 0 : sorted[below + 1] - sorted[below];
    return sorted[below] + (rise * part + WHOLE / 2) / WHOLE;
}

int figures_straightness(const int64_t *sorted, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)sorted[i];
    }
    double value_mean = count == 0 ? 0 : sum / (double)count;
    double place_mean = ((double)count - 1) / 2;
    double places = 0;
    double values = 0;
    double both = 0;
    for (size_t i = 0; i < count; i++) {
        double place = (double)i - place_mean;
        double value = (double)sorted[i] - value_mean;
        places += place * place;
        values += value * value;
        both += place * value;
    }
    return count < 3 || values == 0 ? 0 : (int)(WHOLE * both * both / (places * values));
}

enum fanout_shape figures_shape(const int64_t *sorted, size_t count)
{
    if (count < FANOUT_COUNT_MIN) {
        return FANOUT_FEW;
    }
    int64_t first = sorted[0];
    int64_t last = sorted[count - 1] * WHOLE;
    if (last < first * RATIO_PARALLEL) {
        return FANOUT_PARALLEL;
    }
    bool is_queue = last >= first * RATIO_QUEUE && figures_straightness(sorted, count) >= STRAIGHT;
    return is_queue ? FANOUT_QUEUE : FANOUT_UNCLEAR;
}
