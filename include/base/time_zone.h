/* SPDX-License-Identifier: Apache-2.0 */
/* How far a zone's clocks are ahead of UTC, and when that changes: as a compiled file of the tz
   database has it (TZif, RFC 9636), by its footer after the last change that it lists. Reading the
   file is somebody else's work. */
#ifndef ADJOINT_BASE_TIME_ZONE_H
#define ADJOINT_BASE_TIME_ZONE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TIME_ZONE_BYTES_MAX = 64 * 1024, /* of a file; real ones have less than 4 KB */
    TIME_ZONE_CHANGES_MAX = 2000,
    TIME_ZONE_NAME_BYTES_MAX = 64,
};

struct time_zone_change {
    int64_t at_ms; /* wall */
    int64_t offset_ms;
};

/* A day of each year, and a time on that day's clock before the change. */
struct time_zone_rule {
    enum { ZONE_DAY_OF_MONTH, ZONE_DAY_WITHOUT_LEAP, ZONE_DAY_OF_YEAR } kind;
    int month, week, weekday; /* week 5 is the last one */
    int day;                  /* of the year, from 1 without 29 February, from 0 with it */
    int64_t time_ms;          /* since midnight; may be another day's */
};

/* All zeroes: UTC. */
struct time_zone {
    int64_t first_offset_ms; /* before the first change */
    size_t change_count;
    const struct time_zone_change *changes;
    bool has_footer, has_summer;
    int64_t standard_ms, summer_ms; /* offsets */
    struct time_zone_rule summer_begins, summer_ends;
};

/* A time with one offset: [from_ms, until_ms), wall; INT64_MIN, INT64_MAX: no end is known. */
struct time_zone_period {
    int64_t from_ms, until_ms, offset_ms;
};

/* Bytes of a file of version 1 to 4. ERROR_INVALID otherwise, and with leap seconds, which no clock
   of Kubernetes counts. The changes are in the arena. */
MUST_CHECK bool time_zone_parse(const char *bytes, size_t byte_count, struct arena *arena,
                                struct time_zone *out, struct error *error);

/* The footer alone, as POSIX' TZ has it: CET-1CEST,M3.5.0,M10.5.0/3 */
MUST_CHECK bool time_zone_parse_footer(const char *text, struct time_zone *out,
                                       struct error *error);

struct time_zone_period time_zone_at(const struct time_zone *zone, int64_t wall_ms);

/* Whoever has the files: io/zone_files.h the system's. A read gives the bytes, the caller's
   (memory_free); ERROR_NOT_FOUND: no zone has that name. read NULL: there are none. */
struct time_zone_source {
    bool (*read)(void *self, const char *name, char **out_bytes, size_t *out_byte_count,
                 struct error *error);
    void *self;
};

#endif
