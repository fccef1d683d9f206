/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool's own work: fill slots, label clones as they bind, scale down, clean up when deleted. */
#ifndef ADJOINT_PLAN_POOL_H
#define ADJOINT_PLAN_POOL_H

#include "base/time_zone.h"
#include "plan/golden.h"
#include "plan/lane.h"
#include "plan/plan.h"

/* What the CSI provisioner said last about one holding PVC, as far as it was asked. */
struct fill_report {
    const char *claim_uid; /* NULL: nothing was read yet */
    const char *complaint; /* NULL: nothing was said */
    int64_t read_ms;       /* mono */
};

/* Two PVs of one CSI handle: whoever writes to one writes to the other. */
struct volume_twin {
    const char *volume, *other; /* PVs' names */
};

/* The clocks that one of spec.schedules goes by. */
struct schedule_zone {
    const struct time_zone *zone; /* NULL: nobody has it */
    const char *problem;          /* and why */
};

struct pool_observation {
    const struct object *pool;
    struct golden_observation golden;
    const struct object *statements; /* as in struct instance_observation */
    /* PVCs in the Pool's namespace with its uid, oldest first. */
    size_t holding_count;
    const struct object *const *holdings;
    /* The PV each of them names (NULL: none, or not seen), in the same order. */
    const struct object *const *holding_volumes;
    /* PVs with the Pool's uid, oldest first. */
    size_t volume_count;
    const struct object *const *volumes;
    /* Those of them whose storage another PV has, too. */
    size_t twin_count;
    const struct volume_twin *twins;
    /* Holding PVCs whose creates are on the wire: nobody sees them yet. */
    int64_t starting_count;
    /* Names of other PVCs in its namespace: slots that cannot be had. */
    size_t foreign_claim_count;
    const char *const *foreign_claims;
    /* Names of warm volumes that a claim has chosen, or is about to. */
    size_t chosen_count;
    const char *const *chosen;
    int64_t waiting_count;         /* Instances that would take a clone */
    int64_t waiting_current_count; /* of those, who take no stale one */
    int64_t undecided_count;       /* and those of which it is not known yet */
    /* When the youngest claim under way (of any pool) whose PVC is not Bound yet chose its volume;
       wall, 0: there is none. */
    int64_t claiming_since_ms;
    /* When clones of it were asked for, wall: all that are not counted yet (arrivals_from_ms). */
    size_t arrival_count;
    const int64_t *arrivals_ms;
    const struct schedule_zone *zones; /* of spec.schedules, in their order */
    const struct lane *lane;           /* NULL: its class is not there, so nobody knows */
    int64_t granted;                   /* holding PVCs that the lane lets it make now */
    struct fill_report fill_report;
    struct trouble trouble;
    bool held; /* the last batch failed and its back-off runs: nothing but status now */
};

void plan_pool(struct plan *plan, const struct pool_observation *seen);

/* The creates that have come and of which it is known when they were started: at most
   holding_count. */
size_t pool_creates(const struct pool_observation *seen, struct lane_create *out);

/* For the lane, before it grants: seen->granted means nothing yet. */
struct pool_stock pool_stock(const struct pool_observation *seen, struct arena *arena,
                             struct now now);

/* Is this PV a clone that can be handed out? Warm, bound in its Pool's namespace, known what it was
   made from, never claimed (a label set back to warm by hand does not make it so), not being
   deleted. */
bool volume_claimable(const struct object *volume);

/* Was it ever an Instance's? Then a pod may have written to it, whatever its state says now. */
bool volume_was_claimed(const struct object *volume);

#endif
