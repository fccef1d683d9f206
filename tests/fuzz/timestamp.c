/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the text: a time that was read is written in a form that reads as that time, and only
   one of RFC 3339's length is read. */
#include "base/timestamp.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void require_reads_as(const char *text, int64_t wall_ms, const char *what)
{
    int64_t again_ms = 0;
    struct error error;
    fuzz_require(timestamp_parse(text, &again_ms, &error) && again_ms == wall_ms, what);
}

/* The C library's calendar agrees. */
static void require_calendar(const char *seconds, int64_t wall_ms)
{
    struct tm calendar;
    char expected[64];
    time_t wall_s = wall_ms / 1000;
    fuzz_require(gmtime_r(&wall_s, &calendar) != NULL, "the C library has it");
    (void)snprintf(expected, sizeof(expected), "%04d-%02d-%02dT%02d:%02d:%02dZ",
                   calendar.tm_year + 1900, calendar.tm_mon + 1, calendar.tm_mday, calendar.tm_hour,
                   calendar.tm_min, calendar.tm_sec);
    fuzz_require(strcmp(expected, seconds) == 0, "the C library writes the same");
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *text = fuzz_input_text(&input);
    int64_t wall_ms = 0;
    struct error error;
    if (!timestamp_parse(text, &wall_ms, &error)) {
        return 0;
    }
    fuzz_require(strlen(text) >= sizeof("2006-01-02T15:04:05Z") - 1, "a time has all its parts");
    static const int64_t first_ms = INT64_C(-62167219200000); /* the year 0000 begins */
    static const int64_t last_ms = INT64_C(253402300799999);  /* the year 9999 ends */
    if (wall_ms < first_ms || wall_ms > last_ms) {            /* by its offset; no form for it */
        return 0;
    }
    char formatted[TIMESTAMP_BYTES];
    timestamp_format_millis(wall_ms, formatted);
    require_reads_as(formatted, wall_ms, "milliseconds read back");
    timestamp_format_micros(wall_ms, formatted);
    require_reads_as(formatted, wall_ms, "microseconds read back");
    int64_t whole_ms = wall_ms - ((wall_ms % 1000) + 1000) % 1000;
    timestamp_format_seconds(wall_ms, formatted);
    require_reads_as(formatted, whole_ms, "seconds read back");
    require_calendar(formatted, whole_ms);
    return 0;
}
