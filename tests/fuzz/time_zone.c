/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the file: its periods follow each other without a gap, and hold the times they are of.
 */
#include "base/time_zone.h"

#include "support/fuzz_input.h"

#define START INT64_C(-2208988800000) /* 1900 */
enum { PERIODS = 300 };

static void require_periods(const struct time_zone *zone)
{
    int64_t at_ms = START;
    for (int i = 0; i < PERIODS; i++) {
        struct time_zone_period period = time_zone_at(zone, at_ms);
        fuzz_require(period.from_ms <= at_ms && at_ms < period.until_ms, "it holds the time");
        fuzz_require(period.offset_ms > -INT64_C(200000000) && period.offset_ms < 200000000,
                     "it is a clock's offset");
        if (period.until_ms == INT64_MAX) {
            return;
        }
        at_ms = period.until_ms;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct time_zone zone;
    struct error error;
    struct arena arena;
    arena_init(&arena, 0);
    if (time_zone_parse((const char *)bytes, byte_count, &arena, &zone, &error)) {
        require_periods(&zone);
    }
    arena_release(&arena);
    return 0;
}
