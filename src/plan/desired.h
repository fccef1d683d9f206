/* SPDX-License-Identifier: Apache-2.0 */
/* The objects we make, as JSON bodies in an arena. */
#ifndef ADJOINT_SRC_PLAN_DESIRED_H
#define ADJOINT_SRC_PLAN_DESIRED_H

#include "api/pool.h"
#include "api/volume.h"
#include "base/arena.h"
#include "plan/golden.h"

/* A holding PVC: a clone of the golden is provisioned for it. It carries what its volume will be
   labelled with, so that a clone is known by what it was made from, not by what is golden now. */
const char *desired_holding_claim(const struct object *pool, const struct golden *golden,
                                  const char *name, struct arena *arena);

/* What the developer's side of a claim is made of. */
struct handoff {
    const struct object *instance;
    const struct object *pool;
    const struct object *volume; /* a claimable or claimed PV; NULL for a dry run: the pool's
                                    defaults stand in */
    int64_t wall_ms;
    bool unsanitized; /* the Cluster: nobody is let in, and nothing reaches out, yet */
};

/* PVC NAME-1 as CloudNativePG adopts it: its labels, nodeSerial, pvcStatus ready, no
   ownerReferences of any kind (getOrphanPVCs skips owned ones). Of the inert class and without
   volumeName in order Swap; of the volume's class and with volumeName in order Release. */
const char *desired_data_claim(const struct handoff *handoff, struct arena *arena);

/* The Cluster: the Pool's template over our defaults, and what must be over both. ERROR_INVALID
   when the template is no JSON object. */
MUST_CHECK bool desired_cluster(const struct handoff *handoff, struct arena *arena,
                                const char **out_body, struct error *error);

/* The Secret with which applications connect; CloudNativePG gives its password to the database's
   owner. bytes: SECRET_BYTES (plan/instance.h). */
const char *desired_secret(const struct handoff *handoff, const struct object *data_claim,
                           const unsigned char *bytes, struct arena *arena);
const char *desired_secret_name(const struct object *instance, struct arena *arena);
const char *desired_host(const struct object *instance, struct arena *arena);

/* JSON patch: lets everybody into a Cluster that was made unsanitized, if it still is. */
MUST_CHECK bool desired_opening(const struct handoff *handoff, struct arena *arena,
                                const char **out_patch, struct error *error);

/* For a dry run only: an object of this name and nothing else, to see whether there is one without
   reading it. */
const char *desired_probe(enum object_kind kind, const char *name, struct arena *arena);

const char *desired_data_claim_name(const struct object *instance, struct arena *arena);

#endif
