/* SPDX-License-Identifier: Apache-2.0 */
/* The garbage collector: an object all of whose owners are absent is deleted; owners that are
   deleted in the foreground wait for their dependents, those that orphan them are taken off first.
   An owner is looked for in the dependent's own namespace, so that one of another namespace counts
   as absent; a cluster-wide dependent of a namespaced kind is never collected.
   Rules: kubernetes pkg/controller/garbagecollector (garbagecollector.go: attemptToDeleteItem,
   processDeletingDependentsItem, attemptToOrphanWorker; graph_builder.go) at v1.36. */
#ifndef ADJOINT_SIM_GARBAGE_H
#define ADJOINT_SIM_GARBAGE_H

#include "sim/apiserver.h"
#include "sim/simulation.h"

struct garbage;

/* Of all kinds that are served, now or later. */
struct garbage *garbage_new(struct apiserver *server, const struct pace *pace);
void garbage_free(struct garbage *garbage);

#endif
