/* SPDX-License-Identifier: Apache-2.0 */
/* When a Pool's clones were asked for: counts by five minutes, of the last 28 days, kept in the
   Pool's status. That needs no right and no object that the operator does not have anyway, ends
   with the Pool, and is there for whoever leads next. It is written when a bucket is over in which
   something came: at most once a bucket, and at most 22 KB (a request a minute: 2 KB). */
#ifndef ADJOINT_PLAN_ARRIVALS_H
#define ADJOINT_PLAN_ARRIVALS_H

#include "api/pool.h"
#include "base/arena.h"
#include "base/error.h"

#define ARRIVAL_BUCKET_MS (INT64_C(5) * 60 * 1000)

enum {
    ARRIVAL_BUCKETS_A_DAY = 24 * 12,
    ARRIVAL_BUCKETS = 28 * ARRIVAL_BUCKETS_A_DAY,
    ARRIVALS_A_BUCKET_MAX = 8191, /* two bytes as it is written; more count as that */
};

struct arrivals {
    /* Buckets, counted from 1970: the first that was watched and the first that is not counted yet.
       Both 0: there is no record. */
    int64_t since, until;
    uint16_t counts[ARRIVAL_BUCKETS]; /* bucket b's at b % ARRIVAL_BUCKETS */
};

/* The first bucket that out->counts has. */
int64_t arrivals_first(const struct arrivals *arrivals);
int64_t arrivals_count(const struct arrivals *arrivals, int64_t bucket); /* 0 outside */

/* status.arrivals to counts and back. No record is no error. ERROR_INVALID: it is of a version that
   this one does not know, or damaged; out is as for no record. */
MUST_CHECK bool arrivals_read(const struct arrival_record *record, struct arena *arena,
                              struct arrivals *out, struct error *error);
struct arrival_record arrivals_write(const struct arrivals *arrivals, struct arena *arena);

/* Counts those whose bucket is over and was not counted before; times_ms: wall, in any order, each
   request once. A record begins with the first that is counted. After a clock
   that was ahead the last half hour is counted anew. true: something was counted. */
bool arrivals_add(struct arrivals *arrivals, const int64_t *times_ms, size_t count,
                  int64_t wall_ms);

/* Wall; what came earlier is counted, or never will be. told_until_ms: as in status, 0: no record.
   The record need not be one that can be read. */
int64_t arrivals_from_ms(int64_t told_until_ms, int64_t wall_ms);

/* Until the first of them that is not counted yet can be; NOW_NEVER: none is left. until: as in
   status, 0: no record. */
int64_t arrivals_wait_ms(int64_t until_ms, const int64_t *times_ms, size_t count, int64_t wall_ms);

/* The requests one by one, in order, each bucket's in its first half: people come in bursts. */
size_t arrivals_times(const struct arrivals *arrivals, struct arena *arena, int64_t **out_times_ms);

#endif
