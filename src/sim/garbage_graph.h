/* SPDX-License-Identifier: Apache-2.0 */
/* Who depends on whom, by uid, as far as it was told. Only objects with owners, and those that are
   named as owners or wait for their dependents, are in it. */
#ifndef ADJOINT_SIM_GARBAGE_GRAPH_H
#define ADJOINT_SIM_GARBAGE_GRAPH_H

#include "base/map.h"
#include "sim/objects.h"

#include <stdbool.h>
#include <stddef.h>

struct garbage_node {
    char *uid;
    struct record *record; /* NULL: named by its dependents alone, or gone */
    struct garbage_node **dependents;
    size_t dependent_count;
};

struct garbage_graph {
    struct map nodes; /* by uid */
};

void garbage_graph_init(struct garbage_graph *graph);
void garbage_graph_release(struct garbage_graph *graph);

struct garbage_node *garbage_graph_find(const struct garbage_graph *graph, const char *uid);

/* add(self, uid): the object is to be looked at. */
struct garbage_marks {
    void (*add)(void *self, const char *uid);
    void *self;
};
void garbage_graph_put(struct garbage_graph *graph, const struct record *record,
                       struct garbage_marks marks);
void garbage_graph_drop(struct garbage_graph *graph, const struct record *record,
                        struct garbage_marks marks);

/* The graph would be another with it. */
bool garbage_graph_concerns(const struct garbage_graph *graph, const struct record *record);
/* It is being deleted in the foreground: goes after its dependents. */
bool garbage_waits(const struct record *record);
/* It is being deleted, and its dependents are to be let go before. */
bool garbage_orphans(const struct record *record);
/* The object's ownerReference of that uid; NULL: none. */
const cJSON *garbage_reference(const struct record *record, const char *owner_uid);

#define GARBAGE_FOREGROUND "foregroundDeletion"
#define GARBAGE_ORPHAN "orphan"

#endif
