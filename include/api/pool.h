/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool: warm clones of one golden, kept in the Pool's namespace. Schema: crds/. */
#ifndef ADJOINT_API_POOL_H
#define ADJOINT_API_POOL_H

#include "api/condition.h"
#include "api/object.h"
#include "api/selector.h"

enum claim_order {
    CLAIM_ORDER_SWAP,    /* claimRef re-pointed by uid to a PVC of the inert class */
    CLAIM_ORDER_RELEASE, /* claimRef re-pointed by name, then a PVC with volumeName */
};

enum bootstrap {
    BOOTSTRAP_GUARDED, /* a recovery that can never run: waits instead of initdb */
    BOOTSTRAP_NONE,
};

#define CONDITION_READY "Ready"
#define POOL_CONDITION_GOLDEN_READY "GoldenReady"
#define POOL_CONDITION_REFILL_HEALTHY "RefillHealthy"

struct pool_counts {
    int64_t warm, filling, claimed, waiting, retiring;
};

struct pool {
    /* spec */
    const char *golden_snapshot;
    const char *system_id; /* NULL: the snapshot's */
    int64_t size;
    const char *storage_class, *storage_size;
    size_t access_mode_count;
    const char *const *access_modes;
    int64_t in_flight_max;
    bool allow_all_namespaces;
    struct selector allowed_namespaces; /* when not all */
    const char *cluster;                /* spec.cluster as JSON text; NULL: none */
    const char *database, *owner;       /* NULL: the golden's */
    enum claim_order order;
    enum bootstrap bootstrap;
    /* status */
    int64_t observed_generation;
    struct pool_counts counts;
    const char *golden_uid, *golden_system_id; /* what the warm clones are made of */
    struct conditions conditions;
};

void pool_decode(struct json_reader *reader, const struct json *root, struct object *object);

#endif
