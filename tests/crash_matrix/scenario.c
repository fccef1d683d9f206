/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/scenario.h"

#include "api/volume.h"
#include "base/arena.h"

#include <inttypes.h>

static void send_body(struct surroundings *around, enum object_kind kind, const char *namespace,
                      const char *body)
{
    api_send(around->api,
             &(struct api_request){.method = METHOD_POST,
                                   .kind = kind,
                                   .namespace = namespace,
                                   .body = body,
                                   .lasting = true},
             NULL, NULL);
}

static void send_delete(struct surroundings *around, enum object_kind kind, const char *namespace,
                        const char *name)
{
    api_send(around->api,
             &(struct api_request){.method = METHOD_DELETE,
                                   .kind = kind,
                                   .namespace = namespace,
                                   .name = name,
                                   .lasting = true},
             NULL, NULL);
}

void scenario_send_namespaces(struct surroundings *around, const struct world *world)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *const names[] = {world->pools, world->dev};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        send_body(around, KIND_NAMESPACE, NULL,
                  arena_print(&arena,
                              "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}",
                              names[i]));
    }
    send_body(around, KIND_STORAGE_CLASS, NULL,
              arena_print(&arena,
                          "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':"
                          "{'name':'%s'},'provisioner':'" WORLD_DRIVER "','parameters':{"
                          "'ResourceType':'volume','OriginSnapshot':'{\\\"CopyStrategy\\\":"
                          "\\\"CLONE\\\"}'}}",
                          world->class));
}

#define SNAPSHOT_VERSION "'apiVersion':'snapshot.storage.k8s.io/v1',"

void scenario_send_golden(struct surroundings *around, const struct world *world)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    send_body(around, KIND_SNAPSHOT_CONTENT, NULL,
              arena_print(&arena,
                          "{" SNAPSHOT_VERSION "'kind':'VolumeSnapshotContent','metadata':{'name':"
                          "'" WORLD_GOLDEN "-%d'},'spec':{'deletionPolicy':'Retain','driver':"
                          "'" WORLD_DRIVER "','source':{'snapshotHandle':'fsvolsnap-1'},"
                          "'volumeSnapshotRef':{'name':'" WORLD_GOLDEN "','namespace':'%s'}}}",
                          world->index, world->pools));
    send_body(around, KIND_SNAPSHOT, world->pools,
              arena_print(&arena,
                          "{" SNAPSHOT_VERSION "'kind':'VolumeSnapshot','metadata':{'name':"
                          "'" WORLD_GOLDEN "'},'spec':{'source':{'volumeSnapshotContentName':"
                          "'" WORLD_GOLDEN "-%d'}}}",
                          world->index));
    api_send(around->api,
             &(struct api_request){
                 .method = METHOD_PATCH,
                 .kind = KIND_SNAPSHOT,
                 .namespace = world->pools,
                 .name = WORLD_GOLDEN,
                 .subresource = "status",
                 .content_type = MERGE_PATCH,
                 .body = arena_print(&arena,
                                     "{'status':{'readyToUse':true,'restoreSize':'1Gi',"
                                     "'boundVolumeSnapshotContentName':'" WORLD_GOLDEN "-%d'}}",
                                     world->index)},
             NULL, NULL);
}

bool scenario_has_golden(const struct surroundings *around, const struct world *world)
{
    const struct object *golden =
        store_get(mirror_store(around->mirror), KIND_SNAPSHOT, world->pools, WORLD_GOLDEN);
    return golden != NULL && golden->snapshot->ready;
}

void scenario_send_pool(struct surroundings *around, const struct world *world,
                        const struct scenario *scenario)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    send_body(around, KIND_POOL, world->pools,
              arena_print(&arena,
                          "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Pool','metadata':{'name':"
                          "'" WORLD_POOL "'},'spec':{'golden':{'snapshot':'" WORLD_GOLDEN "',"
                          "'systemID':'" WORLD_SYSTEM_ID "'},'size':%" PRId64 ","
                          "'storage':{'storageClassName':'%s'},"
                          "'allowedNamespaces':{'from':'All'},'database':'app','owner':'app',"
                          "'claim':{'order':'%s'}}}",
                          scenario->size, world->class, scenario->order));
}

void scenario_send_instances(struct surroundings *around, const struct world *world,
                             const struct scenario *scenario)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    for (int i = 0; i < scenario->expected.instance_count; i++) {
        char name[WORLD_NAME_BYTES];
        world_instance_name(i, scenario->expected.instance_count, name);
        send_body(around, KIND_INSTANCE, world->dev,
                  arena_print(&arena,
                              "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':"
                              "{'name':'%s'},'spec':{'pool':{'name':'" WORLD_POOL "',"
                              "'namespace':'%s'},'deletionPolicy':'%s'}}",
                              name, world->pools, scenario->retains ? "Retain" : "Delete"));
    }
}

void scenario_send_size(struct surroundings *around, const struct world *world, int64_t size)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    api_send(
        around->api,
        &(struct api_request){.method = METHOD_PATCH,
                              .kind = KIND_POOL,
                              .namespace = world->pools,
                              .name = WORLD_POOL,
                              .content_type = MERGE_PATCH,
                              .body = arena_print(&arena, "{'spec':{'size':%" PRId64 "}}", size),
                              .lasting = true},
        NULL, NULL);
}

void scenario_send_end(struct surroundings *around, const struct world *world)
{
    const struct store *store = mirror_store(around->mirror);
    const struct object *object;
    size_t at = 0;
    while ((object = store_next(store, KIND_INSTANCE, &at)) != NULL) {
        if (world_has(world, object)) {
            send_delete(around, KIND_INSTANCE, world->dev, object->meta.name);
        }
    }
    send_delete(around, KIND_VOLUME_CLAIM, world->dev, WORLD_THIEF);
    send_delete(around, KIND_POOL, world->pools, WORLD_POOL);
}

void scenario_send_end_of_left(struct surroundings *around, const struct world *world)
{
    const struct store *store = mirror_store(around->mirror);
    const struct object *object;
    size_t at = 0;
    while ((object = store_next(store, KIND_CLUSTER, &at)) != NULL) {
        if (world_has(world, object)) {
            send_delete(around, KIND_CLUSTER, world->dev, object->meta.name);
        }
    }
    at = 0;
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        if (surroundings_world_of(around, object) == world && object_label_count(object) == 0 &&
            object->volume->phase == VOLUME_RELEASED) {
            api_send(around->api,
                     &(struct api_request){
                         .method = METHOD_PATCH,
                         .kind = KIND_VOLUME,
                         .name = object->meta.name,
                         .content_type = MERGE_PATCH,
                         .body = "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}"},
                     NULL, NULL);
        }
    }
}

/* ---- the rows ---- */

static void delete_instance(struct surroundings *around, const struct world *world,
                            const struct scenario *scenario)
{
    char name[WORLD_NAME_BYTES];
    world_instance_name(0, scenario->expected.instance_count, name);
    send_delete(around, KIND_INSTANCE, world->dev, name);
}

static void delete_pool(struct surroundings *around, const struct world *world,
                        const struct scenario *scenario)
{
    (void)scenario;
    send_delete(around, KIND_POOL, world->pools, WORLD_POOL);
}

static void scale(struct surroundings *around, const struct world *world,
                  const struct scenario *scenario)
{
    scenario_send_size(around, world, scenario->expected.pool_size);
}

/* Clones are taken and retired at once. */
static void claim_and_scale(struct surroundings *around, const struct world *world,
                            const struct scenario *scenario)
{
    scenario_send_instances(around, world, scenario);
    scale(around, world, scenario);
}

const struct scenario scenarios[] = {
    {.name = "claim-swap",
     .is_claim = true,
     .order = "Swap",
     .size = 1,
     .pool_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .act = scenario_send_instances,
     .expected = {.endings = ENDING_READY, .instance_count = 1, .has_pool = true, .pool_size = 1}},
    {.name = "claim-release",
     .is_claim = true,
     .order = "Release",
     .size = 1,
     .pool_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .act = scenario_send_instances,
     .expected = {.endings = ENDING_READY, .instance_count = 1, .has_pool = true, .pool_size = 1}},
    {.name = "deletion",
     .order = "Swap",
     .size = 1,
     .pool_before = true,
     .instance_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .act = delete_instance,
     .expected = {.endings = ENDING_GONE, .instance_count = 1, .has_pool = true, .pool_size = 1}},
    {.name = "deletion-retain",
     .order = "Swap",
     .size = 1,
     .pool_before = true,
     .instance_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .retains = true,
     .act = delete_instance,
     .expected = {.endings = ENDING_LEFT, .instance_count = 1, .has_pool = true, .pool_size = 1}},
    {.name = "pool-fill",
     .order = "Swap",
     .size = 2,
     .operator_count = 1,
     .shared_lease = true,
     .act = scenario_send_pool,
     .expected = {.endings = ENDING_GONE, .has_pool = true, .pool_size = 2}},
    {.name = "scale-down",
     .order = "Swap",
     .size = 2,
     .pool_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .act = scale,
     .expected = {.endings = ENDING_GONE, .has_pool = true, .pool_size = 0}},
    {.name = "pool-deletion",
     .order = "Swap",
     .size = 2,
     .pool_before = true,
     .operator_count = 1,
     .shared_lease = true,
     .act = delete_pool,
     .expected = {.endings = ENDING_GONE, .pool_size = 0}},
    {.name = "claim-with-a-late-rival",
     .is_claim = true,
     .order = "Swap",
     .size = 1,
     .pool_before = true,
     .operator_count = 2,
     .late_kind = "/instances",
     .act = scenario_send_instances,
     .expected = {.endings = ENDING_READY, .instance_count = 1, .has_pool = true, .pool_size = 1}},
    {.name = "two-operators",
     .order = "Swap",
     .size = 5,
     .pool_before = true,
     .operator_count = 2,
     .shared_lease = true,
     .act = scenario_send_instances,
     .expected = {.endings = ENDING_READY, .instance_count = 10, .has_pool = true, .pool_size = 5}},
    {.name = "two-leases",
     .order = "Swap",
     .size = 5,
     .pool_before = true,
     .operator_count = 2,
     .act = scenario_send_instances,
     .expected = {.endings = ENDING_READY, .instance_count = 10, .has_pool = true, .pool_size = 5}},
    {.name = "two-leases-one-late",
     .order = "Swap",
     .size = 5,
     .pool_before = true,
     .operator_count = 2,
     .late_kind = "/instances",
     .act = claim_and_scale,
     .expected = {.endings = ENDING_READY, .instance_count = 10, .has_pool = true, .pool_size = 0}},
    {.name = NULL},
};

const struct scenario *scenario_find(const char *name)
{
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        if (text_equal(scenario->name, name)) {
            return scenario;
        }
    }
    return NULL;
}
