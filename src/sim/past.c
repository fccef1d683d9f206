/* SPDX-License-Identifier: Apache-2.0 */
/* The present, with what has happened since undone: the first change after the revision knows the
   version it replaced. Nothing is kept from page to page, so a list that is never finished costs
   nothing. */
#include "sim/past.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct undoing {
    const struct change **changes; /* in order of (namespace, name), one for each object */
    size_t count;
};

static bool is_full(size_t count)
{
    return (count & (count - 1)) == 0; /* room is doubled at each power of two */
}

static size_t grown(size_t count)
{
    return count == 0 ? 1 : count * 2;
}

static int compare_names(const struct record *left, const struct record *right)
{
    int order = strcmp(left->namespace, right->namespace);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static int compare_changes(const void *left, const void *right)
{
    const struct change *one = *(const struct change *const *)left;
    const struct change *other = *(const struct change *const *)right;
    int order = compare_names(one->record, other->record);
    return order != 0 ? order
                      : (one->revision > other->revision) - (one->revision < other->revision);
}

static bool is_wanted(const struct record *record, const struct resource *resource,
                      const char *namespace)
{
    return record->resource == resource &&
           (namespace == NULL || strcmp(record->namespace, namespace) == 0);
}

static void keep_first_of_each(struct undoing *undoing)
{
    size_t kept = 0;
    for (size_t i = 0; i < undoing->count; i++) {
        bool is_first = kept == 0 || compare_names(undoing->changes[kept - 1]->record,
                                                   undoing->changes[i]->record) != 0;
        if (is_first) {
            undoing->changes[kept++] = undoing->changes[i];
        }
    }
    undoing->count = kept;
}

static struct undoing find_changes(const struct objects *objects, const struct resource *resource,
                                   const char *namespace, uint64_t revision)
{
    struct undoing undoing = {0};
    const struct change *change = objects_change_after(objects, revision);
    for (; change != NULL; change = objects_change_after(objects, change->revision)) {
        if (!is_wanted(change->record, resource, namespace)) {
            continue;
        }
        if (is_full(undoing.count)) {
            undoing.changes =
                memory_resize(undoing.changes, grown(undoing.count), sizeof(struct change *));
        }
        undoing.changes[undoing.count++] = change;
    }
    if (undoing.count > 0) {
        qsort(undoing.changes, undoing.count, sizeof(struct change *), compare_changes);
        keep_first_of_each(&undoing);
    }
    return undoing;
}

/* NULL adds nothing. */
static void add(struct past *past, const struct record *record)
{
    if (record == NULL) {
        return;
    }
    if (is_full(past->count)) {
        past->records = memory_resize(past->records, grown(past->count), sizeof(struct record *));
    }
    past->records[past->count++] = record;
}

void past_init(struct past *past, const struct objects *objects, const struct resource *resource,
               const char *namespace, uint64_t revision)
{
    *past = (struct past){0};
    struct undoing undoing = find_changes(objects, resource, namespace, revision);
    size_t at = 0;
    const struct record *present = objects_next(objects, resource, namespace, NULL);
    while (present != NULL || at < undoing.count) {
        const struct change *change = at < undoing.count ? undoing.changes[at] : NULL;
        int order = change == NULL    ? -1
                    : present == NULL ? 1
                                      : compare_names(present, change->record);
        add(past, order < 0 ? present : change->before);
        at += order >= 0 ? 1 : 0;
        present = order <= 0 ? objects_next(objects, resource, namespace, present) : present;
    }
    memory_free(undoing.changes);
}

void past_release(struct past *past)
{
    memory_free(past->records);
    *past = (struct past){0};
}
