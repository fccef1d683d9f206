/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG's operator for Clusters of one instance: adoption of PVCs that nobody owns, or a
   bootstrap of its own, then the pod, the status and what people see of it.
   Rules: CloudNativePG v1.30 internal/controller (cluster_controller, cluster_restore,
   cluster_create, cluster_status) and pkg/reconciler/persistentvolumeclaim, adoption as it was seen
   on a real node. Where a version matters the header of the part says which. */
#ifndef ADJOINT_SIM_CNPG_H
#define ADJOINT_SIM_CNPG_H

#include "sim/apiserver.h"
#include "sim/postgres.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct cnpg;

/* pace and misfortune are borrowed and may change meanwhile. */
struct cnpg *cnpg_new(struct apiserver *server, struct postgres *postgres, const struct pace *pace,
                      const struct misfortune *misfortune);
void cnpg_free(struct cnpg *cnpg);

/* Its caches show a change of a resource so late; of NULL: each. Kept across restarts. */
void cnpg_set_lag(struct cnpg *cnpg, const struct resource *resource, struct span lag);

/* The process dies now, in the middle of whatever it was doing, and is back some seconds later. */
void cnpg_restart(struct cnpg *cnpg);

#endif
