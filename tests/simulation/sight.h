/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the simulated cluster, read for judging them: what the judge and the ending need of
   each, by reading of its own and not the operator's, whose mistakes it must not share. All strings
   are borrowed from the tree; NULL: absent. */
#ifndef ADJOINT_SIMULATION_SIGHT_H
#define ADJOINT_SIMULATION_SIGHT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct volume_sight {
    const char *name, *handle, *phase, *policy;
    const char *state, *instance_uid, *pool_uid; /* labels */
    const char *claim_namespace, *claim_name, *claim_uid;
    bool is_deleting;
    bool is_ours;       /* has any label of Adjoint's */
    bool bears_history; /* an annotation says that an Instance had it */
};
struct volume_sight volume_sight(const cJSON *value);

struct claim_sight {
    const char *namespace, *name, *uid, *phase, *volume, *storage_class;
    const char *role, *instance_uid, *pool_uid; /* labels */
    bool is_deleting, is_bound;
};
struct claim_sight claim_sight(const cJSON *value);

struct instance_sight {
    const char *namespace, *name, *uid, *created, *phase;
    const char *pool, *pool_namespace;
    const char *volume, *secret; /* of its status */
    const char *ready_reason, *eligible_reason;
    const char *promised; /* of its status.reset */
    int64_t observed_generation;
    int64_t reset_count, resets_done; /* spec.reset.count, status.reset.count */
    const char *lifetime;
    bool is_deleting, retains, is_ready;
    bool is_to_sleep, sleeps; /* its spec; its Ready condition */
    bool is_protected;
    bool current_only;
};
struct instance_sight instance_sight(const cJSON *value);

struct cluster_sight {
    const char *namespace, *name, *instance_uid, *system_id;
    bool is_deleting, is_ready, is_ours;
    bool is_to_sleep; /* the annotation is on */
};
struct cluster_sight cluster_sight(const cJSON *value);

/* The condition's reason; NULL: it is not there. */
const char *sight_reason(const cJSON *value, const char *condition);

#endif
