/* SPDX-License-Identifier: Apache-2.0 */
/* Strings to pointers, open addressing; the keys and the values stay the caller's and must live as
   long as they are in it. Iteration order is that of the table, so sort what a decision reads. */
#ifndef ADJOINT_BASE_MAP_H
#define ADJOINT_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map_entry {
    const char *key; /* NULL: free */
    void *value;
};

struct map {
    struct map_entry *entries; /* private */
    size_t capacity;           /* private */
    size_t count;
};

void map_init(struct map *map);
void map_release(struct map *map); /* not the keys, not the values */

void *map_get(const struct map *map, const char *key); /* NULL: absent */

/* Adds or replaces (the key pointer is replaced too); returns the value that was there or NULL. */
void *map_put(struct map *map, const char *key, void *value);

/* Returns what was there or NULL. */
void *map_remove(struct map *map, const char *key);

/* `size_t at = 0; while (map_next(&map, &at, &entry))`. The map must not change meanwhile. */
bool map_next(const struct map *map, size_t *at, struct map_entry *out_entry);

#endif
