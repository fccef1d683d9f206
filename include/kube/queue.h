/* SPDX-License-Identifier: Apache-2.0 */
/* The work queue: keys (strings) that want to be looked at. The three sets of client-go's
   util/workqueue: a key that is marked while it is processed is looked at again afterwards, never
   twice at once, and no mark is lost. Delays and back-off live here too, on an argument `now`. */
#ifndef ADJOINT_KUBE_QUEUE_H
#define ADJOINT_KUBE_QUEUE_H

#include "base/now.h"
#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

struct queue;

struct queue_options {
    int64_t backoff_ms_min, backoff_ms_max; /* doubled with each failure, then 50% jitter */
};

struct queue *queue_new(const struct queue_options *options, struct random *random);
void queue_free(struct queue *queue);

/* Look at key as soon as it is not processed. Wakes it from a delay too. */
void queue_add(struct queue *queue, const char *key);
/* At mono_ms, or earlier if it is marked earlier. */
void queue_add_at(struct queue *queue, const char *key, int64_t mono_ms);
/* After a back-off that grows with each failure of the key until queue_forgive; at_least_ms is a
   server's Retry-After. A mark by queue_add meanwhile does not shorten it: what failed is not hot.
   Returns the mono_ms. */
int64_t queue_add_failed(struct queue *queue, const char *key, struct now now, int64_t at_least_ms);
void queue_forgive(struct queue *queue, const char *key);
int queue_failures(const struct queue *queue, const char *key);

/* The next key, now processed, or NULL; in the order they were marked. Borrowed until queue_done.
 */
const char *queue_take(struct queue *queue, struct now now);
/* Processed; if it was marked meanwhile it is marked now. */
void queue_done(struct queue *queue, const char *key);

/* mono_ms of the earliest that could be taken: now or earlier when one is ready; NOW_NEVER. */
int64_t queue_wake_at(const struct queue *queue);
size_t queue_length(const struct queue *queue); /* ready ones */

#endif
