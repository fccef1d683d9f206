/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets which clone: waiting Instances zipped with claimable volumes, oldest first. A sort, not
   a structure: it follows from the store alone. Instances are in the order of (share of the
   namespace, creation, uid); the share of one is the clones of the Pool that its namespace has,
   and the Instances of that namespace that wait before it. Without fair share it is (creation,
   uid). */
#ifndef ADJOINT_PLAN_QUEUE_H
#define ADJOINT_PLAN_QUEUE_H

#include "api/object.h"

struct waiter {
    const struct object *instance;
    int64_t since_ms;            /* wall, its place: made, or asked to be reset */
    bool current_only;           /* takes no clone that is stale */
    bool replaces;               /* its clone by another: it runs already */
    bool eligible;               /* pre-flight passed, finalizer there, no volume chosen */
    bool waits;                  /* eligible, or could be in a moment */
    bool undecided;              /* for the caller: nothing here depends on it */
    int64_t held;                /* clones of the Pool that its namespace has */
    int64_t share;               /* out, see above; 0 without fair share */
    const struct object *volume; /* out: assigned; NULL: wait */
    int64_t position;            /* out: in its Pool's queue; 1 is next; 0: assigned */
    int64_t eta_ms;              /* out, of lane_forecast: wall; 0: not known */
};

/* One Pool's. */
struct queue {
    size_t waiter_count, volume_count, stale_count;
    struct waiter *waiters;
    const struct object **volumes; /* fresh ones */
    const struct object **stale;   /* for those who take any, when there is no fresh one */
    bool stale_first;              /* or before: so they are used up */
    bool fair_share;
    size_t next_waiter, next_volume, next_stale; /* private, of a pass over several queues */
};

/* Sorts all arrays. */
void queue_sort(struct queue *queue);

/* The next waiter of several sorted queues in a common order: of those who are next in theirs, the
   oldest. NULL: there is none left. Begin with next_waiter 0. */
struct waiter *queue_next(struct queue *queues, size_t queue_count, struct queue **out_queue);

/* All queues of a lane, sorted; at most allowance volumes are given, to the oldest first. Waiters
   that are not eligible keep their place and get nothing, and those with golden Current nothing
   stale. */
void queue_assign(struct queue *queues, size_t queue_count, int64_t allowance);

#endif
