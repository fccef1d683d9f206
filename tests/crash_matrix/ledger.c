/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/ledger.h"

#include "base/limits.h"
#include "base/memory.h"

void ledger_init(struct ledger *ledger)
{
    *ledger = (struct ledger){.count = 0};
    map_init(&ledger->by_name);
}

void ledger_release(struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; i++) {
        struct ledger_volume *volume = ledger->volumes[i];
        memory_free(volume->handle);
        memory_free(volume->volume);
        memory_free(volume->owner_uid);
        memory_free(volume);
    }
    memory_free(ledger->volumes);
    map_release(&ledger->by_name);
}

static char *print(const char *format, ...) PRINTF_LIKE(1, 2);

static char *print(const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    char *copy = memory_copy_text(arena_print_list(&arena, format, arguments));
    va_end(arguments);
    return copy;
}

struct ledger_volume *ledger_create(struct ledger *ledger, struct world *world,
                                    const struct object *claim)
{
    cleanup_memory char *name = print("pvc-%s", claim->meta.uid);
    struct ledger_volume *known = ledger_find(ledger, name);
    if (known != NULL) {
        return known;
    }
    if (ledger->count == ledger->capacity) {
        ledger->capacity = ledger->capacity * 2 + 64;
        ledger->volumes =
            memory_resize(ledger->volumes, ledger->capacity, sizeof(struct ledger_volume *));
    }
    struct ledger_volume *volume = memory_new(1, sizeof(*volume));
    ledger->volumes[ledger->count++] = volume;
    volume->handle = print("fsvol-%08zx", ledger->count);
    volume->volume = memory_copy_text(name);
    (void)map_put(&ledger->by_name, volume->volume, volume);
    volume->world = world;
    volume->for_pool = text_equal(claim->meta.namespace, world->pools);
    return volume;
}

struct ledger_volume *ledger_find(const struct ledger *ledger, const char *volume)
{
    return map_get(&ledger->by_name, volume);
}

size_t ledger_created(const struct ledger *ledger, const struct world *world)
{
    size_t created = 0;
    for (size_t i = 0; i < ledger->count; i++) {
        created += ledger->volumes[i]->world == world;
    }
    return created;
}

size_t ledger_alive(const struct ledger *ledger, const struct world *world)
{
    size_t alive = 0;
    for (size_t i = 0; i < ledger->count; i++) {
        alive += ledger->volumes[i]->world == world && !ledger->volumes[i]->destroyed;
    }
    return alive;
}

void ledger_close(struct ledger *ledger, const struct world *world)
{
    for (size_t i = 0; i < ledger->count; i++) {
        if (ledger->volumes[i]->world == world) {
            ledger->volumes[i]->world = NULL;
        }
    }
}
