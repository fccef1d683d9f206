/* SPDX-License-Identifier: Apache-2.0 */
/* A ring, since age is what they are dropped by: a reply that is slower than thousands of
   deletions has run into its deadline long before. */
#include "kube/tombstones.h"

#include "base/memory.h"

#include <assert.h>

enum { TOMBSTONE_COUNT_MAX = 4096 };

void tombstones_init(struct tombstones *tombstones)
{
    *tombstones = (struct tombstones){0};
    map_init(&tombstones->by_uid);
}

static void clear(struct tombstone *tombstone)
{
    memory_free(tombstone->uid);
    memory_free(tombstone->version);
    *tombstone = (struct tombstone){0};
}

void tombstones_release(struct tombstones *tombstones)
{
    map_release(&tombstones->by_uid);
    for (size_t i = 0; tombstones->ring != NULL && i < TOMBSTONE_COUNT_MAX; i++) {
        clear(&tombstones->ring[i]);
    }
    memory_free(tombstones->ring);
    *tombstones = (struct tombstones){0};
}

static struct tombstone *take_oldest(struct tombstones *tombstones)
{
    if (tombstones->ring == NULL) {
        tombstones->ring = memory_new(TOMBSTONE_COUNT_MAX, sizeof(*tombstones->ring));
    }
    struct tombstone *oldest = &tombstones->ring[tombstones->next];
    tombstones->next = (tombstones->next + 1) % TOMBSTONE_COUNT_MAX;
    if (oldest->uid != NULL) {
        map_remove(&tombstones->by_uid, oldest->uid);
        clear(oldest);
    }
    return oldest;
}

void tombstones_add(struct tombstones *tombstones, const char *uid, const char *version,
                    uint64_t list_epoch)
{
    assert(uid != NULL && uid[0] != '\0');

    struct tombstone *tombstone = map_get(&tombstones->by_uid, uid);
    if (tombstone == NULL) {
        tombstone = take_oldest(tombstones);
        tombstone->uid = memory_copy_text(uid);
        map_put(&tombstones->by_uid, tombstone->uid, tombstone);
    }
    char *version_copy = memory_copy_text(version); /* version may be the one that is replaced */
    memory_free(tombstone->version);
    tombstone->version = version_copy;
    tombstone->list_epoch = list_epoch;
}

const struct tombstone *tombstones_find(const struct tombstones *tombstones, const char *uid)
{
    assert(uid != NULL);
    return map_get(&tombstones->by_uid, uid);
}
