/* SPDX-License-Identifier: Apache-2.0 */
/* An entry lives as long as there is something to remember of it: that it is wanted, looked at,
   delayed, or has failed. Looks start from an event of their own, not from workers_add: a
   controller adds keys in the middle of handling something else. */
#include "sim/workers.h"

#include "base/map.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

struct work {
    struct workers *workers;
    struct work *next;         /* of those that are ready */
    struct world_event *delay; /* NULL: none is running */
    int64_t due_ms;            /* when it ends */
    int64_t backoff_ms;        /* of the next failure; 0: none came before */
    bool is_ready, is_looked_at, is_wanted_again;
    char key[];
};

struct workers {
    struct world *world;
    struct workers_options options;
    void (*look)(void *self, const char *key);
    void *self;
    struct map works;
    struct work *ready_first, *ready_last;
    int busy_count;
    struct world_event *start;
};

struct workers *workers_new(struct world *world, const struct workers_options *options,
                            void (*look)(void *self, const char *key), void *self)
{
    assert(options->count > 0 && options->backoff_ms_min > 0);
    struct workers *workers = memory_new(1, sizeof(*workers));
    *workers = (struct workers){.world = world, .options = *options, .look = look, .self = self};
    map_init(&workers->works);
    return workers;
}

static void cancel(struct workers *workers, struct world_event **event)
{
    if (*event != NULL) {
        world_cancel(workers->world, *event);
        *event = NULL;
    }
}

void workers_free(struct workers *workers)
{
    if (workers == NULL) {
        return;
    }
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&workers->works, &at, &entry)) {
        struct work *work = entry.value;
        cancel(workers, &work->delay);
        memory_free(work);
    }
    map_release(&workers->works);
    cancel(workers, &workers->start);
    memory_free(workers);
}

static struct work *find_or_make(struct workers *workers, const char *key)
{
    struct work *work = map_get(&workers->works, key);
    if (work != NULL) {
        return work;
    }
    size_t key_bytes = strlen(key) + 1;
    work = memory_new(1, sizeof(*work) + key_bytes);
    work->workers = workers;
    memcpy(work->key, key, key_bytes);
    (void)map_put(&workers->works, work->key, work);
    return work;
}

static void forget_if_idle(struct workers *workers, struct work *work)
{
    if (!work->is_ready && !work->is_looked_at && work->delay == NULL && work->backoff_ms == 0) {
        (void)map_remove(&workers->works, work->key);
        memory_free(work);
    }
}

static void start_looks(void *self)
{
    struct workers *workers = self;
    workers->start = NULL;
    while (workers->ready_first != NULL && workers->busy_count < workers->options.count) {
        struct work *work = workers->ready_first;
        workers->ready_first = work->next;
        work->next = NULL;
        work->is_ready = false;
        work->is_looked_at = true;
        workers->busy_count++;
        workers->look(workers->self, work->key);
    }
}

static void wake(struct workers *workers)
{
    bool can_start = workers->ready_first != NULL && workers->busy_count < workers->options.count;
    if (can_start && workers->start == NULL) {
        workers->start = world_after(workers->world, 0, start_looks, workers);
    }
}

static void make_ready(struct workers *workers, struct work *work)
{
    if (work->is_looked_at) {
        work->is_wanted_again = true;
        return;
    }
    if (work->is_ready) {
        return;
    }
    work->is_ready = true;
    if (workers->ready_first == NULL) {
        workers->ready_first = work;
    } else {
        workers->ready_last->next = work;
    }
    workers->ready_last = work;
    wake(workers);
}

void workers_add(struct workers *workers, const char *key)
{
    make_ready(workers, find_or_make(workers, key));
}

static void delay_is_over(void *self)
{
    struct work *work = self;
    work->delay = NULL;
    make_ready(work->workers, work);
}

void workers_add_after(struct workers *workers, const char *key, int64_t delay_ms)
{
    struct work *work = find_or_make(workers, key);
    int64_t due_ms = world_now(workers->world).mono_ms + delay_ms;
    if (work->delay != NULL && work->due_ms <= due_ms) {
        return;
    }
    cancel(workers, &work->delay);
    work->due_ms = due_ms;
    work->delay = world_after(workers->world, delay_ms, delay_is_over, work);
}

bool workers_has_failed(const struct workers *workers, const char *key)
{
    const struct work *work = map_get(&workers->works, key);
    return work != NULL && work->backoff_ms > 0;
}

static void hand_back(struct workers *workers, struct work *work)
{
    assert(work->is_looked_at);
    work->is_looked_at = false;
    workers->busy_count--;
    if (work->is_wanted_again) {
        work->is_wanted_again = false;
        make_ready(workers, work);
    }
    wake(workers);
    forget_if_idle(workers, work);
}

void workers_done(struct workers *workers, const char *key)
{
    struct work *work = map_get(&workers->works, key);
    assert(work != NULL);
    work->backoff_ms = 0;
    hand_back(workers, work);
}

void workers_failed(struct workers *workers, const char *key)
{
    struct work *work = map_get(&workers->works, key);
    assert(work != NULL);
    const struct workers_options *options = &workers->options;
    int64_t delay_ms = work->backoff_ms == 0 ? options->backoff_ms_min : work->backoff_ms;
    int64_t next_ms = delay_ms * 2;
    work->backoff_ms = next_ms < options->backoff_ms_max ? next_ms : options->backoff_ms_max;
    workers_add_after(workers, key, delay_ms);
    hand_back(workers, work);
}
