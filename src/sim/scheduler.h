/* SPDX-License-Identifier: Apache-2.0 */
/* kube-scheduler for one kind of node with room for all: what decides when a pod may go there is
   its PVCs.
   Rules: kubernetes pkg/scheduler/framework/plugins volumebinding (a PVC that is absent, being
   deleted or not bound makes a pod unschedulable until it changes) and volumerestrictions (a
   ReadWriteOncePod PVC is one pod's at a time). */
#ifndef ADJOINT_SIM_SCHEDULER_H
#define ADJOINT_SIM_SCHEDULER_H

#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct scheduler;

/* node: where pods go, a literal. pace and misfortune are borrowed and may change meanwhile. */
struct scheduler *scheduler_new(struct apiserver *server, const char *node, const struct pace *pace,
                                const struct misfortune *misfortune);
void scheduler_free(struct scheduler *scheduler);
struct view *scheduler_view(struct scheduler *scheduler);

#endif
