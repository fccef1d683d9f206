/* SPDX-License-Identifier: Apache-2.0 */
/* One planning of a Pool: what its parts share. They run in the order they stand here. */
#ifndef ADJOINT_SRC_PLAN_POOL_TURN_H
#define ADJOINT_SRC_PLAN_POOL_TURN_H

#include "plan/pool.h"
#include "plan/rotation.h"

enum { POOL_ASIDE_MAX = 2 };

/* A deletion that takes longer hangs: a pod somebody made uses the PVC. */
#define DELETION_STUCK_MS (INT64_C(60) * 1000)

enum size_why { SIZE_SPEC, SIZE_BY_HAND, SIZE_OF_ALL, SIZE_OF_WEEK };

/* What spec.schedules say at this time; wall. */
struct pool_schedules {
    const struct pool_schedule *current; /* the largest that is in force; NULL: none is */
    int64_t until_ms;                    /* it is, till then */
    const struct pool_schedule *next;    /* of those to begin, whose filling begins first; NULL */
    int64_t next_ms, fills_ms;
    bool fills;              /* that has begun */
    int64_t size;            /* what all of them want now */
    int64_t changes_ms;      /* the next time that anything of this does; NOW_NEVER */
    const char *wrong, *why; /* the reason and message of one that nobody can follow; NULL */
};

struct pool_turn {
    struct plan *plan;
    const struct pool_observation *seen;
    bool deleting;
    struct golden golden;
    int64_t size;           /* warm clones to keep */
    enum size_why size_why; /* and what says so */
    struct pool_schedules schedules;
    int64_t by_hand_until_ms; /* wall: spec.size is kept until then; 0: not for that reason */
    int64_t wanted;           /* clones, warm and coming */
    struct rotation rotation; /* of stale ones, once they have been counted */
    int64_t untaken_count;    /* claimable ones that nobody who waits would take */
    /* Holding PVCs that are put aside: they take no place, so that another clone is made. */
    int64_t aside_count;
    const struct object *aside[POOL_ASIDE_MAX];
    int64_t stuck_in_place;          /* more of them, which do take one */
    const struct object *late;       /* the oldest holding PVC whose clone takes long; NULL */
    const struct object *stuck;      /* and of those that have waited too long; NULL */
    const struct object *shared;     /* a clone whose storage another PV has, too; NULL */
    const struct object *hanging;    /* a holding PVC whose deletion does not end; NULL */
    const struct object *misbound;   /* a holding PVC whose volume is no clone made for it; NULL */
    const struct arrivals *arrivals; /* what it was asked for */
    const char *unreadable;          /* why that begins anew; NULL: it does not */
    struct pool next;                /* the status to be */
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

/* src/plan/pool_refill.c. The holding PVC is to be put aside; false: there are enough. */
bool pool_put_aside(struct pool_turn *turn, const struct object *holding);
bool pool_is_aside(const struct pool_turn *turn, const struct object *holding);
/* A holding PVC that has no volume of its own yet; false: it has waited too long and is aside. */
bool pool_look_at_fill(struct pool_turn *turn, const struct object *holding);
/* Asks for the reason when a clone takes long. */
void pool_ask_why(struct pool_turn *turn);
/* The condition RefillHealthy: what is in the way, and what to do. */
struct pool_remark {
    const char *reason, *message; /* NULL: nothing is */
};
struct pool_remark pool_refill_remark(const struct pool_turn *turn);

/* src/plan/pool_fill.c. What it has and could start; holding PVCs for the clones that are missing,
   as many as the lane grants. */
struct pool_stock pool_fill_stock(const struct pool_turn *turn);
void pool_fill(struct pool_turn *turn);

/* src/plan/pool_arrivals.c. Counts who asked for a clone in the minutes that are over. */
void pool_note_arrivals(struct pool_turn *turn);

/* src/plan/pool_status.c. Adds the status patch when it differs from what is there. */
void pool_status_plan(struct pool_turn *turn);

#endif
