/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting at each change of the store is cheaper than keeping a queue right: pools are small, and a
   sort cannot drift from what the API server says. */
#include "plan/queue.h"

#include <stdlib.h>

static int compare_waiters(const void *one, const void *other)
{
    const struct waiter *left = one;
    const struct waiter *right = other;
    return object_compare_age(left->instance, right->instance);
}

static int compare_volumes(const void *one, const void *other)
{
    const struct object *const *left = one;
    const struct object *const *right = other;
    return object_compare_age(*left, *right);
}

void queue_assign(struct waiter *waiters, size_t waiter_count, const struct object **volumes,
                  size_t volume_count)
{
    if (waiter_count == 0) {
        return;
    }
    qsort(waiters, waiter_count, sizeof *waiters, compare_waiters);
    if (volume_count > 0) {
        qsort(volumes, volume_count, sizeof(void *), compare_volumes);
    }
    size_t next_volume = 0;
    int64_t next_position = 1;
    for (size_t i = 0; i < waiter_count; i++) {
        struct waiter *waiter = &waiters[i];
        waiter->volume = NULL;
        waiter->position = 0;
        if (waiter->eligible && next_volume < volume_count) {
            waiter->volume = volumes[next_volume++];
        } else {
            waiter->position = next_position++;
        }
    }
}
