/* SPDX-License-Identifier: Apache-2.0 */
/* An owner that was never seen gets a node all the same, without a record: a dependent can be seen
   before its owner, and its owner may be long gone. */
#include "sim/garbage_graph.h"

#include "base/memory.h"
#include "sim/value.h"

#include <string.h>

void garbage_graph_init(struct garbage_graph *graph)
{
    map_init(&graph->nodes);
}

static void node_free(struct garbage_node *node)
{
    record_release(node->record);
    memory_free(node->dependents);
    memory_free(node->uid);
    memory_free(node);
}

void garbage_graph_release(struct garbage_graph *graph)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&graph->nodes, &at, &entry)) {
        node_free(entry.value);
    }
    map_release(&graph->nodes);
}

struct garbage_node *garbage_graph_find(const struct garbage_graph *graph, const char *uid)
{
    return map_get(&graph->nodes, uid);
}

static struct garbage_node *find_or_make(struct garbage_graph *graph, const char *uid)
{
    struct garbage_node *node = map_get(&graph->nodes, uid);
    if (node == NULL) {
        node = memory_new(1, sizeof(*node));
        node->uid = memory_copy_text(uid);
        (void)map_put(&graph->nodes, node->uid, node);
    }
    return node;
}

static void drop_if_unused(struct garbage_graph *graph, struct garbage_node *node)
{
    if (node->record == NULL && node->dependent_count == 0) {
        (void)map_remove(&graph->nodes, node->uid);
        node_free(node);
    }
}

static const cJSON *references_of(const struct record *record)
{
    return record == NULL ? NULL : value_at(record->value, "metadata", "ownerReferences", NULL);
}

static bool waits_or_orphans(const struct record *record)
{
    return record != NULL && (garbage_waits(record) || garbage_orphans(record));
}

bool garbage_waits(const struct record *record)
{
    return value_is_deleting(record->value) &&
           value_has_finalizer(record->value, GARBAGE_FOREGROUND);
}

bool garbage_orphans(const struct record *record)
{
    return value_is_deleting(record->value) && value_has_finalizer(record->value, GARBAGE_ORPHAN);
}

const cJSON *garbage_reference(const struct record *record, const char *owner_uid)
{
    const cJSON *reference = NULL;
    cJSON_ArrayForEach(reference, references_of(record))
    {
        if (value_equal_text(reference, owner_uid, "uid", NULL)) {
            return reference;
        }
    }
    return NULL;
}

static void link_to(struct garbage_node *owner, struct garbage_node *dependent)
{
    owner->dependents =
        memory_resize(owner->dependents, owner->dependent_count + 1, sizeof(struct garbage_node *));
    owner->dependents[owner->dependent_count++] = dependent;
}

static void unlink_from(struct garbage_node *owner, const struct garbage_node *dependent)
{
    size_t at = 0;
    while (at < owner->dependent_count && owner->dependents[at] != dependent) {
        at++;
    }
    if (at < owner->dependent_count) {
        owner->dependent_count--;
        memmove(&owner->dependents[at], &owner->dependents[at + 1],
                (owner->dependent_count - at) * sizeof(struct garbage_node *));
    }
}

/* From the owners that `before` names and `after` (NULL: gone) does not. */
static void unlink_owners(struct garbage_graph *graph, struct garbage_node *node,
                          const struct record *before, const struct record *after,
                          struct garbage_marks marks)
{
    const cJSON *reference = NULL;
    cJSON_ArrayForEach(reference, references_of(before))
    {
        const char *uid = value_text(reference, "uid", NULL);
        struct garbage_node *owner = uid == NULL ? NULL : garbage_graph_find(graph, uid);
        if (owner == NULL || owner == node ||
            (after != NULL && garbage_reference(after, uid) != NULL)) {
            continue;
        }
        unlink_from(owner, node);
        if (waits_or_orphans(owner->record)) {
            marks.add(marks.self, owner->uid);
        }
        drop_if_unused(graph, owner);
    }
}

/* true: `after` has an owner that `before` (NULL: new) had not. */
static bool link_owners(struct garbage_graph *graph, struct garbage_node *node,
                        const struct record *before, const struct record *after)
{
    bool is_news = false;
    const cJSON *reference = NULL;
    cJSON_ArrayForEach(reference, references_of(after))
    {
        const char *uid = value_text(reference, "uid", NULL);
        bool is_itself = uid != NULL && strcmp(uid, node->uid) == 0;
        if (uid != NULL && !is_itself &&
            (before == NULL || garbage_reference(before, uid) == NULL)) {
            link_to(find_or_make(graph, uid), node);
            is_news = true;
        }
    }
    return is_news;
}

bool garbage_graph_concerns(const struct garbage_graph *graph, const struct record *record)
{
    return references_of(record) != NULL || waits_or_orphans(record) ||
           garbage_graph_find(graph, record->uid) != NULL;
}

void garbage_graph_put(struct garbage_graph *graph, const struct record *record,
                       struct garbage_marks marks)
{
    if (!garbage_graph_concerns(graph, record)) {
        return;
    }
    struct garbage_node *node = find_or_make(graph, record->uid);
    struct record *before = node->record;
    node->record = record_keep(record);
    bool is_news = link_owners(graph, node, before, record);
    unlink_owners(graph, node, before, record, marks);
    if (is_news || waits_or_orphans(record)) {
        marks.add(marks.self, node->uid);
    }
    record_release(before);
}

void garbage_graph_drop(struct garbage_graph *graph, const struct record *record,
                        struct garbage_marks marks)
{
    struct garbage_node *node = garbage_graph_find(graph, record->uid);
    if (node == NULL) {
        return;
    }
    struct record *before = node->record;
    node->record = NULL;
    unlink_owners(graph, node, before, NULL, marks);
    record_release(before);
    for (size_t i = 0; i < node->dependent_count; i++) {
        marks.add(marks.self, node->dependents[i]->uid);
    }
    drop_if_unused(graph, node);
}
