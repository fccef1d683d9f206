/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes that carry our labels and that no Pool or Instance looks after any more: put right or
   left for a person with a reason. Nothing unlabelled is ever touched. Because the store may be
   behind, an owner counts as gone only after a GET that said 404. */
#ifndef ADJOINT_PLAN_SWEEP_H
#define ADJOINT_PLAN_SWEEP_H

#include "plan/plan.h"

struct volume_observation {
    const struct object *volume;
    const struct object *pool;     /* by uid; NULL: not seen */
    const struct object *instance; /* by uid; NULL: not seen */
    const char *twin;              /* another PV of its CSI handle; NULL */
    const struct object *holding;  /* the PVC its claimRef names, when it is a holding one; NULL */
    const struct object *data_claim, *cluster; /* with its Instance's uid; NULL */
    const char *gone_owner_uid; /* of an owner whose ACTION_READ came back with 404; NULL */
    struct trouble trouble;
    bool held;
};

/* What a person is told about a volume that needs one; NULL reason: nothing. Logged and counted. */
struct volume_finding {
    const char *reason, *message;
    bool leaked; /* nobody looks after it: its storage stays until a person acts */
};

void plan_volume(struct plan *plan, const struct volume_observation *seen,
                 struct volume_finding *out_finding);

/* The developer's PVC, or the Cluster, whose Instance is gone and whose volume is not there to be
   swept with it: it was posted while the Instance went, or was not in sight when that let it go. A
   PVC that never got a volume is deleted, or it would keep its name from the next Instance; a
   Cluster may run on what its Instance left to its user, and stays without our labels. And the
   holding PVC whose Pool is gone, with the volume that was made for it. */
struct remnant_observation {
    const struct object *object;
    const char *owner_uid;       /* of its Instance or Pool; NULL: it names none */
    bool is_owned;               /* that is in sight */
    bool has_volume;             /* a PV carries its Instance's uid */
    const struct object *volume; /* that the PVC is bound to; NULL: none, or not seen */
    const char *gone_owner_uid;  /* as above */
    const struct object *claim;  /* a Cluster's PVC, whosever it is; NULL: none, or not seen */
    bool claim_was_asked_for;    /* and a GET has found none that is ours */
    bool held;
};

void plan_remnant(struct plan *plan, const struct remnant_observation *seen);

#endif
