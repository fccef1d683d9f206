/* SPDX-License-Identifier: Apache-2.0 */
/* One pod on its node, from the mount to its end. Private to the kubelet. */
#ifndef ADJOINT_SIM_POD_WORKER_H
#define ADJOINT_SIM_POD_WORKER_H

#include "base/map.h"
#include "sim/kubelet.h"

struct kubelet {
    struct apiserver *server;
    struct world *world;
    struct view *view;
    struct kubelet_options options;
    struct map workers; /* by the pod's uid */
    unsigned addresses; /* given to pods so far */
};

struct pod_worker;

/* Begins to mount. */
struct pod_worker *pod_worker_new(struct kubelet *kubelet, const struct record *pod);
void pod_worker_free(struct pod_worker *worker); /* as when the node dies: nothing ends in order */
const char *pod_worker_uid(const struct pod_worker *worker);

/* The pod is being deleted: its containers get SIGTERM. Again: nothing. */
void pod_worker_stop(struct pod_worker *worker, const cJSON *pod);
/* Its object is gone without that (a forced deletion): its containers end all the same, and until
   then they have the volumes. */
void pod_worker_abandon(struct pod_worker *worker, const cJSON *pod);

#endif
