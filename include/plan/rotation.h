/* SPDX-License-Identifier: Apache-2.0 */
/* Which clones are stale, and how a Pool replaces them: spec.rotation. Nothing is stale while the
   golden is not usable, since nothing could take its place. */
#ifndef ADJOINT_PLAN_ROTATION_H
#define ADJOINT_PLAN_ROTATION_H

#include "api/pool.h"
#include "plan/golden.h"

/* Is this clone, or the holding PVC that waits for one, of another golden than the Pool's, or said
   to be of another database? A new template or a new operator makes none stale. */
bool clone_is_of_another_golden(const struct object *clone, const struct golden *golden);
/* Or older than spec.rotation.maxAge. */
bool clone_is_stale(const struct object *clone, const struct object *pool,
                    const struct golden *golden, int64_t wall_ms);

/* What a Pool has, as far as it matters here. */
struct rotation_counts {
    int64_t wanted; /* clones, warm and coming */
    int64_t free;   /* warm, and no claim has chosen them */
    int64_t stale;  /* of those */
    int64_t filling, filling_fresh;
    int64_t in_flight_max;
    int64_t undecided;       /* Instances that may want one in a moment */
    int64_t waiting_current; /* that wait, and take no stale one */
};

struct rotation {
    int64_t retire; /* stale ones to destroy now */
    int64_t surge;  /* clones beyond those wanted that may be made meanwhile */
    int64_t floor;  /* free ones that stay; none are kept when nothing is rotated */
};

struct rotation rotation_decide(const struct rotation_wish *wish,
                                const struct rotation_counts *counts);

#endif
