/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { TRACE_BYTES_MAX = 8 * 1024 * 1024, LINE_BYTES = 1024 };

void world_init(struct world *world, int index, int count)
{
    *world = (struct world){.index = index, .count = count};
    (void)snprintf(world->pools, sizeof(world->pools), WORLD_POOLS "%d", index);
    (void)snprintf(world->dev, sizeof(world->dev), WORLD_DEV "%d", index);
    (void)snprintf(world->class, sizeof(world->class), WORLD_CLASS "%d", index);
    text_init(&world->trace, TRACE_BYTES_MAX);
    text_init(&world->violations, TRACE_BYTES_MAX);
}

void world_release(struct world *world)
{
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        incarnation_end(&world->lives[slot]);
    }
    text_release(&world->trace);
    text_release(&world->violations);
}

void world_begin(struct world *world, struct now now)
{
    world->began_mono_ms = now.mono_ms;
    text_clear(&world->trace);
    text_clear(&world->violations);
}

static void note(struct world *world, struct now now, const char *format, va_list arguments)
    PRINTF_LIKE(3, 0);

static void note(struct world *world, struct now now, const char *format, va_list arguments)
{
    char line[LINE_BYTES];
    (void)vsnprintf(line, sizeof(line), format, arguments);
    text_print(&world->trace, "%+" PRId64 " ms: %s\n", now.mono_ms - world->began_mono_ms, line);
}

void world_note(struct world *world, struct now now, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(world, now, format, arguments);
    va_end(arguments);
}

void world_violate(struct world *world, struct now now, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    world_note(world, now, "VIOLATION: %s", line);
    text_print(&world->violations, "%s%s", world->violations.length_bytes > 0 ? "; " : "", line);
}

bool world_has(const struct world *world, const struct object *object)
{
    const char *namespace =
        object->kind == KIND_NAMESPACE ? object->meta.name : object->meta.namespace;
    return text_equal(namespace, world->dev) || text_equal(namespace, world->pools);
}

void world_start_operator(struct world *world, int slot, bool shared_lease, const char *late_kind,
                          struct transport transport)
{
    char lease[WORLD_NAME_BYTES];
    char identity[WORLD_NAME_BYTES];
    (void)snprintf(lease, sizeof(lease), "adjoint-operator-%d", shared_lease ? 0 : slot);
    (void)snprintf(identity, sizeof(identity), "world-%d-life-%d", world->index,
                   world->life_count++);
    struct incarnation_options options = {
        .world = world->index,
        .world_count = world->count,
        .lease_namespace = world->pools,
        .lease_name = lease,
        .identity = identity,
        .late_kind = late_kind,
    };
    incarnation_start(&world->lives[slot], transport, &options);
}

void world_end_operator(struct world *world, int slot)
{
    struct incarnation *life = &world->lives[slot];
    if (incarnation_lives(life)) {
        world->dead_writes += interceptor_write_count(life->interceptor);
        incarnation_end(life);
    }
}

int64_t world_step_operators(struct world *world, struct now now)
{
    int64_t wake_at_ms = NOW_NEVER;
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        struct incarnation *life = &world->lives[slot];
        size_t written = incarnation_lives(life) ? interceptor_write_count(life->interceptor) : 0;
        int64_t at_ms = incarnation_step(life, now);
        if (incarnation_lives(life) && interceptor_write_count(life->interceptor) > written &&
            !operator_facts(life->op, now).leading) {
            world_violate(world, now, "operator %d wrote without the lease", slot);
        }
        wake_at_ms = at_ms < wake_at_ms ? at_ms : wake_at_ms;
    }
    return wake_at_ms;
}

size_t world_write_count(const struct world *world)
{
    size_t count = world->dead_writes;
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        if (incarnation_lives(&world->lives[slot])) {
            count += interceptor_write_count(world->lives[slot].interceptor);
        }
    }
    return count;
}

void world_instance_name(int index, int count, char out[WORLD_NAME_BYTES])
{
    if (count == 1) {
        (void)snprintf(out, WORLD_NAME_BYTES, "alice");
    } else {
        (void)snprintf(out, WORLD_NAME_BYTES, "alice-%d", index);
    }
}
