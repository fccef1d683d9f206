/* SPDX-License-Identifier: Apache-2.0 */
#include "support/claim_world.h"

#include "api/instance.h"
#include "api/names.h"
#include "plan/pool.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TURN_COUNT_MAX = 400, HOLDING_COUNT_MAX = 8 };

static const int64_t WALL_MS = 1787392800000; /* 2026-08-22T10:00:00Z */

#define SYSTEM_ID "7423456789012345678"

void claim_world_put(struct claim_world *world, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    char *json = arena_print_list(&arena, format, arguments);
    va_end(arguments);
    for (char *at = strchr(json, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    api_table_put(world->fixture.table, json);
}

void claim_world_init(struct claim_world *world, int size)
{
    operator_fixture_init(&world->fixture, WALL_MS);
    text_init(&world->history, 1000 * 1000);
    world->controllers = (struct controllers){world->fixture.table, &world->history, SYSTEM_ID};
    arena_init(&world->arena, 0);
    map_init(&world->owners);
    map_init(&world->asked);
    world->checked_version = world->rested_version = -1;
    claim_world_put(world, "{'kind':'VolumeSnapshot','metadata':{'name':'golden',"
                           "'namespace':'pools','uid':'ug'},'status':{'readyToUse':true,"
                           "'boundVolumeSnapshotContentName':'content'}}");
    claim_world_put(world, "{'kind':'VolumeSnapshotContent','metadata':{'name':'content'},"
                           "'spec':{'driver':'zfs.example'}}");
    claim_world_put(world, "{'kind':'StorageClass','metadata':{'name':'clone'},"
                           "'provisioner':'zfs.example','reclaimPolicy':'Delete',"
                           "'volumeBindingMode':'Immediate'}");
    claim_world_put(world, "{'kind':'Namespace','metadata':{'name':'dev'}}");
    claim_world_put(world,
                    "{'kind':'Pool','metadata':{'name':'orders','namespace':'pools','uid':'up',"
                    "'generation':1},'spec':{'golden':{'snapshot':'golden','systemID':'" SYSTEM_ID
                    "'},'size':%d,'database':'shop','owner':'clerk','storage':{"
                    "'storageClassName':'clone'},'allowedNamespaces':{'from':'All'}}}",
                    size);
}

void claim_world_release(struct claim_world *world)
{
    operator_fixture_release(&world->fixture);
    text_release(&world->history);
    map_release(&world->owners);
    map_release(&world->asked);
    arena_release(&world->arena);
}

void claim_world_add_instance(struct claim_world *world, const char *name, const char *policy)
{
    claim_world_put(world,
                    "{'kind':'Instance','metadata':{'name':'%s','namespace':'dev','generation':1},"
                    "'spec':{'pool':{'name':'orders','namespace':'pools'},'deletionPolicy':'%s'}}",
                    name, policy);
}

void claim_world_delete_instance(struct claim_world *world, const char *name)
{
    cleanup_object struct object *object = claim_world_get(world, KIND_INSTANCE, "dev", name);
    if (object == NULL) {
        return;
    }
    if (object->instance->deletion_policy == DELETION_DELETE) {
        char *uid = arena_copy(&world->arena, object->meta.uid);
        (void)map_put(&world->asked, uid, uid);
    }
    api_table_delete_any(world->fixture.table, KIND_INSTANCE, "dev", name);
}

struct object *claim_world_get(const struct claim_world *world, enum object_kind kind,
                               const char *namespace, const char *name)
{
    const char *json = api_table_find(world->fixture.table, kind, namespace, name);
    return json == NULL ? NULL : object_from_text(kind, json);
}

size_t claim_world_count(const struct claim_world *world, enum volume_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < api_table_count(world->fixture.table); i++) {
        const struct api_entry *entry = api_table_at(world->fixture.table, i);
        if (entry->kind == KIND_VOLUME) {
            cleanup_object struct object *object = object_from_text(KIND_VOLUME, entry->json);
            count += object->volume->state == state;
        }
    }
    return count;
}

/* ---- what must hold ---- */

static void note_owner(struct claim_world *world, const struct object *volume)
{
    const struct volume *state = volume->volume;
    const char *uid = object_label(volume, LABEL_INSTANCE_UID);
    if (state->handle == NULL || uid == NULL || state->claim_name == NULL) {
        return;
    }
    cleanup_object struct object *claim =
        claim_world_get(world, KIND_VOLUME_CLAIM, state->claim_namespace, state->claim_name);
    if (claim != NULL && text_equal(object_label(claim, LABEL_ROLE), ROLE_DATA) &&
        text_equal(claim->volume_claim->volume, volume->meta.name) &&
        map_get(&world->owners, state->handle) == NULL) {
        (void)map_put(&world->owners, arena_copy(&world->arena, state->handle),
                      arena_copy(&world->arena, uid));
    }
}

static void check_volume(struct claim_world *world, const struct object *volume)
{
    const struct volume *state = volume->volume;
    note_owner(world, volume);
    const char *owner = state->handle == NULL ? NULL : map_get(&world->owners, state->handle);
    if (owner == NULL) {
        return;
    }
    if (volume_claimable(volume)) {
        fail_msg("%s was %s's and can be claimed again", volume->meta.name, owner);
    }
    bool asked = map_get(&world->asked, owner) != NULL;
    if (state->policy == RECLAIM_DELETE && !asked) {
        fail_msg("%s is %s's, who did not ask for its end, and has policy Delete",
                 volume->meta.name, owner);
    }
}

/* No PVC has two volumes. by_claim: its uid to the name of its volume, both the arena's. */
static void check_claim(struct map *by_claim, struct arena *arena, const struct object *volume)
{
    const char *uid = volume->volume->claim_uid;
    if (uid == NULL) {
        return;
    }
    const char *other =
        map_put(by_claim, arena_copy(arena, uid), arena_copy(arena, volume->meta.name));
    if (other != NULL) {
        fail_msg("%s and %s are both of claim %s", volume->meta.name, other, uid);
    }
}

static void check_volumes(struct claim_world *world)
{
    const struct api_table *table = world->fixture.table;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct map by_claim;
    map_init(&by_claim);
    for (size_t i = 0; i < api_table_count(table); i++) {
        const struct api_entry *entry = api_table_at(table, i);
        if (entry->kind == KIND_VOLUME) {
            cleanup_object struct object *volume = object_from_text(KIND_VOLUME, entry->json);
            check_volume(world, volume);
            check_claim(&by_claim, &arena, volume);
        }
    }
    map_release(&by_claim);
}

/* Nothing with somebody's data was destroyed unless its Instance asked. */
static void check_history(struct claim_world *world)
{
    static const char word[] = "DESTROYED ";
    for (const char *at = strstr(world->history.bytes, word); at != NULL;
         at = strstr(at + 1, word)) {
        char handle[64] = {0};
        const char *from = at + strlen(word);
        memcpy(handle, from, strcspn(from, "\n"));
        const char *owner = map_get(&world->owners, handle);
        if (owner != NULL && map_get(&world->asked, owner) == NULL) {
            fail_msg("%s was destroyed, and was %s's, who did not ask for it", handle, owner);
        }
    }
}

static void check_objects(const struct claim_world *world)
{
    size_t holding_count = 0;
    for (size_t i = 0; i < api_table_count(world->fixture.table); i++) {
        const struct api_entry *entry = api_table_at(world->fixture.table, i);
        if (entry->kind == KIND_VOLUME_CLAIM && text_equal(entry->namespace, "pools")) {
            holding_count++;
        }
        if (entry->kind != KIND_INSTANCE) {
            continue;
        }
        cleanup_object struct object *instance = object_from_text(KIND_INSTANCE, entry->json);
        const struct condition *ready =
            conditions_find(&instance->instance->conditions, CONDITION_READY);
        cleanup_object struct object *volume =
            instance->instance->volume == NULL
                ? NULL
                : claim_world_get(world, KIND_VOLUME, "", instance->instance->volume);
        if (ready != NULL && ready->status == CONDITION_TRUE && volume != NULL) {
            const char *uid = object_label(volume, LABEL_INSTANCE_UID);
            assert_true(uid == NULL || text_equal(uid, instance->meta.uid));
        }
    }
    assert_true(holding_count <= HOLDING_COUNT_MAX);
}

bool claim_world_turn(struct claim_world *world)
{
    const struct api_table *table = world->fixture.table;
    bool moved = operator_fixture_turn(&world->fixture);
    if (world->rested_version != api_table_version(table)) {
        bool changed = controllers_step(&world->controllers);
        world->rested_version = changed ? -1 : api_table_version(table);
        moved = changed || moved;
    }
    if (world->checked_version != api_table_version(table)) {
        world->checked_version = api_table_version(table);
        check_volumes(world);
        check_history(world);
        check_objects(world);
    }
    return moved;
}

static void settle(struct claim_world *world)
{
    for (int turn = 0; claim_world_turn(world); turn++) {
        if (turn == TURN_COUNT_MAX) {
            fail_msg("it does not come to rest: %s", fake_api_take_log(world->fixture.api));
        }
    }
}

void claim_world_pass(struct claim_world *world, int64_t ms)
{
    struct operator_fixture *fixture = &world->fixture;
    int64_t end_ms = fixture->now.mono_ms + ms;
    settle(world);
    while (operator_wake_at(fixture->op) <= end_ms) {
        operator_fixture_advance(fixture, operator_wake_at(fixture->op));
        settle(world);
    }
    operator_fixture_advance(fixture, end_ms);
    settle(world);
}
