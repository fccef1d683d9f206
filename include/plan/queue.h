/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets which clone: waiting Instances, oldest first, zipped with claimable volumes, oldest
   first. A sort, not a structure: it follows from the store alone. */
#ifndef ADJOINT_PLAN_QUEUE_H
#define ADJOINT_PLAN_QUEUE_H

#include "api/object.h"

struct waiter {
    const struct object *instance;
    bool eligible;               /* pre-flight passed, finalizer there, no volume chosen */
    bool waits, undecided;       /* for the caller: nothing here depends on them */
    const struct object *volume; /* out: assigned; NULL: wait */
    int64_t position;            /* out: 1 is next; 0: assigned */
};

/* One pool's. Sorts both arrays; waiters that are not eligible keep their place and get nothing. */
void queue_assign(struct waiter *waiters, size_t waiter_count, const struct object **volumes,
                  size_t volume_count);

#endif
