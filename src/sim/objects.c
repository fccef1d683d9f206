/* SPDX-License-Identifier: Apache-2.0 */
/* Revisions have no gaps, so the change after a revision is found by its distance from the oldest
   one: history is a ring. It is bounded because every version in it is a whole tree.

   There are some twenty resources, and they are looked for by pointer, in the order in which they
   first came. */
#include "sim/objects.h"

#include "base/memory.h"
#include "sim/shelf.h"
#include "sim/value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

enum { FIRST_REVISION = 1, REVISION_BYTES = 24 };

struct drawer {
    const struct resource *resource;
    struct shelf shelf;
};

struct objects_listener {
    void (*changed)(void *self, const struct change *change);
    void *self;
    struct objects_listener *next;
};

struct objects {
    struct world *world;
    struct drawer **drawers;
    size_t drawer_count;
    uint64_t revision, compacted;
    struct change *changes; /* that of revision r is at r % OBJECTS_CHANGES_MAX */
    struct objects_listener *listeners;
};

struct objects *objects_new(struct world *world)
{
    struct objects *objects = memory_new(1, sizeof(*objects));
    objects->world = world;
    objects->revision = FIRST_REVISION;
    objects->compacted = FIRST_REVISION;
    objects->changes = memory_new(OBJECTS_CHANGES_MAX, sizeof(*objects->changes));
    return objects;
}

void objects_free(struct objects *objects)
{
    if (objects == NULL) {
        return;
    }
    assert(objects->listeners == NULL);
    objects_compact(objects, objects->revision);
    for (size_t i = 0; i < objects->drawer_count; i++) {
        shelf_release(&objects->drawers[i]->shelf);
        memory_free(objects->drawers[i]);
    }
    memory_free(objects->drawers);
    memory_free(objects->changes);
    memory_free(objects);
}

uint64_t objects_revision(const struct objects *objects)
{
    return objects->revision;
}

/* ---- the present ---- */

/* NULL: nothing of the resource was ever put. */
static struct shelf *find_shelf(const struct objects *objects, const struct resource *resource)
{
    for (size_t i = 0; i < objects->drawer_count; i++) {
        if (objects->drawers[i]->resource == resource) {
            return &objects->drawers[i]->shelf;
        }
    }
    return NULL;
}

static struct shelf *make_shelf(struct objects *objects, const struct resource *resource)
{
    struct shelf *shelf = find_shelf(objects, resource);
    if (shelf != NULL) {
        return shelf;
    }
    struct drawer *drawer = memory_new(1, sizeof(*drawer));
    drawer->resource = resource;
    shelf_init(&drawer->shelf);
    objects->drawers =
        memory_resize(objects->drawers, objects->drawer_count + 1, sizeof(struct drawer *));
    objects->drawers[objects->drawer_count++] = drawer;
    return &drawer->shelf;
}

const struct record *objects_get(const struct objects *objects, const struct resource *resource,
                                 const char *namespace, const char *name)
{
    const struct shelf *shelf = find_shelf(objects, resource);
    return shelf == NULL ? NULL : shelf_get(shelf, namespace, name);
}

const struct record *objects_next(const struct objects *objects, const struct resource *resource,
                                  const char *namespace, const struct record *after)
{
    struct shelf *shelf = find_shelf(objects, resource);
    return shelf == NULL ? NULL : shelf_next(shelf, namespace, after);
}

/* ---- changes ---- */

static struct change *change_at(const struct objects *objects, uint64_t revision)
{
    return &objects->changes[revision % OBJECTS_CHANGES_MAX];
}

/* References of record and before become the change's. */
static void commit(struct objects *objects, enum change_type type, struct record *record,
                   struct record *before)
{
    assert(record->revision == objects->revision + 1);
    if (record->revision - objects->compacted > OBJECTS_CHANGES_MAX) {
        objects_compact(objects, record->revision - OBJECTS_CHANGES_MAX);
    }
    objects->revision = record->revision;
    struct change *change = change_at(objects, record->revision);
    *change = (struct change){
        .type = type,
        .revision = record->revision,
        .at_ms = world_now(objects->world).mono_ms,
        .record = record,
        .before = before,
    };
    struct objects_listener *next = NULL;
    for (struct objects_listener *at = objects->listeners; at != NULL; at = next) {
        next = at->next;
        at->changed(at->self, change);
    }
    assert(objects->revision == change->revision); /* a listener notes, and does not write */
}

static struct record *next_version(const struct objects *objects, const struct resource *resource,
                                   cJSON *value)
{
    uint64_t revision = objects->revision + 1;
    char text[REVISION_BYTES];
    (void)snprintf(text, sizeof(text), "%" PRIu64, revision);
    value_set_text(value_make(value, "metadata", NULL), "resourceVersion", text);
    return record_new(resource, value, revision);
}

const struct record *objects_put(struct objects *objects, const struct resource *resource,
                                 cJSON *value)
{
    struct record *record = next_version(objects, resource, value);
    assert(record->name[0] != '\0');
    assert(!resource->is_namespaced || record->namespace[0] != '\0');
    struct record *before = shelf_put(make_shelf(objects, resource), record);
    commit(objects, before == NULL ? CHANGE_ADDED : CHANGE_MODIFIED, record, before);
    return record;
}

void objects_remove(struct objects *objects, const struct resource *resource, const char *namespace,
                    const char *name)
{
    struct shelf *shelf = find_shelf(objects, resource);
    struct record *before = shelf == NULL ? NULL : shelf_take(shelf, namespace, name);
    assert(before != NULL);
    struct record *record = next_version(objects, resource, cJSON_Duplicate(before->value, true));
    commit(objects, CHANGE_DELETED, record, before);
}

/* ---- history ---- */

const struct change *objects_change_after(const struct objects *objects, uint64_t revision)
{
    assert(revision >= objects->compacted);
    return revision >= objects->revision ? NULL : change_at(objects, revision + 1);
}

void objects_compact(struct objects *objects, uint64_t revision)
{
    assert(revision <= objects->revision);
    while (objects->compacted < revision) {
        struct change *forgotten = change_at(objects, ++objects->compacted);
        record_release(forgotten->record);
        record_release(forgotten->before);
        *forgotten = (struct change){0};
    }
}

uint64_t objects_compacted(const struct objects *objects)
{
    return objects->compacted;
}

/* ---- listeners ---- */

struct objects_listener *objects_listen(struct objects *objects,
                                        void (*changed)(void *self, const struct change *change),
                                        void *self)
{
    struct objects_listener *listener = memory_new(1, sizeof(*listener));
    listener->changed = changed;
    listener->self = self;
    struct objects_listener **last = &objects->listeners;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = listener;
    return listener;
}

void objects_unlisten(struct objects *objects, struct objects_listener *listener)
{
    struct objects_listener **at = &objects->listeners;
    while (*at != NULL && *at != listener) {
        at = &(*at)->next;
    }
    assert(*at != NULL);
    *at = listener->next;
    memory_free(listener);
}
