/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/zones.h"

#include "base/memory.h"
#include "base/text.h"

#define KEPT_MS (INT64_C(60) * 60 * 1000)
enum { KEPT_MAX = 200 };

struct kept_zone {
    const char *name;
    int64_t read_ms; /* mono */
    struct arena arena;
    struct time_zone zone;
    char *problem; /* NULL: it is good */
};

static const struct time_zone UTC = {.first_offset_ms = 0};

static void kept_free(struct kept_zone *kept)
{
    arena_release(&kept->arena);
    memory_free(kept->problem);
    memory_free(kept);
}

static void forget_all(struct zones *zones)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&zones->by_name, &at, &entry)) {
        kept_free(entry.value);
    }
    map_release(&zones->by_name);
}

void zones_init(struct zones *zones, struct time_zone_source source)
{
    zones->source = source;
    map_init(&zones->by_name);
}

void zones_release(struct zones *zones)
{
    forget_all(zones);
}

static bool read_zone(const struct time_zone_source *source, const char *name,
                      struct kept_zone *kept, struct error *error)
{
    cleanup_memory char *bytes = NULL;
    size_t byte_count;
    if (source->read == NULL) {
        return error_set(error, ERROR_NOT_FOUND, "no time zones but UTC are known here");
    }
    return source->read(source->self, name, &bytes, &byte_count, error) &&
           (time_zone_parse(bytes, byte_count, &kept->arena, &kept->zone, error) ||
            error_wrap(error, "time zone %s", name));
}

static struct kept_zone *find(struct zones *zones, const char *name, int64_t mono_ms)
{
    struct error error;
    struct kept_zone *kept = map_get(&zones->by_name, name);
    if (kept != NULL && mono_ms - kept->read_ms < KEPT_MS) {
        return kept;
    }
    if (kept != NULL) {
        (void)map_remove(&zones->by_name, name);
        kept_free(kept);
    }
    kept = memory_new(1, sizeof *kept);
    kept->read_ms = mono_ms;
    arena_init(&kept->arena, 0);
    kept->name = arena_copy(&kept->arena, name);
    if (!read_zone(&zones->source, name, kept, &error)) {
        kept->problem = memory_copy_text(error.message);
    }
    (void)map_put(&zones->by_name, kept->name, kept);
    return kept;
}

static bool is_utc(const char *name)
{
    return name == NULL || text_equal(name, "UTC") || text_equal(name, "Etc/UTC");
}

const struct schedule_zone *zones_of_pool(struct zones *zones, const struct pool *pool,
                                          int64_t mono_ms, struct arena *arena)
{
    struct schedule_zone *found = arena_new(arena, pool->schedule_count + 1, sizeof *found);
    if (zones != NULL && zones->by_name.count > KEPT_MAX) {
        forget_all(zones);
        map_init(&zones->by_name);
    }
    for (size_t i = 0; i < pool->schedule_count; i++) {
        const char *name = pool->schedules[i].time_zone;
        if (is_utc(name)) {
            found[i].zone = &UTC;
        } else if (zones == NULL) {
            found[i].problem = "no time zones but UTC are known here";
        } else {
            const struct kept_zone *kept = find(zones, name, mono_ms);
            found[i].zone = kept->problem == NULL ? &kept->zone : NULL;
            found[i].problem = kept->problem;
        }
    }
    return found;
}
