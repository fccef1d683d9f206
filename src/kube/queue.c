/* SPDX-License-Identifier: Apache-2.0 */
/* An entry is in one of four places: idle, ready (a list, in the order of marking), waiting (a heap
   by time) or processing. What is wanted of it is two times: `due_ms`, when somebody wants it
   looked at, and `not_before_ms`, before which a failure forbids it. place() alone decides where
   it goes by them, so that no path can lose a mark.

   queue_add has no `now`, and needs none: what is past its time stays in the heap until the next
   take, which moves all of it to the ready list first. */
#include "kube/queue.h"

#include "base/map.h"
#include "base/memory.h"
#include "kube/backoff.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { AT_ONCE = 0 };

enum queue_place { PLACE_IDLE, PLACE_READY, PLACE_WAITING, PLACE_PROCESSING };

struct queue_entry {
    enum queue_place place;
    int64_t due_ms;        /* NOW_NEVER: not marked */
    int64_t not_before_ms; /* AT_ONCE: nothing forbids it */
    int failure_count;
    struct queue_entry *previous, *next; /* in the ready list */
    size_t heap_index;
    uint64_t sequence; /* of its entry into the heap: equal times leave in that order */
    char key[];
};

struct queue {
    struct queue_options options;
    struct random random;
    struct map entries;
    struct queue_entry *ready_first, *ready_last;
    size_t ready_count;
    struct queue_entry **heap;
    size_t heap_count, heap_capacity;
    uint64_t sequence;
};

struct queue *queue_new(const struct queue_options *options, struct random *random)
{
    assert(options->backoff_ms_min > 0);
    assert(options->backoff_ms_min <= options->backoff_ms_max);

    struct queue *queue = memory_new(1, sizeof(*queue));
    queue->options = *options;
    random_init(&queue->random, random_next(random));
    map_init(&queue->entries);
    return queue;
}

void queue_free(struct queue *queue)
{
    if (queue == NULL) {
        return;
    }
    struct map_entry slot;
    size_t at = 0;
    while (map_next(&queue->entries, &at, &slot)) {
        memory_free(slot.value);
    }
    map_release(&queue->entries);
    memory_free(queue->heap);
    memory_free(queue);
}

static int64_t time_of(const struct queue_entry *entry)
{
    return entry->due_ms > entry->not_before_ms ? entry->due_ms : entry->not_before_ms;
}

/* ---- the ready list ---- */

static void ready_append(struct queue *queue, struct queue_entry *entry)
{
    entry->place = PLACE_READY;
    entry->previous = queue->ready_last;
    entry->next = NULL;
    *(queue->ready_last == NULL ? &queue->ready_first : &queue->ready_last->next) = entry;
    queue->ready_last = entry;
    queue->ready_count++;
}

static void ready_remove(struct queue *queue, struct queue_entry *entry)
{
    *(entry->previous == NULL ? &queue->ready_first : &entry->previous->next) = entry->next;
    *(entry->next == NULL ? &queue->ready_last : &entry->next->previous) = entry->previous;
    entry->place = PLACE_IDLE;
    queue->ready_count--;
}

/* ---- the heap: the earliest is at 0, the children of i at 2i + 1 and 2i + 2 ---- */

static bool leaves_before(const struct queue_entry *one, const struct queue_entry *other)
{
    int64_t one_ms = time_of(one);
    int64_t other_ms = time_of(other);
    return one_ms != other_ms ? one_ms < other_ms : one->sequence < other->sequence;
}

static void heap_set(struct queue *queue, size_t index, struct queue_entry *entry)
{
    queue->heap[index] = entry;
    entry->heap_index = index;
}

static void heap_rise(struct queue *queue, struct queue_entry *entry)
{
    size_t index = entry->heap_index;
    while (index > 0 && leaves_before(entry, queue->heap[(index - 1) / 2])) {
        heap_set(queue, index, queue->heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    heap_set(queue, index, entry);
}

static void heap_sink(struct queue *queue, struct queue_entry *entry)
{
    size_t index = entry->heap_index;
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= queue->heap_count) {
            break;
        }
        if (child + 1 < queue->heap_count &&
            leaves_before(queue->heap[child + 1], queue->heap[child])) {
            child++;
        }
        if (!leaves_before(queue->heap[child], entry)) {
            break;
        }
        heap_set(queue, index, queue->heap[child]);
        index = child;
    }
    heap_set(queue, index, entry);
}

static void heap_add(struct queue *queue, struct queue_entry *entry)
{
    if (queue->heap_count == queue->heap_capacity) {
        queue->heap_capacity = queue->heap_capacity == 0 ? 16 : queue->heap_capacity * 2;
        queue->heap =
            memory_resize(queue->heap, queue->heap_capacity, sizeof(struct queue_entry *));
    }
    entry->place = PLACE_WAITING;
    entry->sequence = queue->sequence++;
    heap_set(queue, queue->heap_count++, entry);
    heap_rise(queue, entry);
}

static void heap_remove(struct queue *queue, struct queue_entry *entry)
{
    struct queue_entry *last = queue->heap[--queue->heap_count];
    if (last != entry) {
        heap_set(queue, entry->heap_index, last);
        heap_rise(queue, last);
        heap_sink(queue, last);
    }
    entry->place = PLACE_IDLE;
}

/* ---- entries ---- */

static struct queue_entry *entry_of(struct queue *queue, const char *key)
{
    struct queue_entry *entry = map_get(&queue->entries, key);
    if (entry == NULL) {
        entry = memory_new(1, sizeof(*entry) + strlen(key) + 1);
        memcpy(entry->key, key, strlen(key) + 1);
        entry->due_ms = NOW_NEVER;
        map_put(&queue->entries, entry->key, entry);
    }
    return entry;
}

static void unplace(struct queue *queue, struct queue_entry *entry)
{
    if (entry->place == PLACE_READY) {
        ready_remove(queue, entry);
    } else if (entry->place == PLACE_WAITING) {
        heap_remove(queue, entry);
    }
}

/* Once the entry is where its new times want it to be, it may be gone: idle, nothing to remember.
 */
static void place(struct queue *queue, struct queue_entry *entry)
{
    if (entry->place == PLACE_PROCESSING) {
        return;
    }
    if (entry->due_ms == NOW_NEVER) {
        if (entry->failure_count == 0) {
            map_remove(&queue->entries, entry->key);
            memory_free(entry);
        }
    } else if (time_of(entry) == AT_ONCE) {
        ready_append(queue, entry);
    } else {
        heap_add(queue, entry);
    }
}

static void set_times(struct queue *queue, struct queue_entry *entry, int64_t due_ms,
                      int64_t not_before_ms)
{
    if (entry->due_ms == due_ms && entry->not_before_ms == not_before_ms) {
        return; /* where it is, in the order it was first marked */
    }
    unplace(queue, entry);
    entry->due_ms = due_ms;
    entry->not_before_ms = not_before_ms;
    place(queue, entry);
}

void queue_add(struct queue *queue, const char *key)
{
    queue_add_at(queue, key, AT_ONCE);
}

void queue_add_at(struct queue *queue, const char *key, int64_t mono_ms)
{
    assert(mono_ms >= AT_ONCE && mono_ms < NOW_NEVER);

    struct queue_entry *entry = entry_of(queue, key);
    int64_t due_ms = mono_ms < entry->due_ms ? mono_ms : entry->due_ms;
    set_times(queue, entry, due_ms, entry->not_before_ms);
}

int64_t queue_add_failed(struct queue *queue, const char *key, struct now now, int64_t at_least_ms)
{
    struct queue_entry *entry = entry_of(queue, key);
    entry->failure_count++;
    int64_t again_ms =
        now.mono_ms + backoff_ms(entry->failure_count, queue->options.backoff_ms_min,
                                 queue->options.backoff_ms_max, at_least_ms, &queue->random);
    int64_t due_ms = again_ms < entry->due_ms ? again_ms : entry->due_ms;
    set_times(queue, entry, due_ms, again_ms);
    return again_ms;
}

void queue_forgive(struct queue *queue, const char *key)
{
    struct queue_entry *entry = map_get(&queue->entries, key);
    if (entry == NULL) {
        return;
    }
    entry->failure_count = 0;
    if (entry->place == PLACE_IDLE) {
        place(queue, entry);
    }
}

int queue_failures(const struct queue *queue, const char *key)
{
    const struct queue_entry *entry = map_get(&queue->entries, key);
    return entry == NULL ? 0 : entry->failure_count;
}

static void promote_due(struct queue *queue, struct now now)
{
    while (queue->heap_count > 0 && time_of(queue->heap[0]) <= now.mono_ms) {
        set_times(queue, queue->heap[0], AT_ONCE, AT_ONCE);
    }
}

const char *queue_take(struct queue *queue, struct now now)
{
    promote_due(queue, now);
    struct queue_entry *entry = queue->ready_first;
    if (entry == NULL) {
        return NULL;
    }
    ready_remove(queue, entry);
    entry->place = PLACE_PROCESSING;
    entry->due_ms = NOW_NEVER;
    return entry->key;
}

void queue_done(struct queue *queue, const char *key)
{
    struct queue_entry *entry = map_get(&queue->entries, key);
    assert(entry != NULL && entry->place == PLACE_PROCESSING);
    entry->place = PLACE_IDLE;
    place(queue, entry);
}

int64_t queue_wake_at(const struct queue *queue)
{
    if (queue->ready_count > 0) {
        return AT_ONCE;
    }
    return queue->heap_count == 0 ? NOW_NEVER : time_of(queue->heap[0]);
}

size_t queue_length(const struct queue *queue)
{
    return queue->ready_count;
}
