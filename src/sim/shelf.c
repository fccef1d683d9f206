/* SPDX-License-Identifier: Apache-2.0 */
/* A slot is an object's place, whichever version is in it. Slots are in a sorted array, because
   lists have to come in order and some thousand pointers move faster than a tree is rebalanced; and
   in a table by name, because most of what is asked for is one object, often. A new version changes
   neither. */
#include "sim/shelf.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CAPACITY = 16, KEY_BYTES = SHELF_NAMES_BYTES_MAX + 2 };

struct shelf_slot {
    struct record *record;
    char key[]; /* namespace/name */
};

void shelf_init(struct shelf *shelf)
{
    *shelf = (struct shelf){0};
    map_init(&shelf->by_name);
}

void shelf_release(struct shelf *shelf)
{
    for (size_t i = 0; i < shelf->count; i++) {
        record_release(shelf->slots[i]->record);
        memory_free(shelf->slots[i]);
    }
    memory_free(shelf->slots);
    map_release(&shelf->by_name);
    shelf_init(shelf);
}

/* ---- by name ---- */

/* With its NUL; 0: it is too long to be the key of anything. */
static size_t write_key(char key[KEY_BYTES], const char *namespace, const char *name)
{
    size_t namespace_length = strlen(namespace);
    size_t name_bytes = strlen(name) + 1;
    if (namespace_length + 1 + name_bytes > KEY_BYTES) {
        return 0;
    }
    memcpy(key, namespace, namespace_length + 1);
    key[namespace_length] = '/';
    memcpy(key + namespace_length + 1, name, name_bytes);
    return namespace_length + 1 + name_bytes;
}

static struct shelf_slot *find_slot(const struct shelf *shelf, const char *namespace,
                                    const char *name)
{
    char key[KEY_BYTES];
    size_t key_bytes = write_key(key, namespace == NULL ? "" : namespace, name);
    return key_bytes == 0 ? NULL : map_get(&shelf->by_name, key);
}

const struct record *shelf_get(const struct shelf *shelf, const char *namespace, const char *name)
{
    const struct shelf_slot *slot = find_slot(shelf, namespace, name);
    return slot == NULL ? NULL : slot->record;
}

/* ---- in order ---- */

static int compare(const struct record *record, const char *namespace, const char *name)
{
    int order = strcmp(record->namespace, namespace);
    return order != 0 ? order : strcmp(record->name, name);
}

/* The place of the first that is not before it. */
static size_t find_place(const struct shelf *shelf, const char *namespace, const char *name)
{
    size_t low = 0;
    size_t high = shelf->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(shelf->slots[middle]->record, namespace, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t find_place_after(const struct shelf *shelf, const struct record *after)
{
    if (shelf->next_at < shelf->count && shelf->slots[shelf->next_at]->record == after) {
        return shelf->next_at + 1;
    }
    size_t at = find_place(shelf, after->namespace, after->name);
    bool is_there =
        at < shelf->count && compare(shelf->slots[at]->record, after->namespace, after->name) == 0;
    return is_there ? at + 1 : at;
}

const struct record *shelf_next(struct shelf *shelf, const char *namespace,
                                const struct record *after)
{
    size_t at = 0;
    if (after != NULL) {
        at = find_place_after(shelf, after);
    } else if (namespace != NULL) {
        at = find_place(shelf, namespace, "");
    }
    if (at == shelf->count ||
        (namespace != NULL && strcmp(shelf->slots[at]->record->namespace, namespace) != 0)) {
        return NULL;
    }
    shelf->next_at = at;
    return shelf->slots[at]->record;
}

/* ---- changes ---- */

static void add_slot(struct shelf *shelf, const struct record *record)
{
    char key[KEY_BYTES];
    size_t key_bytes = write_key(key, record->namespace, record->name);
    assert(key_bytes > 0);
    struct shelf_slot *slot = memory_new(1, sizeof(*slot) + key_bytes);
    slot->record = record_keep(record);
    memcpy(slot->key, key, key_bytes);
    (void)map_put(&shelf->by_name, slot->key, slot);

    if (shelf->count == shelf->capacity) {
        shelf->capacity = shelf->capacity == 0 ? FIRST_CAPACITY : shelf->capacity * 2;
        shelf->slots = memory_resize(shelf->slots, shelf->capacity, sizeof(struct shelf_slot *));
    }
    size_t at = find_place(shelf, record->namespace, record->name);
    size_t behind = shelf->count++ - at;
    memmove(shelf->slots + at + 1, shelf->slots + at, behind * sizeof(struct shelf_slot *));
    shelf->slots[at] = slot;
}

struct record *shelf_put(struct shelf *shelf, const struct record *record)
{
    assert(record->name[0] != '\0');
    struct shelf_slot *slot = find_slot(shelf, record->namespace, record->name);
    if (slot == NULL) {
        add_slot(shelf, record);
        return NULL;
    }
    struct record *replaced = slot->record;
    slot->record = record_keep(record);
    return replaced;
}

struct record *shelf_take(struct shelf *shelf, const char *namespace, const char *name)
{
    struct shelf_slot *slot = find_slot(shelf, namespace, name);
    if (slot == NULL) {
        return NULL;
    }
    struct record *taken = slot->record;
    size_t at = find_place(shelf, taken->namespace, taken->name);
    assert(shelf->slots[at] == slot);
    size_t behind = --shelf->count - at;
    memmove(shelf->slots + at, shelf->slots + at + 1, behind * sizeof(struct shelf_slot *));
    (void)map_remove(&shelf->by_name, slot->key);
    memory_free(slot);
    return taken;
}
