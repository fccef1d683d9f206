/* SPDX-License-Identifier: Apache-2.0 */
/* Three things tell about an object: lists, the watch, and replies to our own writes, and they
   overtake each other. Each put is judged by itself here, so that nobody above has to wait for a
   cache to catch up:

   - against what is held: by version, else by source (a reply stands until the watch shows it);
   - if nothing is held: it may be gone already. A tombstone says so by uid, and beyond that
     everything of a kind up to `complete_version` has been seen, so a reply at or below it about
     an object that is not held is about one that was deleted in between, perhaps unnoticed in the
     gap that a list closed. */
#include "kube/store.h"

#include "base/common.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "kube/tombstones.h"
#include "kube/version.h"

#include <assert.h>
#include <string.h>

enum {
    KEY_BYTES = 63 + 1 + 253 + 1, /* namespace (DNS-1123 label), '/', name (subdomain), NUL */
    VERSION_BYTES = 24,           /* a decimal uint64 with its NUL, and some */
};

struct store_table {
    struct map by_key; /* to struct object *, as the other; the keys of both are the objects' */
    struct map by_uid;
    uint32_t epoch; /* the number of its lists */
    bool listing;
    uint32_t overflow_epoch; /* of the last object that was dropped; 0: none */
    bool overflowed;
    char complete_version[VERSION_BYTES]; /* "": not known, or not comparable */
};

struct store {
    struct store_table tables[KIND_COUNT];
    struct tombstones tombstones;
    struct commons *commons; /* of its objects */
    struct store_listener listener;
    size_t object_count_max;
    uint64_t revision;
};

struct store *store_new(size_t object_count_max, struct store_listener listener)
{
    struct store *store = memory_new(1, sizeof(*store));
    store->listener = listener;
    store->object_count_max = object_count_max;
    tombstones_init(&store->tombstones);
    store->commons = commons_new();
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        map_init(&store->tables[kind].by_key);
        map_init(&store->tables[kind].by_uid);
        store->tables[kind].epoch = 1;
    }
    return store;
}

static void table_release(struct store_table *table)
{
    struct map_entry slot;
    size_t at = 0;
    while (map_next(&table->by_key, &at, &slot)) {
        object_free(slot.value);
    }
    map_release(&table->by_key);
    map_release(&table->by_uid);
}

void store_free(struct store *store)
{
    if (store == NULL) {
        return;
    }
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        table_release(&store->tables[kind]);
    }
    tombstones_release(&store->tombstones);
    commons_free(store->commons);
    memory_free(store);
}

struct commons *store_commons(const struct store *store)
{
    return store->commons;
}

static struct store_table *table_of(struct store *store, enum object_kind kind)
{
    assert(kind < KIND_COUNT);
    return &store->tables[kind];
}

static bool is_known(const char *identity)
{
    return identity != NULL && identity[0] != '\0';
}

static bool make_key(char out[KEY_BYTES], const char *namespace, const char *name)
{
    size_t namespace_bytes = is_known(namespace) ? strlen(namespace) : 0;
    size_t name_bytes = strlen(name);
    if (namespace_bytes > KEY_BYTES - 2 || name_bytes > KEY_BYTES - 2 - namespace_bytes) {
        return false;
    }
    memcpy(out, namespace_bytes == 0 ? "" : namespace, namespace_bytes);
    out[namespace_bytes] = '/';
    memcpy(out + namespace_bytes + 1, name, name_bytes + 1);
    return true;
}

static struct object *find(const struct store_table *table, const char *namespace, const char *name)
{
    char key[KEY_BYTES];
    return make_key(key, namespace, name) ? map_get(&table->by_key, key) : NULL;
}

static void tell(struct store *store, const struct object *before, const struct object *after)
{
    store->revision++;
    if (store->listener.changed != NULL) {
        store->listener.changed(store->listener.self, before, after);
    }
}

static void set_object(struct store_table *table, struct object *object, uint32_t listed_epoch,
                       enum store_source source)
{
    object->standing = (struct object_standing){.listed_epoch = listed_epoch,
                                                .put_epoch = table->epoch,
                                                .reply_stands = source == STORE_REPLY};
    map_put(&table->by_key, object->meta.key, object);
    if (is_known(object->meta.uid)) {
        map_put(&table->by_uid, object->meta.uid, object);
    }
}

static void add_take(struct store *store, struct store_table *table, struct object *object,
                     enum store_source source)
{
    set_object(table, object, source == STORE_LIST ? table->epoch : 0, source);
    tell(store, NULL, object);
}

static void replace_take(struct store *store, struct store_table *table, struct object *before,
                         struct object *object, enum store_source source)
{
    set_object(table, object, before->standing.listed_epoch, source);
    tell(store, before, object);
    object_free(before);
}

/* version: of the deletion; NULL when it is not known. */
static void remove_object(struct store *store, struct store_table *table, struct object *before,
                          const char *version)
{
    map_remove(&table->by_key, before->meta.key);
    if (is_known(before->meta.uid)) {
        map_remove(&table->by_uid, before->meta.uid);
        tombstones_add(&store->tombstones, before->meta.uid, version, table->epoch);
    }
    tell(store, before, NULL);
    object_free(before);
}

static bool supersedes(const struct object *object, enum store_source source,
                       const struct object *held)
{
    switch (version_compare(object->meta.resource_version, held->meta.resource_version)) {
    case VERSION_NEWER:
        return true;
    case VERSION_OLDER:
    case VERSION_SAME:
        return false;
    case VERSION_UNORDERED:
        return source != STORE_WATCH || !held->standing.reply_stands;
    }
    assert(false);
    return false;
}

/* A list that was begun after the deletion was seen shows what is there. */
static bool is_gone(const struct store *store, const struct store_table *table,
                    const struct object *object, enum store_source source)
{
    const struct tombstone *tombstone =
        is_known(object->meta.uid) ? tombstones_find(&store->tombstones, object->meta.uid) : NULL;
    if (source == STORE_LIST && tombstone != NULL && tombstone->list_epoch < table->epoch) {
        return false;
    }
    const char *version = object->meta.resource_version;
    if (tombstone != NULL) {
        enum version_order order = version_compare(version, tombstone->version);
        bool shown_by_watch = order == VERSION_UNORDERED && source == STORE_WATCH;
        return order != VERSION_NEWER && (tombstone->version == NULL || !shown_by_watch);
    }
    enum version_order order = version_compare(version, table->complete_version);
    return source == STORE_REPLY && (order == VERSION_OLDER || order == VERSION_SAME);
}

static void note_complete(struct store_table *table, const char *version)
{
    enum version_order order = version_compare(version, table->complete_version);
    size_t length = version == NULL ? 0 : strlen(version);
    if (length > 0 && length < VERSION_BYTES && order != VERSION_OLDER) {
        memcpy(table->complete_version, version, length + 1);
    }
}

static bool put_new_take(struct store *store, struct store_table *table, struct object *object,
                         enum store_source source)
{
    char key[KEY_BYTES];
    bool is_wanted = make_key(key, object->meta.namespace, object->meta.name) &&
                     !is_gone(store, table, object, source);
    if (is_wanted && table->by_key.count < store->object_count_max) {
        add_take(store, table, object, source);
        return true;
    }
    if (is_wanted) {
        table->overflowed = true;
        table->overflow_epoch = table->epoch;
    }
    object_free(object);
    return false;
}

/* The version that is held came once more. */
static void note_shown(const struct store_table *table, struct object *held,
                       enum store_source source)
{
    if (source == STORE_LIST) {
        held->standing.listed_epoch = table->epoch;
    }
    held->standing.reply_stands = held->standing.reply_stands && source == STORE_REPLY;
}

static bool judge_take(struct store *store, struct store_table *table, struct object *object,
                       enum store_source source)
{
    struct object *held = find(table, object->meta.namespace, object->meta.name);
    if (held == NULL) {
        return put_new_take(store, table, object, source);
    }
    bool same_uid = text_equal(object->meta.uid, held->meta.uid);
    if (source == STORE_LIST) {
        held->standing.listed_epoch = table->epoch;
    }
    if (!supersedes(object, source, held) || (!same_uid && is_gone(store, table, object, source))) {
        if (text_equal(object->meta.resource_version, held->meta.resource_version)) {
            note_shown(table, held, source);
        }
        object_free(object);
        return false;
    }
    if (same_uid) {
        replace_take(store, table, held, object, source);
        return true;
    }
    remove_object(store, table, held, NULL);
    add_take(store, table, object, source);
    return true;
}

bool store_put_take(struct store *store, struct object *object, enum store_source source)
{
    assert(object->meta.name != NULL && object->meta.name[0] != '\0');
    struct store_table *table = table_of(store, object->kind);
    if (source == STORE_WATCH) {
        note_complete(table, object->meta.resource_version);
    }
    return judge_take(store, table, object, source);
}

void store_note_shown(struct store *store, const struct object *held, enum store_source source)
{
    struct store_table *table = table_of(store, held->kind);
    if (source == STORE_WATCH) {
        note_complete(table, held->meta.resource_version);
    }
    note_shown(table, map_get(&table->by_key, held->meta.key), source);
}

bool store_remove(struct store *store, enum object_kind kind, const char *namespace,
                  const char *name, const char *uid, const char *resource_version)
{
    assert(name != NULL);
    struct store_table *table = table_of(store, kind);
    struct object *held = find(table, namespace, name);
    if (held == NULL || (is_known(uid) && !text_equal(uid, held->meta.uid)) ||
        version_compare(resource_version, held->meta.resource_version) == VERSION_OLDER) {
        return false;
    }
    const char *gone_at = is_known(uid) ? NULL : held->meta.resource_version;
    remove_object(store, table, held, is_known(resource_version) ? resource_version : gone_at);
    return true;
}

void store_begin_list(struct store *store, enum object_kind kind)
{
    struct store_table *table = table_of(store, kind);
    assert(!table->listing);
    table->listing = true;
    table->epoch++;
}

static bool is_missing(const struct store_table *table, const struct object *object,
                       const char *list_version)
{
    if (object->standing.listed_epoch == table->epoch) {
        return false;
    }
    enum version_order order = version_compare(object->meta.resource_version, list_version);
    return order == VERSION_UNORDERED ? object->standing.put_epoch < table->epoch
                                      : order != VERSION_NEWER;
}

void store_end_list(struct store *store, enum object_kind kind, const char *resource_version)
{
    struct store_table *table = table_of(store, kind);
    assert(table->listing);
    table->listing = false;
    table->overflowed = table->overflow_epoch == table->epoch;
    size_t missing_count = 0;
    cleanup_memory void *memory = memory_new(table->by_key.count, sizeof(struct object *));
    struct object **missing = memory;
    struct map_entry slot;
    size_t at = 0;
    while (map_next(&table->by_key, &at, &slot)) {
        if (is_missing(table, slot.value, resource_version)) {
            missing[missing_count++] = slot.value;
        }
    }
    for (size_t i = 0; i < missing_count; i++) {
        remove_object(store, table, missing[i], resource_version);
    }
    note_complete(table, resource_version);
}

void store_abandon_list(struct store *store, enum object_kind kind)
{
    struct store_table *table = table_of(store, kind);
    assert(table->listing);
    table->listing = false;
}

void store_spare_listed(struct store *store, enum object_kind kind, const char *namespace,
                        const char *name)
{
    struct store_table *table = table_of(store, kind);
    assert(table->listing);
    struct object *held = find(table, namespace, name);
    if (held != NULL) {
        held->standing.listed_epoch = table->epoch;
    }
}

const struct object *store_get(const struct store *store, enum object_kind kind,
                               const char *namespace, const char *name)
{
    assert(kind < KIND_COUNT);
    return find(&store->tables[kind], namespace, name);
}

const struct object *store_get_uid(const struct store *store, enum object_kind kind,
                                   const char *uid)
{
    assert(kind < KIND_COUNT);
    return map_get(&store->tables[kind].by_uid, uid);
}

const struct object *store_next(const struct store *store, enum object_kind kind, size_t *at)
{
    assert(kind < KIND_COUNT);
    struct map_entry slot;
    if (!map_next(&store->tables[kind].by_key, at, &slot)) {
        return NULL;
    }
    return slot.value;
}

size_t store_count(const struct store *store, enum object_kind kind)
{
    assert(kind < KIND_COUNT);
    return store->tables[kind].by_key.count;
}

uint64_t store_revision(const struct store *store)
{
    return store->revision;
}

bool store_overflowed(const struct store *store, enum object_kind kind)
{
    assert(kind < KIND_COUNT);
    return store->tables[kind].overflowed;
}
