/* SPDX-License-Identifier: Apache-2.0 */
/* Matching goes through all volumes once for each set of access modes that has what the claim
   wants: so does the index of the real one, and a volume that was bound to the claim by hand is
   found late if its modes are many. */
#include "sim/binder_store.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 16, ACCESS_MODES_MAX = 4, ACCESS_MODE_SETS = 1 << ACCESS_MODES_MAX };

void binder_store_init(struct binder_store *store)
{
    *store = (struct binder_store){0};
    shelf_init(&store->claims);
}

void binder_store_release(struct binder_store *store)
{
    for (size_t i = 0; i < store->volume_count; i++) {
        record_release(store->volumes[i].record);
    }
    memory_free(store->volumes);
    shelf_release(&store->claims);
    binder_store_init(store);
}

/* The place of the first that is not before the name. */
static size_t find_place(const struct binder_store *store, const char *name)
{
    size_t low = 0;
    size_t high = store->volume_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(store->volumes[middle].record->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct binder_volume *find(const struct binder_store *store, const char *name)
{
    size_t at = find_place(store, name);
    bool is_there = at < store->volume_count && strcmp(store->volumes[at].record->name, name) == 0;
    return is_there ? &store->volumes[at] : NULL;
}

static void insert(struct binder_store *store, const struct record *record)
{
    if (store->volume_count == store->volume_capacity) {
        store->volume_capacity =
            store->volume_capacity == 0 ? FIRST_CAPACITY : store->volume_capacity * 2;
        store->volumes =
            memory_resize(store->volumes, store->volume_capacity, sizeof(*store->volumes));
    }
    size_t at = find_place(store, record->name);
    memmove(&store->volumes[at + 1], &store->volumes[at],
            (store->volume_count - at) * sizeof(*store->volumes));
    store->volumes[at] = binder_volume_of(record);
    store->volume_count++;
}

bool binder_store_put_volume(struct binder_store *store, const struct record *record)
{
    struct binder_volume *volume = find(store, record->name);
    if (volume == NULL) {
        insert(store, record);
        return true;
    }
    if (volume->record->revision > record->revision) {
        return false;
    }
    struct record *before = volume->record;
    *volume = binder_volume_of(record);
    record_release(before);
    return true;
}

bool binder_store_put_claim(struct binder_store *store, const struct record *record)
{
    const struct record *known = shelf_get(&store->claims, record->namespace, record->name);
    if (known != NULL && known->revision > record->revision) {
        return false;
    }
    record_release(shelf_put(&store->claims, record));
    return true;
}

void binder_store_drop_volume(struct binder_store *store, const char *name)
{
    struct binder_volume *volume = find(store, name);
    if (volume == NULL) {
        return;
    }
    struct record *record = volume->record;
    size_t at = (size_t)(volume - store->volumes);
    store->volume_count--;
    memmove(volume, volume + 1, (store->volume_count - at) * sizeof(*volume));
    record_release(record);
}

void binder_store_drop_claim(struct binder_store *store, const char *namespace, const char *name)
{
    record_release(shelf_take(&store->claims, namespace, name));
}

const struct binder_volume *binder_store_volume(const struct binder_store *store, const char *name)
{
    return find(store, name);
}

const struct record *binder_store_claim(const struct binder_store *store, const char *namespace,
                                        const char *name)
{
    return shelf_get(&store->claims, namespace, name);
}

/* ---- matching ---- */

static bool could_do(const struct binder_volume *volume, const struct binder_claim *claim)
{
    return volume->capacity_milli >= claim->request_milli && !volume->is_deleting &&
           strcmp(volume->mode, claim->mode) == 0 &&
           strcmp(volume->attributes_class, claim->attributes_class) == 0;
}

static bool is_free_for(const struct binder_volume *volume, const struct binder_claim *claim)
{
    return !volume->has_claim && strcmp(volume->phase, "Available") == 0 &&
           strcmp(volume->class, claim->class) == 0 &&
           binder_selector_matches(claim->record, volume->record);
}

static const struct binder_volume *match_in(const struct binder_store *store, unsigned modes,
                                            const struct binder_claim *claim, bool is_delayed)
{
    const struct binder_volume *smallest = NULL;
    for (size_t i = 0; i < store->volume_count; i++) {
        const struct binder_volume *volume = &store->volumes[i];
        if (volume->access_modes != modes || !could_do(volume, claim)) {
            continue;
        }
        if (binder_is_bound_to(volume, claim->record)) {
            return volume;
        }
        bool is_smaller = smallest == NULL || volume->capacity_milli < smallest->capacity_milli;
        if (!is_delayed && is_smaller && is_free_for(volume, claim)) {
            smallest = volume;
        }
    }
    return smallest;
}

static int count_modes(unsigned modes)
{
    int count = 0;
    for (; modes != 0; modes &= modes - 1) {
        count++;
    }
    return count;
}

static const struct binder_volume *match_with(const struct binder_store *store, int mode_count,
                                              const struct binder_claim *claim, bool is_delayed)
{
    const struct binder_volume *volume = NULL;
    for (unsigned modes = 1; modes < ACCESS_MODE_SETS && volume == NULL; modes++) {
        if (count_modes(modes) == mode_count && (claim->access_modes & ~modes) == 0) {
            volume = match_in(store, modes, claim, is_delayed);
        }
    }
    return volume;
}

const struct binder_volume *binder_store_match(const struct binder_store *store,
                                               const struct binder_claim *claim, bool is_delayed)
{
    const struct binder_volume *volume = NULL;
    for (int mode_count = 1; mode_count <= ACCESS_MODES_MAX && volume == NULL; mode_count++) {
        volume = match_with(store, mode_count, claim, is_delayed);
    }
    return volume;
}
