/* SPDX-License-Identifier: Apache-2.0 */
/* Chance only shortens the delay, so that ms_max is kept; it only lengthens what a server asked
   for, so that nobody comes back too early. */
#include "kube/backoff.h"

#include <assert.h>

int64_t backoff_ms(int failures, int64_t ms_min, int64_t ms_max, int64_t at_least_ms,
                   struct random *random)
{
    assert(failures >= 1);
    assert(ms_min > 0 && ms_min <= ms_max);

    int64_t delay_ms = ms_min;
    for (int failure = 1; failure < failures && delay_ms < ms_max; failure++) {
        delay_ms = delay_ms > ms_max / 2 ? ms_max : delay_ms * 2;
    }
    delay_ms -= (int64_t)random_below(random, (uint64_t)(delay_ms / 2) + 1);
    if (at_least_ms > delay_ms) {
        uint64_t spread_ms = (uint64_t)(at_least_ms / 4);
        delay_ms = at_least_ms + (int64_t)random_below(random, spread_ms + 1);
    }
    return delay_ms;
}
