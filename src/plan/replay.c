/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/replay.h"

#include "base/extremes.h"
#include "base/limits.h"

#include <stdbool.h>
#include <stdlib.h>

/* As many as wait are made beyond the size, up to the lane's width: a little over two of FSx. */
enum { WIDTH = 3, COMING_MAX = 2 * LIMIT_POOL_SIZE + WIDTH, P95_PARTS = 20, WHOLE = 10000 };

struct bucket {
    const struct replay_lane *lane;
    const int64_t *times_ms;
    int64_t *waits_ms; /* of each request */
    int64_t size, warm;
    /* When each clone that is being made comes, in order: a ring. */
    int64_t coming_ms[COMING_MAX];
    size_t coming_first, coming_count;
    int64_t last_ms;              /* when the last of them comes, or came */
    size_t served_count, arrived; /* requests; those between wait */
    int64_t now_ms;
    int64_t volumes_most, volume_ms;
};

static int64_t volumes(const struct bucket *bucket)
{
    return bucket->warm + (int64_t)bucket->coming_count;
}

static void pass(struct bucket *bucket, int64_t to_ms)
{
    bucket->volume_ms += volumes(bucket) * (to_ms - bucket->now_ms);
    bucket->now_ms = to_ms;
}

static int64_t wanted(const struct bucket *bucket)
{
    int64_t waiting = (int64_t)(bucket->arrived - bucket->served_count);
    return larger(bucket->size, waiting < WIDTH ? waiting : WIDTH);
}

/* Asks for what is missing, destroys what is too many. */
static void even_out(struct bucket *bucket)
{
    while (volumes(bucket) < wanted(bucket) && bucket->coming_count < COMING_MAX) {
        int64_t at_ms = larger(bucket->now_ms + bucket->lane->latency_ms,
                               bucket->last_ms + bucket->lane->gap_ms);
        bucket->coming_ms[(bucket->coming_first + bucket->coming_count++) % COMING_MAX] = at_ms;
        bucket->last_ms = at_ms;
    }
    while (bucket->warm > 0 && volumes(bucket) > wanted(bucket)) {
        bucket->warm--;
    }
    bucket->volumes_most = larger(bucket->volumes_most, volumes(bucket));
}

static void advance(struct bucket *bucket, int64_t to_ms)
{
    while (bucket->coming_count > 0 && bucket->coming_ms[bucket->coming_first] <= to_ms) {
        pass(bucket, bucket->coming_ms[bucket->coming_first]);
        bucket->coming_first = (bucket->coming_first + 1) % COMING_MAX;
        bucket->coming_count--;
        if (bucket->served_count < bucket->arrived) {
            bucket->waits_ms[bucket->served_count] =
                bucket->now_ms - bucket->times_ms[bucket->served_count];
            bucket->served_count++;
        } else {
            bucket->warm++;
        }
        even_out(bucket);
    }
    pass(bucket, to_ms);
}

static void arrive(struct bucket *bucket, int64_t *found_warm)
{
    bucket->arrived++;
    if (bucket->warm > 0) {
        bucket->warm--;
        bucket->served_count++;
        ++*found_warm;
    }
    even_out(bucket);
}

static int compare(const void *one, const void *other)
{
    const int64_t *left = one;
    const int64_t *right = other;
    return *left < *right ? -1 : *left > *right;
}

static void sum_up(const struct bucket *bucket, size_t count, int64_t span_ms, struct replay *out)
{
    out->requests = (int64_t)count;
    out->volumes_most = bucket->volumes_most;
    out->volumes_mean_hundred = span_ms > 0 ? bucket->volume_ms / larger(span_ms / 100, 1) : 0;
    if (count > 0) {
        qsort(bucket->waits_ms, count, sizeof(int64_t), compare);
        out->wait_p95_ms = bucket->waits_ms[count - 1 - (count - 1) / P95_PARTS];
    }
}

struct replay replay_run(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                         const struct replay_size *size, const struct replay_lane *lane,
                         struct arena *arena)
{
    struct bucket *bucket = arena_new(arena, 1, sizeof *bucket);
    struct replay out = {.requests = 0};
    *bucket = (struct bucket){.lane = lane,
                              .times_ms = times_ms,
                              .waits_ms = arena_new(arena, count + 1, sizeof(int64_t)),
                              .size = size->at(size->self, from_ms),
                              .last_ms = from_ms - lane->gap_ms,
                              .now_ms = from_ms};
    bucket->warm = bucket->volumes_most = bucket->size;
    int64_t step_ms = size->step_ms > 0 ? from_ms + size->step_ms : INT64_MAX;
    for (size_t next = 0; next < count || step_ms < to_ms;) {
        bool steps = step_ms < to_ms && (next == count || step_ms <= times_ms[next]);
        advance(bucket, steps ? step_ms : times_ms[next]);
        if (steps) {
            bucket->size = size->at(size->self, step_ms);
            step_ms += size->step_ms;
            even_out(bucket);
        } else {
            next++;
            arrive(bucket, &out.warm);
        }
    }
    advance(bucket, larger(to_ms, bucket->now_ms));
    while (bucket->served_count < bucket->arrived && bucket->coming_count > 0) {
        advance(bucket, bucket->coming_ms[bucket->coming_first]);
    }
    sum_up(bucket, count, bucket->now_ms - from_ms, &out);
    return out;
}

static int64_t same(const void *self, int64_t wall_ms)
{
    const int64_t *size = self;
    (void)wall_ms;
    return *size;
}

struct replay replay_fixed(const int64_t *times_ms, size_t count, int64_t from_ms, int64_t to_ms,
                           int64_t size, const struct replay_lane *lane, struct arena *arena)
{
    struct replay_size fixed = {.at = same, .self = &size};
    return replay_run(times_ms, count, from_ms, to_ms, &fixed, lane, arena);
}

int64_t replay_hits(const struct replay *replay)
{
    return replay->requests == 0 ? WHOLE : replay->warm * WHOLE / replay->requests;
}
