/* SPDX-License-Identifier: Apache-2.0 */
/* Rotation: which golden counts, what a Pool keeps claimable meanwhile, and who gets a stale clone.
   What is golden is read here once more, from the Pool and the snapshots as they are. */
#include "base/text.h"
#include "sim/value.h"
#include "simulation/books.h"

#include <string.h>

/* What people did just now is not known to everybody. */
enum { NEWS_SLACK_MS = 2000, SURGE_DEFAULT = 1 };

static bool is_newer(const cJSON *snapshot, const cJSON *other)
{
    const char *taken = value_text(snapshot, "status", "creationTime", NULL);
    const char *taken_other = value_text(other, "status", "creationTime", NULL);
    if (taken == NULL || taken_other == NULL) {
        return taken != NULL;
    }
    int order = strcmp(taken, taken_other);
    return order != 0 ? order > 0 : strcmp(value_name(snapshot), value_name(other)) > 0;
}

/* All snapshots of a run are of one production. */
static const cJSON *newest_snapshot(const struct judge *judge, const char *namespace)
{
    const struct objects *objects = apiserver_objects(judge->server);
    const struct record *record = NULL;
    const cJSON *newest = NULL;
    while ((record = objects_next(objects, &resource_volume_snapshots, namespace, record)) !=
           NULL) {
        if (value_true(record->value, "status", "readyToUse", NULL) &&
            (newest == NULL || is_newer(record->value, newest))) {
            newest = record->value;
        }
    }
    return newest;
}

const char *judge_golden_uid(const struct judge *judge, const cJSON *pool)
{
    const char *name = value_text(pool, "spec", "golden", "snapshot", NULL);
    const char *namespace = value_namespace(pool);
    if (name == NULL) {
        return value_uid(newest_snapshot(judge, namespace));
    }
    const struct record *record =
        objects_get(apiserver_objects(judge->server), &resource_volume_snapshots, namespace, name);
    return record == NULL ? NULL : record->uid;
}

static struct pool_entry *entry_of(struct judge *judge, const char *uid)
{
    struct pool_entry *entry = map_get(&judge->by_pool, uid);
    if (entry == NULL) {
        entry = arena_new(&judge->arena, 1, sizeof(*entry));
        entry->uid = arena_copy(&judge->arena, uid);
        (void)map_put(&judge->by_pool, entry->uid, entry);
    }
    return entry;
}

static void note_size(struct judge *judge, int64_t size)
{
    judge->size_max = size > judge->size_max ? size : judge->size_max;
}

void judge_pool(struct judge *judge, const struct change *change)
{
    const cJSON *pool = change->record->value;
    struct pool_entry *entry = entry_of(judge, change->record->uid);
    int64_t size = value_int64(pool, 1, "spec", "size", NULL);
    const cJSON *rotation = value_at(pool, "spec", "rotation", NULL);
    int64_t surge = value_int64(rotation, SURGE_DEFAULT, "maxSurge", NULL);
    int64_t floor = value_int64(rotation, size, "minWarm", NULL);
    note_size(judge, size);
    note_size(judge, value_int64(pool, 0, "spec", "autosize", "max", NULL));
    const cJSON *schedule = NULL;
    cJSON_ArrayForEach(schedule, value_at(pool, "spec", "schedules", NULL))
    {
        note_size(judge, value_int64(schedule, 0, "size", NULL));
    }
    if (change->type != CHANGE_DELETED) {
        judge->volumes_max = value_int64(pool, 90, "spec", "maxVolumes", NULL);
    }
    judge->surge_max = surge > judge->surge_max ? surge : judge->surge_max;
    floor = floor < size ? floor : size;
    floor = surge == 0 && floor == size ? size - 1 : floor;
    entry->scales = entry->scales || (entry->size != size && entry->size != 0);
    if (entry->scales || !value_equal_text(rotation, "Rolling", "strategy", NULL) ||
        value_is_deleting(pool)) {
        floor = 0;
    }
    entry->size = size;
    entry->warm_floor = floor;
}

void judge_new_golden(struct judge *judge, const struct record *snapshot)
{
    const struct objects *objects = apiserver_objects(judge->server);
    const struct record *first =
        objects_next(objects, &resource_volume_snapshots, snapshot->namespace, NULL);
    judge->rotates =
        judge->rotates || first != snapshot ||
        objects_next(objects, &resource_volume_snapshots, snapshot->namespace, first) != NULL;
    judge->news_ms = world_now(apiserver_world(judge->server)).mono_ms;
}

static int64_t count_warm(const struct judge *judge, const char *pool_uid)
{
    int64_t count = 0;
    for (const struct volume_entry *entry = judge->volumes; entry != NULL; entry = entry->next) {
        if (entry->record == NULL) {
            continue;
        }
        struct volume_sight volume = volume_sight(entry->record->value);
        count += text_equal(volume.state, "warm") && text_equal(volume.phase, "Bound") &&
                 text_equal(volume.pool_uid, pool_uid);
    }
    return count;
}

void judge_retirement(struct judge *judge, const struct volume_sight *volume)
{
    const struct pool_entry *pool =
        volume->pool_uid == NULL ? NULL : map_get(&judge->by_pool, volume->pool_uid);
    books_volume(judge, volume->name)->was_retired = true;
    if (pool == NULL || !judge->rotates || judge->has_late_writes) {
        return;
    }
    int64_t warm = count_warm(judge, pool->uid);
    if (warm < pool->warm_floor) {
        judge_break(judge, "I18: %s is retired, and %d stay claimable of %d", volume->name,
                    (int)warm, (int)pool->warm_floor);
    }
}

bool judge_is_stale(const struct judge *judge, const char *volume)
{
    const struct volume_entry *entry = books_volume(judge, volume);
    const struct record *pool = NULL;
    if (entry == NULL || entry->record == NULL) {
        return false;
    }
    const cJSON *value = entry->record->value;
    pool = objects_get(apiserver_objects(judge->server), judge->pools,
                       value_label(value, "adjoint.dev/pool-namespace"),
                       value_label(value, "adjoint.dev/pool"));
    return pool != NULL && !text_equal(value_annotation(value, "adjoint.dev/golden-uid"),
                                       judge_golden_uid(judge, pool->value));
}

void judge_choice(struct judge *judge, const struct instance_entry *entry, const char *volume)
{
    int64_t now_ms = world_now(apiserver_world(judge->server)).mono_ms;
    if (entry->current_only && now_ms - judge->news_ms >= NEWS_SLACK_MS &&
        judge_is_stale(judge, volume)) {
        judge_break(judge, "I19: Instance %s wants the current golden, and is given %s",
                    entry->name, volume);
    }
}
