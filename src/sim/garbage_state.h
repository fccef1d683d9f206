/* SPDX-License-Identifier: Apache-2.0 */
/* What the garbage collector's files share. */
#ifndef ADJOINT_SIM_GARBAGE_STATE_H
#define ADJOINT_SIM_GARBAGE_STATE_H

#include "sim/caller.h"
#include "sim/garbage.h"
#include "sim/garbage_graph.h"
#include "sim/workers.h"

struct garbage_notice; /* a change on its way to the graph */

struct garbage {
    struct apiserver *server;
    struct world *world;
    struct objects_listener *listener;
    struct garbage_notice *first_notice, *last_notice;
    struct world_event *delivery;
    struct garbage_graph graph;
    struct caller *caller;
    struct workers *workers; /* keys are uids */
    struct garbage_look *first_look;
};

/* Of the queue, as sim/workers.h wants it; self is the garbage collector. */
void garbage_look_at(void *self, const char *uid);
void garbage_drop_looks(struct garbage *garbage);

#endif
