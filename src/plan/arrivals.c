/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance counts by its creation time, so that whoever leads counts the same, and one that was
   made while nobody led is not forgotten. What is counted is told by one time, until: a bucket
   before it is never counted again. */
#include "plan/arrivals.h"

#include "base/extremes.h"
#include "base/now.h"

/* The API server's clock may be behind ours, and a watch that is dead is begun anew after a minute
   and a half. */
#define SEALED_AFTER_MS (INT64_C(3) * 60 * 1000)
/* Without a record, older ones are from a time that was not watched. */
enum { REACH_BUCKETS = 6 };

static int64_t bucket_of(int64_t wall_ms)
{
    return wall_ms / ARRIVAL_BUCKET_MS;
}

/* The first that is not over. */
static int64_t sealed_at(int64_t wall_ms)
{
    return bucket_of(wall_ms - SEALED_AFTER_MS);
}

int64_t arrivals_first(const struct arrivals *arrivals)
{
    return larger(arrivals->since, arrivals->until - ARRIVAL_BUCKETS);
}

int64_t arrivals_count(const struct arrivals *arrivals, int64_t bucket)
{
    bool inside = bucket >= arrivals_first(arrivals) && bucket < arrivals->until;
    return inside ? arrivals->counts[bucket % ARRIVAL_BUCKETS] : 0;
}

static void forget(struct arrivals *arrivals, int64_t from, int64_t to)
{
    from = larger(from, to - ARRIVAL_BUCKETS);
    for (int64_t bucket = from; bucket < to; bucket++) {
        arrivals->counts[bucket % ARRIVAL_BUCKETS] = 0;
    }
}

/* Where counting goes on. One that lies ahead was written by a clock that was. */
static int64_t next_bucket(int64_t until, int64_t sealed)
{
    bool is_known = until != 0 && until <= sealed + 1;
    return is_known ? until : larger(sealed - REACH_BUCKETS, 0);
}

bool arrivals_add(struct arrivals *arrivals, const int64_t *times_ms, size_t count, int64_t wall_ms)
{
    int64_t sealed = sealed_at(wall_ms);
    int64_t next = next_bucket(arrivals->until, sealed);
    int64_t first = sealed;
    for (size_t i = 0; i < count; i++) {
        int64_t bucket = bucket_of(times_ms[i]);
        first = bucket >= next && bucket < first ? bucket : first;
    }
    if (first >= sealed) {
        return false;
    }
    forget(arrivals, next, larger(sealed, arrivals->until));
    arrivals->since = arrivals->until == 0 || arrivals->since > first ? first : arrivals->since;
    arrivals->until = sealed;
    for (size_t i = 0; i < count; i++) {
        int64_t bucket = bucket_of(times_ms[i]);
        uint16_t *counted = &arrivals->counts[bucket % ARRIVAL_BUCKETS];
        if (bucket >= next && bucket < sealed && *counted < ARRIVALS_A_BUCKET_MAX) {
            ++*counted;
        }
    }
    return true;
}

int64_t arrivals_from_ms(int64_t told_until_ms, int64_t wall_ms)
{
    int64_t sealed = sealed_at(wall_ms);
    int64_t without_record = next_bucket(0, sealed);
    int64_t next = next_bucket(bucket_of(told_until_ms), sealed);
    return (next < without_record ? next : without_record) * ARRIVAL_BUCKET_MS;
}

int64_t arrivals_wait_ms(int64_t until_ms, const int64_t *times_ms, size_t count, int64_t wall_ms)
{
    int64_t next = next_bucket(bucket_of(until_ms), sealed_at(wall_ms));
    int64_t wait_ms = NOW_NEVER;
    for (size_t i = 0; i < count; i++) {
        int64_t bucket = bucket_of(times_ms[i]);
        int64_t left_ms = (bucket + 1) * ARRIVAL_BUCKET_MS + SEALED_AFTER_MS - wall_ms;
        if (bucket >= next && left_ms < wait_ms) {
            wait_ms = larger(left_ms, 0);
        }
    }
    return wait_ms;
}

size_t arrivals_times(const struct arrivals *arrivals, struct arena *arena, int64_t **out_times_ms)
{
    size_t count = 0;
    for (int64_t at = arrivals_first(arrivals); at < arrivals->until; at++) {
        count += (size_t)arrivals_count(arrivals, at);
    }
    int64_t *times_ms = arena_new(arena, count + 1, sizeof *times_ms);
    count = 0;
    for (int64_t at = arrivals_first(arrivals); at < arrivals->until; at++) {
        int64_t here = arrivals_count(arrivals, at);
        for (int64_t i = 0; i < here; i++) {
            times_ms[count++] =
                at * ARRIVAL_BUCKET_MS + ARRIVAL_BUCKET_MS * (2 * i + 1) / (4 * here);
        }
    }
    *out_times_ms = times_ms;
    return count;
}
