/* SPDX-License-Identifier: Apache-2.0 */
/* Does the Pool's Cluster start on its golden, and what may come alive in the clones? From what
   CloudNativePG wrote on the snapshot. */
#ifndef ADJOINT_SRC_PLAN_GOLDEN_POSTGRES_H
#define ADJOINT_SRC_PLAN_GOLDEN_POSTGRES_H

#include "api/pool.h"
#include "api/volume.h"
#include "base/arena.h"

/* NULL reason: nothing is in the way. */
struct golden_refusal {
    const char *reason, *message;
};
struct golden_refusal golden_check_postgres(const struct pool *pool,
                                            const struct snapshot *snapshot, struct arena *arena);

/* Sentences, each of something that works and should be otherwise; "": there is nothing. origin:
   the StorageClass that the golden itself is of; NULL: not known. */
const char *golden_warnings(const struct snapshot *snapshot, const struct object *origin,
                            struct arena *arena);

#endif
