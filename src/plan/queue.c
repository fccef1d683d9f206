/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting at each change of the store is cheaper than keeping a queue right: pools are small, and a
   sort cannot drift from what the API server says.

   The share counts what a namespace has, not what it was given lately: what was given is not kept
   anywhere, and who has nothing is in more need than who has ten. */
#include "plan/queue.h"

#include "api/instance.h"

#include <stdlib.h>
#include <string.h>

/* Whose place is before? */
static int compare_places(const struct waiter *left, const struct waiter *right)
{
    if (left->since_ms != right->since_ms) {
        return left->since_ms < right->since_ms ? -1 : 1;
    }
    return object_compare_age(left->instance, right->instance);
}

static int compare_namespaces(const void *one, const void *other)
{
    const struct waiter *left = one;
    const struct waiter *right = other;
    int order = strcmp(left->instance->meta.namespace, right->instance->meta.namespace);
    return order != 0 ? order : compare_places(left, right);
}

static int compare_waiters(const void *one, const void *other)
{
    const struct waiter *left = one;
    const struct waiter *right = other;
    if (left->share != right->share) {
        return left->share < right->share ? -1 : 1;
    }
    return compare_places(left, right);
}

static int compare_volumes(const void *one, const void *other)
{
    const struct object *const *left = one;
    const struct object *const *right = other;
    return object_compare_age(*left, *right);
}

static void compute_shares(struct queue *queue)
{
    const char *namespace = NULL;
    int64_t before = 0;
    qsort(queue->waiters, queue->waiter_count, sizeof(struct waiter), compare_namespaces);
    for (size_t i = 0; i < queue->waiter_count; i++) {
        struct waiter *waiter = &queue->waiters[i];
        if (namespace == NULL || strcmp(namespace, waiter->instance->meta.namespace) != 0) {
            namespace = waiter->instance->meta.namespace;
            before = 0;
        }
        waiter->share = waiter->held + before;
        before += waiter->waits;
    }
}

static void sort_volumes(const struct object **volumes, size_t count)
{
    if (count > 0) {
        qsort(volumes, count, sizeof(void *), compare_volumes);
    }
}

void queue_sort(struct queue *queue)
{
    if (queue->waiter_count > 0 && queue->fair_share) {
        compute_shares(queue);
    }
    if (queue->waiter_count > 0) {
        qsort(queue->waiters, queue->waiter_count, sizeof(struct waiter), compare_waiters);
    }
    sort_volumes(queue->volumes, queue->volume_count);
    sort_volumes(queue->stale, queue->stale_count);
}

struct waiter *queue_next(struct queue *queues, size_t queue_count, struct queue **out_queue)
{
    struct waiter *oldest = NULL;
    for (size_t i = 0; i < queue_count; i++) {
        struct queue *queue = &queues[i];
        if (queue->next_waiter == queue->waiter_count) {
            continue;
        }
        struct waiter *head = &queue->waiters[queue->next_waiter];
        if (oldest == NULL || compare_places(head, oldest) < 0) {
            oldest = head;
            *out_queue = queue;
        }
    }
    if (oldest != NULL) {
        (*out_queue)->next_waiter++;
    }
    return oldest;
}

static const struct object *take(const struct object **volumes, size_t count, size_t *next)
{
    return *next < count ? volumes[(*next)++] : NULL;
}

static const struct object *take_for(const struct waiter *waiter, struct queue *queue)
{
    const struct object *volume = NULL;
    bool any = !waiter->current_only;
    if (any && queue->stale_first) {
        volume = take(queue->stale, queue->stale_count, &queue->next_stale);
    }
    if (volume == NULL) {
        volume = take(queue->volumes, queue->volume_count, &queue->next_volume);
    }
    if (volume == NULL && any) {
        volume = take(queue->stale, queue->stale_count, &queue->next_stale);
    }
    return volume;
}

void queue_assign(struct queue *queues, size_t queue_count, int64_t allowance)
{
    struct queue *queue;
    struct waiter *waiter;
    while ((waiter = queue_next(queues, queue_count, &queue)) != NULL) {
        bool may = waiter->replaces || allowance > 0;
        if (waiter->eligible && may) {
            waiter->volume = take_for(waiter, queue);
            allowance -= waiter->volume != NULL && !waiter->replaces;
        }
    }
    for (size_t i = 0; i < queue_count; i++) {
        int64_t next_position = 1;
        for (size_t j = 0; j < queues[i].waiter_count; j++) {
            waiter = &queues[i].waiters[j];
            waiter->position = waiter->volume == NULL ? next_position++ : 0;
        }
    }
}
