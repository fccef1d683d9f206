/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a claim, for an Instance that is being deleted and, by the sweep, for one that is gone
   without having been let go properly. */
#ifndef ADJOINT_SRC_PLAN_DISPOSAL_H
#define ADJOINT_SRC_PLAN_DISPOSAL_H

#include "api/instance.h"
#include "plan/plan.h"

struct disposal {
    struct plan *plan;
    bool held;
    const char *instance_uid;
    const char *why; /* in words for the log */
    enum deletion_policy policy;
    const struct object *cluster, *data_claim, *volume; /* NULL: not there */
    const struct object *holding; /* a Pool's PVC that the binder gave the volume to, after somebody
                                     took its claimRef off; NULL */
    const char *twin;             /* another PV of the volume's CSI handle; NULL */
};

/* Adds the next actions. Returns what is waited for, in words for a person; NULL: nothing is left
   that the Instance has to stay for (the volume's own end is on its PV then). */
const char *disposal_plan(const struct disposal *disposal);

/* Takes our labels off: it stays, and is nobody's but its user's. */
void disposal_forget(struct plan *plan, const struct object *object);

#endif
