/* SPDX-License-Identifier: Apache-2.0 */
/* People who have nothing to do with Adjoint, and what they have in the same cluster: PVCs, PVs,
   pods and Clusters, and a PVC in the Pools' namespace that has the name of a slot. */
#ifndef ADJOINT_SIMULATION_OTHERS_H
#define ADJOINT_SIMULATION_OTHERS_H

#include "simulation/trial.h"

/* They have all that, and make and delete some of it meanwhile. */
void others_begin(struct trial *trial, int64_t for_ms);
/* A PVC's or a Cluster's. */
bool others_have(const char *namespace, const char *name);
/* Breaks the run when something of theirs is gone. */
void others_judge(const struct trial *trial);

#endif
