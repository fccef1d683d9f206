/* SPDX-License-Identifier: Apache-2.0 */
/* Events are in a binary heap by (time, number), and the number makes the order of equal times that
   of being asked for: no heap keeps it by itself. An event knows its place in the heap, so that one
   that is cancelled is taken out at once and its memory is gone: most timeouts are cancelled, and
   left to their time they would be most of the heap. */
#include "sim/world.h"

#include "base/digest.h"
#include "base/map.h"
#include "base/memory.h"
#include "sim/trace.h"

#include <assert.h>
#include <string.h>

struct world_event {
    int64_t at_ms;
    uint64_t number;
    size_t heap_index;
    void (*run)(void *self);
    void *self;
};

struct stream {
    struct random random;
    char name[];
};

struct world {
    uint64_t seed;
    int64_t mono_ms;
    int64_t wall_ms_at_0; /* what the wall clock shows at mono_ms 0 */
    uint64_t event_number;
    struct world_event **heap; /* the next one is at 0, the children of i at 2i + 1 and 2i + 2 */
    size_t heap_count, heap_capacity;
    struct map streams;
    struct trace trace;
};

struct world *world_new(uint64_t seed, int64_t wall_ms)
{
    struct world *world = memory_new(1, sizeof(*world));
    world->seed = seed;
    world->wall_ms_at_0 = wall_ms;
    map_init(&world->streams);
    trace_init(&world->trace);
    return world;
}

void world_free(struct world *world)
{
    if (world == NULL) {
        return;
    }
    for (size_t i = 0; i < world->heap_count; i++) {
        memory_free(world->heap[i]);
    }
    memory_free(world->heap);
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&world->streams, &at, &entry)) {
        memory_free(entry.value);
    }
    map_release(&world->streams);
    trace_release(&world->trace);
    memory_free(world);
}

struct now world_now(const struct world *world)
{
    return (struct now){
        .mono_ms = world->mono_ms,
        .wall_ms = world->wall_ms_at_0 + world->mono_ms,
    };
}

void world_step_wall_clock(struct world *world, int64_t by_ms)
{
    world->wall_ms_at_0 += by_ms;
}

/* ---- the heap ---- */

static bool happens_before(const struct world_event *one, const struct world_event *other)
{
    return one->at_ms != other->at_ms ? one->at_ms < other->at_ms : one->number < other->number;
}

static void heap_set(struct world *world, size_t index, struct world_event *event)
{
    world->heap[index] = event;
    event->heap_index = index;
}

static void heap_rise(struct world *world, struct world_event *event)
{
    size_t index = event->heap_index;
    while (index > 0 && happens_before(event, world->heap[(index - 1) / 2])) {
        heap_set(world, index, world->heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    heap_set(world, index, event);
}

static void heap_sink(struct world *world, struct world_event *event)
{
    size_t index = event->heap_index;
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= world->heap_count) {
            break;
        }
        if (child + 1 < world->heap_count &&
            happens_before(world->heap[child + 1], world->heap[child])) {
            child++;
        }
        if (!happens_before(world->heap[child], event)) {
            break;
        }
        heap_set(world, index, world->heap[child]);
        index = child;
    }
    heap_set(world, index, event);
}

static void heap_remove(struct world *world, struct world_event *event)
{
    size_t index = event->heap_index;
    assert(index < world->heap_count && world->heap[index] == event);
    struct world_event *last = world->heap[--world->heap_count];
    if (last != event) {
        heap_set(world, index, last);
        heap_rise(world, last);
        heap_sink(world, last);
    }
}

struct world_event *world_after(struct world *world, int64_t delay_ms, void (*run)(void *self),
                                void *self)
{
    assert(delay_ms >= 0);
    assert(delay_ms < NOW_NEVER - world->mono_ms);
    if (world->heap_count == world->heap_capacity) {
        world->heap_capacity = world->heap_capacity == 0 ? 64 : world->heap_capacity * 2;
        world->heap =
            memory_resize(world->heap, world->heap_capacity, sizeof(struct world_event *));
    }
    struct world_event *event = memory_new(1, sizeof(*event));
    *event = (struct world_event){
        .at_ms = world->mono_ms + delay_ms,
        .number = world->event_number++,
        .run = run,
        .self = self,
    };
    heap_set(world, world->heap_count++, event);
    heap_rise(world, event);
    return event;
}

void world_cancel(struct world *world, struct world_event *event)
{
    if (event != NULL) {
        heap_remove(world, event);
        memory_free(event);
    }
}

int64_t world_next_at(const struct world *world)
{
    return world->heap_count == 0 ? NOW_NEVER : world->heap[0]->at_ms;
}

bool world_run_next(struct world *world, int64_t until_ms)
{
    if (world->heap_count == 0 || world->heap[0]->at_ms > until_ms) {
        if (until_ms != NOW_NEVER && until_ms > world->mono_ms) {
            world->mono_ms = until_ms;
        }
        return false;
    }
    struct world_event *event = world->heap[0];
    heap_remove(world, event);
    assert(event->at_ms >= world->mono_ms);
    world->mono_ms = event->at_ms;
    void (*run)(void *self) = event->run;
    void *self = event->self;
    memory_free(event);
    run(self);
    return true;
}

/* ---- chance ---- */

struct random *world_random(struct world *world, const char *name)
{
    struct stream *stream = map_get(&world->streams, name);
    if (stream == NULL) {
        size_t name_bytes = strlen(name) + 1;
        stream = memory_new(1, sizeof(*stream) + name_bytes);
        memcpy(stream->name, name, name_bytes);
        /* Through the generator first: a name's hash alone would only shift the seed. */
        random_init(&stream->random, world->seed);
        random_init(&stream->random, random_next(&stream->random) ^ digest_hash(name));
        (void)map_put(&world->streams, stream->name, stream);
    }
    return &stream->random;
}

int64_t world_between(struct world *world, const char *stream, int64_t low, int64_t high)
{
    assert(low <= high);
    uint64_t width = (uint64_t)high - (uint64_t)low;
    struct random *random = world_random(world, stream);
    uint64_t drawn = width == UINT64_MAX ? random_next(random) : random_below(random, width + 1);
    return (int64_t)((uint64_t)low + drawn);
}

/* ---- the trace ---- */

void world_trace(struct world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    trace_add(&world->trace, world->mono_ms, format, arguments);
    va_end(arguments);
}

uint64_t world_trace_hash(const struct world *world)
{
    return world->trace.hash;
}

void world_trace_to(struct world *world, void (*give)(void *self, const char *line), void *self)
{
    world->trace.give = give;
    world->trace.self = self;
}
