/* SPDX-License-Identifier: Apache-2.0 */
/* How claims went, by Pool, since this process began: for metrics. A claim is counted once, by the
   leader, when it has ended: as its Instance is Ready for the first time, or Failed before that. */
#ifndef ADJOINT_SRC_OPERATOR_CLAIMS_H
#define ADJOINT_SRC_OPERATOR_CLAIMS_H

#include "api/object.h"
#include "base/map.h"
#include "operator/histogram.h"

enum claim_path {
    CLAIM_PATH_WARM,   /* a clone was there */
    CLAIM_PATH_QUEUED, /* it waited for one */
    CLAIM_PATH_COUNT,
};

enum claim_phase {
    CLAIM_PHASE_QUEUE, /* from the Instance's creation (whole seconds) to the choice of a clone */
    CLAIM_PHASE_BIND,  /* to its PVC seen Bound */
    CLAIM_PHASE_START, /* to Postgres ready and proven */
    CLAIM_PHASE_ALL,
    CLAIM_PHASE_COUNT,
};

enum { CLAIM_MOMENTS = 512 };

struct pool_claims {
    char *key, *namespace, *pool;
    uint64_t ready[CLAIM_PATH_COUNT], failed[CLAIM_PATH_COUNT];
    uint64_t identity_mismatches;
    struct histogram phases[CLAIM_PHASE_COUNT];
    struct histogram eta_errors; /* of the first ETA of those that waited, early or late */
    /* When it was asked for clones of which no Instance tells any more: it is deleted, or its reset
       is done. The last ones, wall, in a ring. */
    size_t moment_count;
    int64_t moments_ms[CLAIM_MOMENTS];
};

struct claims {
    struct map by_pool; /* to struct pool_claims * */
    struct map waited;  /* uids of Instances that have been seen in the queue */
};

void claims_init(struct claims *claims);
void claims_release(struct claims *claims);

/* The Pool's; NULL: nothing is known of it. */
const struct pool_claims *claims_of(const struct claims *claims, const char *pool_namespace,
                                    const char *pool);

/* A change of the store, as its listener is told. counts: this process leads. */
void claims_changed(struct claims *claims, const struct object *before, const struct object *after,
                    bool counts);

#endif
