/* SPDX-License-Identifier: Apache-2.0 */
#include "simulation/recording.h"

#include "base/timestamp.h"
#include "plan/arrivals.h"
#include "sim/value.h"
#include "simulation/people.h"

/* The five minutes of a request, and what a watch may be late. */
#define COUNTED_AFTER_MS (INT64_C(9) * 60 * 1000)
#define NOT_WATCHED_MS (INT64_C(30) * 60 * 1000)

static int64_t time_of(const char *text)
{
    int64_t wall_ms = 0;
    struct error error;
    return text != NULL && timestamp_parse(text, &wall_ms, &error) ? wall_ms : 0;
}

static int64_t bucket_of(const cJSON *instance)
{
    return time_of(value_text(instance, "metadata", "creationTimestamp", NULL)) / ARRIVAL_BUCKET_MS;
}

static bool is_of(const cJSON *instance, const struct record *pool)
{
    return value_equal_text(instance, pool->name, "spec", "pool", "name", NULL) &&
           value_equal_text(instance, pool->namespace, "spec", "pool", "namespace", NULL);
}

/* Those that came within the same five minutes. */
static int64_t came_with(const struct trial *trial, const struct record *pool, int64_t bucket)
{
    const struct resource *instances = people_kind(trial, "instances");
    const struct record *record = NULL;
    int64_t count = 0;
    while ((record = objects_next(apiserver_objects(trial->server), instances, NULL, record)) !=
           NULL) {
        count += is_of(record->value, pool) && bucket_of(record->value) == bucket;
    }
    return count;
}

int64_t recording_ms(const struct trial *trial)
{
    return COUNTED_AFTER_MS + trial->set_back_ms;
}

/* A record begins with the last half hour: before it, nobody watched. */
static bool is_before(const struct arrivals *arrivals, int64_t bucket, int64_t now_ms)
{
    bool begins_later = arrivals->until == 0 || bucket < arrivals->since;
    return begins_later && now_ms - bucket * ARRIVAL_BUCKET_MS > NOT_WATCHED_MS;
}

static bool pool_is_whole(const struct trial *trial, const struct record *pool, struct text *out)
{
    const struct resource *instances = people_kind(trial, "instances");
    const struct record *record = NULL;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct arrivals *arrivals = arena_new(&arena, 1, sizeof *arrivals);
    struct arrival_record told = {
        .version = value_int64(pool->value, 0, "status", "arrivals", "version", NULL),
        .since_ms = time_of(value_text(pool->value, "status", "arrivals", "since", NULL)),
        .until_ms = time_of(value_text(pool->value, "status", "arrivals", "until", NULL)),
        .counts = value_text(pool->value, "status", "arrivals", "counts", NULL)};
    struct error error;
    int64_t now_ms = world_now(trial->world).wall_ms;
    if (!arrivals_read(&told, &arena, arrivals, &error)) {
        text_append(out, error.message);
        return false;
    }
    while ((record = objects_next(apiserver_objects(trial->server), instances, NULL, record)) !=
           NULL) {
        int64_t bucket = bucket_of(record->value);
        if (is_of(record->value, pool) && !is_before(arrivals, bucket, now_ms) &&
            arrivals_count(arrivals, bucket) < came_with(trial, pool, bucket)) {
            text_print(out, "Instance %s is not counted", record->name);
            return false;
        }
    }
    return true;
}

bool recording_is_whole(const struct trial *trial, struct text *out)
{
    const struct resource *pools = people_kind(trial, "pools");
    const struct record *record = NULL;
    while ((record = objects_next(apiserver_objects(trial->server), pools, NULL, record)) != NULL) {
        if (!pool_is_whole(trial, record, out)) {
            return false;
        }
    }
    return true;
}
