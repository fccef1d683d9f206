/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the schedule and the zone's rule: the next time comes later, is one that a clock on the
   wall shows, and nothing is between. */
#include "plan/cron.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "base/now.h"
#include "support/fuzz_input.h"

#define START INT64_C(1788134400000)
#define MINUTE_MS (INT64_C(60) * 1000)

static bool shows(const struct cron *cron, const struct time_zone *zone, int64_t at_ms)
{
    int64_t local_ms = at_ms + time_zone_at(zone, at_ms).offset_ms;
    struct calendar calendar = calendar_from_ms(local_ms);
    int minute = calendar.ms_of_day / MINUTE_MS % 60;
    int hour = (int)(calendar.ms_of_day / (60 * MINUTE_MS));
    return local_ms % MINUTE_MS == 0 && (cron->minutes >> minute & 1) != 0 &&
           (cron->hours >> hour & 1) != 0 && (cron->months >> calendar.month & 1) != 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *text = fuzz_input_text(&input);
    cleanup_memory char *footer = fuzz_input_text(&input);
    struct time_zone zone = {.first_offset_ms = 0};
    struct cron cron;
    struct error error;
    if (!cron_parse(text, &cron, &error)) {
        return 0;
    }
    (void)(time_zone_parse_footer(footer, &zone, &error) || text[0] == '\0');
    int64_t at_ms = START;
    for (int i = 0; i < 5; i++) {
        int64_t next_ms = cron_next(&cron, &zone, at_ms);
        if (next_ms == NOW_NEVER) {
            break;
        }
        fuzz_require(next_ms > at_ms, "it comes later");
        fuzz_require(shows(&cron, &zone, next_ms), "a clock shows it");
        fuzz_require(cron_last(&cron, &zone, next_ms, at_ms) == next_ms, "it is found from behind");
        fuzz_require(cron_last(&cron, &zone, next_ms - 1, at_ms) == NOW_NEVER, "it is the first");
        at_ms = next_ms;
    }
    return 0;
}
