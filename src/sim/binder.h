/* SPDX-License-Identifier: Apache-2.0 */
/* The persistentvolume-binder-controller of kube-controller-manager, with what makes it awkward:
   one worker for claims and one for volumes, stores of its own that show a claim sync only what
   the volume worker has seen or it wrote itself, a client of 20 requests a second, and a resync
   each 15 s that is the only remedy for what an event did not tell.
   Rules: kubernetes pkg/controller/volume/persistentvolume (pv_controller.go: syncClaim,
   syncVolume, bind; pv_controller_base.go: workers, resync; index.go, and
   pkg/volume/persistentvolume's FindMatchingVolume) at v1.36; its tables are the comments in
   sim/binder_claims.c and sim/binder_volumes.c. */
#ifndef ADJOINT_SIM_BINDER_H
#define ADJOINT_SIM_BINDER_H

#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct binder;

/* pace and misfortune are borrowed and may change meanwhile; the client's rate and burst are read
   here alone. */
struct binder *binder_new(struct apiserver *server, const struct pace *pace,
                          const struct misfortune *misfortune);
void binder_free(struct binder *binder); /* its process died; a new one lists everything */
/* Of claims, volumes and StorageClasses: to lag or to stall it. */
struct view *binder_view(struct binder *binder);

#endif
