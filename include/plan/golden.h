/* SPDX-License-Identifier: Apache-2.0 */
/* Is a Pool's golden fit to be cloned and adopted? Checked before the first fill and shown as the
   condition GoldenReady. Rules: facts of the FSx CSI driver v1.2.0 (1Gi exactly, OriginSnapshot,
   OptionsOnDeletion) and CloudNativePG's snapshot annotations (enrichSnapshot). */
#ifndef ADJOINT_PLAN_GOLDEN_H
#define ADJOINT_PLAN_GOLDEN_H

#include "api/pool.h"
#include "api/volume.h"
#include "base/arena.h"

struct golden_observation {
    /* NULL: not there. snapshot: the one that is named, or the newest. */
    const struct object *snapshot, *content, *storage_class;
    const struct object *origin_class; /* the golden's own StorageClass */
};

struct golden {
    bool ready;
    const char *reason, *message;       /* for the condition */
    const char *name, *uid, *system_id; /* when ready */
    const char *database, *owner;
};

/* Of two VolumeSnapshots the one that spec.golden.latest takes: the newer of those that it selects
   and that can be cloned, by status.creationTime, then name. Either may be NULL; NULL: neither. */
const struct object *golden_newer(const struct object *pool, const struct object *one,
                                  const struct object *other);

struct golden golden_judge(const struct object *pool, const struct golden_observation *seen,
                           struct arena *arena);

#endif
