/* SPDX-License-Identifier: Apache-2.0 */
/* Linear probing in a table of a power of two, at most three quarters full. Removal moves what
   follows back instead of leaving a tombstone: the store removes as often as it adds, for months,
   and tombstones would make it ever slower. Below an eighth it is halved: a start fills some with
   thousands of keys that are done with in a second. */
#include "base/map.h"

#include "base/digest.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

void map_init(struct map *map)
{
    *map = (struct map){0};
}

void map_release(struct map *map)
{
    memory_free(map->entries);
    *map = (struct map){0};
}

static size_t home_of(const struct map *map, const char *key)
{
    return (size_t)digest_hash(key) & (map->capacity - 1);
}

static size_t after(const struct map *map, size_t at)
{
    return (at + 1) & (map->capacity - 1);
}

/* The entry that holds the key, or the free one where it belongs. */
static struct map_entry *find_place(const struct map *map, const char *key)
{
    assert(map->count < map->capacity);
    size_t at = home_of(map, key);
    while (map->entries[at].key != NULL && strcmp(map->entries[at].key, key) != 0) {
        at = after(map, at);
    }
    return &map->entries[at];
}

static void resize(struct map *map, size_t capacity)
{
    struct map resized = {.capacity = capacity, .count = map->count};
    resized.entries = memory_new(capacity, sizeof(*resized.entries));
    for (size_t at = 0; at < map->capacity; at++) {
        if (map->entries[at].key != NULL) {
            *find_place(&resized, map->entries[at].key) = map->entries[at];
        }
    }
    memory_free(map->entries);
    *map = resized;
}

void *map_get(const struct map *map, const char *key)
{
    assert(key != NULL);
    return map->count == 0 ? NULL : find_place(map, key)->value;
}

void *map_put(struct map *map, const char *key, void *value)
{
    assert(key != NULL);
    if (map->count >= map->capacity / 4 * 3) {
        resize(map, map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2);
    }
    struct map_entry *place = find_place(map, key);
    map->count += place->key == NULL ? 1 : 0;
    void *replaced = place->value;
    *place = (struct map_entry){.key = key, .value = value};
    return replaced;
}

/* An entry behind the hole may move into it unless its home lies between the two. */
static void close_hole(struct map *map, size_t hole)
{
    for (size_t at = after(map, hole); map->entries[at].key != NULL; at = after(map, at)) {
        size_t mask = map->capacity - 1;
        size_t from_home = (at - home_of(map, map->entries[at].key)) & mask;
        size_t from_hole = (at - hole) & mask;
        if (from_home >= from_hole) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    }
    map->entries[hole] = (struct map_entry){0};
}

void *map_remove(struct map *map, const char *key)
{
    assert(key != NULL);
    if (map->count == 0) {
        return NULL;
    }
    struct map_entry *place = find_place(map, key);
    if (place->key == NULL) {
        return NULL;
    }
    void *removed = place->value;
    map->count--;
    close_hole(map, (size_t)(place - map->entries));
    if (map->capacity > FIRST_CAPACITY && map->count < map->capacity / 8) {
        resize(map, map->capacity / 2);
    }
    return removed;
}

bool map_next(const struct map *map, size_t *at, struct map_entry *out_entry)
{
    while (*at < map->capacity) {
        const struct map_entry *entry = &map->entries[(*at)++];
        if (entry->key != NULL) {
            *out_entry = *entry;
            return true;
        }
    }
    return false;
}
