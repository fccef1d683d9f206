/* SPDX-License-Identifier: Apache-2.0 */
/* The patches of a PV: each moves its state, and each tests the meaning it relies on (state, the
   claim's uid, phase) rather than a resourceVersion, which other controllers bump all the time
   (external-provisioner's finalizer, the binder's status). */
#ifndef ADJOINT_SRC_PLAN_VOLUME_PATCH_H
#define ADJOINT_SRC_PLAN_VOLUME_PATCH_H

#include "api/instance.h"
#include "api/volume.h"
#include "base/arena.h"

/* A clone that has just bound becomes warm; a merge patch with the resourceVersion, because a PV
   fresh from a provisioner has no label map to add to. */
const char *volume_patch_warm(const struct object *volume, const struct object *holding,
                              const struct object *pool, struct arena *arena);

/* warm -> retiring, policy Delete: bound to its holding PVC, or Released after that was deleted. It
   says when, so that a clone that was warm for days is not taken for one that nobody destroys. */
const char *volume_patch_retire(const struct object *volume, int64_t wall_ms, struct arena *arena);

struct volume_claimant {
    const struct object *instance;
    const char *claim_name;
    const char *claim_uid;   /* of the PVC; NULL in order Release: by name */
    const char *holding_uid; /* of the holding PVC the volume must still be bound to */
    const char *offer;       /* ANNOTATION_OFFER as it must still be; NULL: not there */
    int64_t wall_ms;
};

/* warm or reserved -> claimed, Retain, claimRef to the developer's PVC: the commit point of a
 * claim. */
const char *volume_patch_claim(const struct object *volume, const struct volume_claimant *claimant,
                               struct arena *arena);

/* A chosen volume is offered anew: no volume_patch_claim from before fits any more, even if it
   arrives only now. With the resourceVersion. */
const char *volume_patch_withdraw(const struct object *volume, struct arena *arena);

/* warm -> reserved: promised to an Instance that is reset. Its holding PVC keeps it. */
const char *volume_patch_reserve(const struct object *volume, const struct object *instance,
                                 struct arena *arena);

/* reserved -> warm: nobody has had it. */
const char *volume_patch_return(const struct object *volume, struct arena *arena);

/* claimed -> warm, claimRef back to the PVC that held it: only for a volume whose claim was never
   Bound to it and never can be. */
const char *volume_patch_swap_back(const struct object *volume, const struct object *holding,
                                   struct arena *arena);

/* A claimed volume whose PVC is gone is given to the Instance's new PVC. */
const char *volume_patch_adopt(const struct object *volume, const struct volume_claimant *claimant,
                               struct arena *arena);

/* claimed -> disposing, policy Delete; only while Released, and from the claim it is released of.
 */
const char *volume_patch_dispose(const struct object *volume, int64_t wall_ms, struct arena *arena);

/* claimRef of a claimed volume to a uid that no PVC has, so that the binder calls it Released; for
   volumes left Available by an interrupted Release or by hand. */
const char *volume_patch_expel(const struct object *volume, struct arena *arena);

/* claimed -> not ours: all our labels and annotations gone, policy Retain. */
const char *volume_patch_forget(const struct object *volume, struct arena *arena);

/* The labels of a claimed volume, put back after someone removed them; with the resourceVersion.
   pool NULL: not known any more. */
const char *volume_patch_relabel(const struct object *volume, const struct object *instance,
                                 const struct object *pool, struct arena *arena);

/* Policy back to Retain while it is claimed (a person changed it), and the Instance's
   deletionPolicy as it is now. */
const char *volume_patch_keep(const struct object *volume, const struct instance *instance,
                              struct arena *arena);

/* Policy to Delete for a retiring or disposing one that has another. */
const char *volume_patch_delete(const struct object *volume, struct arena *arena);

#endif
