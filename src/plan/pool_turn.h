/* SPDX-License-Identifier: Apache-2.0 */
/* One planning of a Pool: what its parts share. They run in the order they stand here. */
#ifndef ADJOINT_SRC_PLAN_POOL_TURN_H
#define ADJOINT_SRC_PLAN_POOL_TURN_H

#include "plan/pool.h"
#include "plan/rotation.h"

struct pool_turn {
    struct plan *plan;
    const struct pool_observation *seen;
    bool deleting;
    struct golden golden;
    int64_t wanted;                /* clones, warm and coming */
    struct rotation rotation;      /* of stale ones, once they have been counted */
    int64_t untaken_count;         /* claimable ones that nobody who waits would take */
    const struct object *stuck;    /* a holding PVC that has waited too long; NULL */
    const struct object *misbound; /* a holding PVC whose volume is no clone made for it; NULL */
    struct pool next;              /* the status to be */
};

/* src/plan/pool_turn.c. Does the last failure keep actions of that purpose back? */
bool pool_is_held(const struct pool_turn *turn, enum purpose purpose);
/* Adds the action, unless it is held. */
void pool_act(struct pool_turn *turn, struct action action);
/* What is left of a head start of whole_ms since the youngest claim under way chose its clone; 0:
   none. */
int64_t pool_head_start_left(const struct pool_turn *turn, int64_t whole_ms);

/* src/plan/pool_clones.c. Counts clones, labels new ones, deletes the PVCs of those that are gone,
   and retires what is unfit. */
void pool_look_at_clones(struct pool_turn *turn);
void pool_retire(struct pool_turn *turn, const struct object *volume, const char *reason);

/* src/plan/pool_rotation.c. Retires clones that are stale or too many. */
void pool_rotate(struct pool_turn *turn);
bool pool_clone_is_stale(const struct pool_turn *turn, const struct object *volume);

/* src/plan/pool_fill.c. What it has and could start; holding PVCs for the clones that are missing,
   as many as the lane grants. */
struct pool_stock pool_fill_stock(const struct pool_turn *turn);
void pool_fill(struct pool_turn *turn);

/* src/plan/pool_status.c. Adds the status patch when it differs from what is there. */
void pool_status_plan(struct pool_turn *turn);

#endif
