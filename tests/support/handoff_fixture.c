/* SPDX-License-Identifier: Apache-2.0 */
#include "support/handoff_fixture.h"

#include "support/objects.h"

void handoff_fixture_init(struct handoff_fixture *fixture, const char *volume,
                          const char *pool_spec)
{
    *fixture = (struct handoff_fixture){0};
    arena_init(&fixture->arena, 0);
    fixture->instance =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'alice','namespace':'dev','uid':'ua'}}");
    handoff_fixture_set_volume(fixture, volume);
    handoff_fixture_set_pool(fixture, pool_spec);
}

void handoff_fixture_release(struct handoff_fixture *fixture)
{
    object_free(fixture->instance);
    object_free(fixture->volume);
    object_free(fixture->pool);
    arena_release(&fixture->arena);
}

void handoff_fixture_set_pool(struct handoff_fixture *fixture, const char *pool_spec)
{
    object_free(fixture->pool);
    fixture->pool = object_from(
        KIND_POOL,
        arena_print(&fixture->arena, "{'metadata':{'name':'orders','namespace':'pools'},'spec':%s}",
                    pool_spec));
}

void handoff_fixture_set_volume(struct handoff_fixture *fixture, const char *volume)
{
    object_free(fixture->volume);
    fixture->volume = object_from(KIND_VOLUME, volume);
}

struct handoff handoff_fixture_get(const struct handoff_fixture *fixture)
{
    return (struct handoff){
        .instance = fixture->instance, .pool = fixture->pool, .volume = fixture->volume};
}
