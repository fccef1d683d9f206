/* SPDX-License-Identifier: Apache-2.0 */
/* The kubelet of one node: it mounts the volumes of pods that were given to the node, starts their
   containers, probes them, and on deletion lets them end before the pod object goes.
   Rules: kubernetes pkg/kubelet (a PVC must be bound to a PV that names its uid, mounts are
   retried from 0.5 s doubled up to 2 min, the first probe comes with the container and the next
   a period later, a started container is probed for readiness at once). Containers of other
   programs than CloudNativePG's are ready as soon as they run. */
#ifndef ADJOINT_SIM_KUBELET_H
#define ADJOINT_SIM_KUBELET_H

#include "sim/apiserver.h"
#include "sim/fsx.h"
#include "sim/postgres.h"
#include "sim/view.h"

struct kubelet;

struct kubelet_options {
    const char *node; /* a literal */
    struct fsx *fsx;
    struct postgres *postgres;
    const struct pace *pace; /* this and the next are borrowed and may change meanwhile */
    const struct misfortune *misfortune;
};

/* Registers its Node, too. */
struct kubelet *kubelet_new(struct apiserver *server, const struct kubelet_options *options);
void kubelet_free(struct kubelet *kubelet);
struct view *kubelet_view(struct kubelet *kubelet);

#endif
