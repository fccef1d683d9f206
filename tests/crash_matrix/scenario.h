/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator is in the middle of when it is killed or a person interferes: one row each. */
#ifndef ADJOINT_CRASH_MATRIX_SCENARIO_H
#define ADJOINT_CRASH_MATRIX_SCENARIO_H

#include "crash_matrix/ending.h"

struct scenario {
    const char *name;
    const char *order; /* the Pool's spec.claim.order */
    int64_t size;      /* of the Pool before */
    bool is_claim;
    bool pool_before, instance_before; /* made, and settled, before the act */
    int operator_count;
    bool shared_lease;
    const char *late_kind; /* for the second operator: as in lag.h */
    bool retains;          /* the Instance's deletionPolicy is Retain */
    /* Sends the requests that set it going. */
    void (*act)(struct surroundings *around, const struct world *world,
                const struct scenario *scenario);
    struct expectation expected;
};

/* Ends with a row without a name. */
extern const struct scenario scenarios[];
const struct scenario *scenario_find(const char *name); /* NULL: none */

/* Namespaces and class; the golden. All is asked for again until it is there. */
void scenario_send_namespaces(struct surroundings *around, const struct world *world);
void scenario_send_golden(struct surroundings *around, const struct world *world);
/* It is there, and ready: its status is refused when it is faster than the snapshot itself. */
bool scenario_has_golden(const struct surroundings *around, const struct world *world);
void scenario_send_pool(struct surroundings *around, const struct world *world,
                        const struct scenario *scenario);
void scenario_send_instances(struct surroundings *around, const struct world *world,
                             const struct scenario *scenario);
void scenario_send_size(struct surroundings *around, const struct world *world, int64_t size);
/* Deletes Instances, Pool and the thief's PVC, as a person does who wants nothing of it any more.
 */
void scenario_send_end(struct surroundings *around, const struct world *world);
/* What a Retain left is its user's: he deletes the Cluster, and hands the volume to its
   provisioner when it is released. */
void scenario_send_end_of_left(struct surroundings *around, const struct world *world);

#endif
