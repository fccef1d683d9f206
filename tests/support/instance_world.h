/* SPDX-License-Identifier: Apache-2.0 */
/* A node with FSx behind it and what runs in its pods, for the tests of those parts. The binder's
   part is played by the test, so that a PVC is bound when it says so. */
#ifndef ADJOINT_SUPPORT_INSTANCE_WORLD_H
#define ADJOINT_SUPPORT_INSTANCE_WORLD_H

#include "sim/cnpg.h"
#include "sim/jobs.h"
#include "sim/kubelet.h"
#include "sim/scheduler.h"

/* The system identifier of what clones hold. */
#define INSTANCE_WORLD_GOLDEN "7423456789012345678"

struct instance_world {
    struct pace pace; /* this and the next are what all parts borrow */
    struct misfortune misfortune;
    struct world *world;
    struct apiserver *server;
    struct fsx *fsx;
    struct postgres *postgres;
    struct scheduler *scheduler;
    struct kubelet *kubelet;
    struct jobs *jobs;
    struct cnpg *cnpg; /* NULL: not asked for */
};

/* With namespace dev, where all is that the next functions speak of. */
void instance_world_init(struct instance_world *here, bool with_cnpg);
void instance_world_release(struct instance_world *here);

void instance_world_pass(struct instance_world *here, int64_t ms);

/* A person's writes, which must succeed; value is taken. */
void instance_world_create(struct instance_world *here, const struct resource *resource,
                           cJSON *value);
void instance_world_patch(struct instance_world *here, const struct resource *resource,
                          const char *name, const char *subresource, cJSON *value);
void instance_world_delete(struct instance_world *here, const struct resource *resource,
                           const char *name, int64_t grace_s);
/* NULL: not there. Borrowed until the next change. */
const cJSON *instance_world_get(const struct instance_world *here, const struct resource *resource,
                                const char *name);
bool instance_world_has_any(const struct instance_world *here, const struct resource *resource);

/* The PVC to a new volume with this in it; its handle, borrowed as long as the volume is there. */
const char *instance_world_bind(struct instance_world *here, const char *claim,
                                const char *system_id);

/* ---- Cluster alice and her PVC alice-1 ---- */

/* The PVC as CloudNativePG adopts it, to be changed before it is made. */
cJSON *instance_world_alices_claim(void);
/* Makes it (taken), bound to a clone of the golden. */
void instance_world_make_claim(struct instance_world *here, cJSON *claim);

/* The bootstrap that waits for a snapshot which is never made. */
#define INSTANCE_WORLD_GUARD                                                                       \
    "'bootstrap':{'recovery':{'database':'shop','owner':'clerk','volumeSnapshots':{'storage':{"    \
    "'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'never'}}}}"
/* Of one instance with probes at 1 s. more: further members of spec, as sim/draft.h has it; ""
   none. */
void instance_world_make_cluster(struct instance_world *here, const char *more);

const cJSON *instance_world_status(const struct instance_world *here); /* NULL: none yet */
bool instance_world_is_ready(const struct instance_world *here);
/* A member of her status; NULL: absent. */
const char *instance_world_text(const struct instance_world *here, const char *member);

#endif
