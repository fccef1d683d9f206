/* SPDX-License-Identifier: Apache-2.0 */
/* A lane: what makes clones one after another, which is a file system. Its Pools share its width,
   the creates in flight, and its caps. From the creates that came it follows how far apart clones
   come (the gap) and how long one takes that waits for no other (the latency); from those, how
   many creates keep it busy, and when each of those who wait has a clone.

   FSx for OpenZFS takes 120 s for a create, of which 60 are spent one after another; its driver
   looks each 15 s whether a volume is there. */
#ifndef ADJOINT_PLAN_LANE_H
#define ADJOINT_PLAN_LANE_H

#include "api/pool.h"
#include "base/arena.h"
#include "base/now.h"
#include "plan/queue.h"

/* A create that came: the holding PVC's creation, the PV's; wall. */
struct lane_create {
    int64_t started_ms, completed_ms;
};

/* What a Pool has and could start. */
struct pool_stock {
    int64_t size;      /* warm clones it is to keep */
    int64_t ready;     /* clones that are there, or made and not warm yet, and promised to nobody */
    int64_t startable; /* holding PVCs it would make, if the lane let it */
    bool fills;        /* it could make clones at all: nothing but the lane is in the way */
    size_t flight_count;
    const int64_t *flights; /* wall: when each of its creates in flight was started */
};

struct lane_pool {
    const struct object *pool;
    struct pool_stock stock;
    size_t waiter_count;
    struct waiter *waiters; /* those who wait and have been given nothing, in the queue's order */
    int64_t granted;        /* out: holding PVCs it may make now */
};

/* Of the lane's Pools the smallest of each. */
struct lane_caps {
    int64_t in_flight_max, volumes_max;
    int64_t running_max; /* INT64_MAX: there is none */
    bool differ;         /* between its Pools */
};

struct lane {
    struct lane_record measured;
    struct lane_caps caps;
    int64_t volume_count;  /* on it, or being made, by whomever */
    int64_t running_count; /* Instances with a clone of it, or to which one is promised */
    size_t pool_count;
    struct lane_pool *pools; /* oldest first */
    int64_t places;          /* out: creates in flight that it has room for, those not counted that
                                are late */
    bool is_full;            /* out: a clone is wanted, and volumes_max is reached */
    int64_t look_again_ms;   /* out: so much later time alone changes what may start; NOW_NEVER */
};

struct lane_caps lane_caps(const struct lane_pool *pools, size_t pool_count);

/* What its Pools' statuses say, the one that knows of the latest create, and then those of the
   creates that it does not know yet. creates: in the order of completion. The width lies in [2,
   in_flight_max], or is that if it is less. */
void lane_measure(struct lane *lane, const struct lane_create *creates, size_t create_count);

/* Sets granted, is_full and look_again_ms. First for the Pool of the oldest Instance that is not
   covered by a clone that is there or coming, then for the one that has the least of its size. */
void lane_grant(struct lane *lane, int64_t wall_ms);

/* After lane_grant. Sets the waiters' eta_ms; 0: it depends on more than time. */
void lane_forecast(struct lane *lane, int64_t wall_ms, struct arena *arena);

/* Does what is measured differ enough from what was told to be told for its own sake? */
bool lane_is_news(const struct lane_record *told, const struct lane_record *measured);

/* Likewise an ETA (0: none): by a poll and by a quarter of what is left of the wait. */
bool eta_is_news(int64_t told_ms, int64_t eta_ms, int64_t wall_ms);

#endif
