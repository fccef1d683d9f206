/* SPDX-License-Identifier: Apache-2.0 */
#include "support/storage_world.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct pace PACE = {
    .fsx_service = {MINUTE_MS, MINUTE_MS},
    .fsx_latency_beyond = {0, 0},
    .fsx_poll_ms = 15 * SECOND_MS,
    .provisioner_timeout_ms = 5 * MINUTE_MS,
    .volumes_max = 100,
    .api_latency = {1, 2},
    .watch_lag = {1, 5},
    .binder_resync_ms = 15 * SECOND_MS,
    .binder_requests_a_second = 20,
    .binder_burst = 30,
};

static void count_write(void *self, const struct write_seen *write)
{
    struct storage_world *storage = self;
    bool is_tester = strcmp(write->options->actor, "tester") == 0;
    storage->writes += outcome_ok(write->outcome) && !is_tester ? 1 : 0;
}

static void make_class(struct storage_world *storage)
{
    cJSON *class = draft("{'metadata':{'name':'clones'},'provisioner':'" FSX_DRIVER_NAME "',"
                         "'reclaimPolicy':'Delete','volumeBindingMode':'Immediate',"
                         "'mountOptions':['nfsvers=4.1'],'parameters':{'ResourceType':'volume',"
                         "'ParentVolumeId':'\\\"$1\\\"'}}",
                         fsx_root_volume(storage->fsx), NULL);
    record_release(storage_world_make(storage, &resource_storage_classes, class));
}

int storage_world_set_up(void **state)
{
    struct storage_world *storage = memory_new(1, sizeof(*storage));
    void *api = NULL;
    simulated_api_set_up(&api);
    storage->api = api;
    storage->world = storage->api->world;
    storage->server = storage->api->server;
    storage->pace = PACE;
    storage->misfortune = (struct misfortune){.delete_of_vanished_fails = true};
    storage->fsx = fsx_new(storage->world, &storage->pace, &storage->misfortune);
    storage->driver =
        fsx_driver_new(storage->world, storage->fsx, &storage->pace, &storage->misfortune);
    make_class(storage);
    apiserver_on_write(storage->server, count_write, storage);
    *state = storage;
    return 0;
}

int storage_world_tear_down(void **state)
{
    struct storage_world *storage = *state;
    void *api = storage->api;
    snapshotter_free(storage->snapshotter);
    provisioner_free(storage->provisioner);
    namespaces_free(storage->namespaces);
    garbage_free(storage->garbage);
    protection_free(storage->protection);
    binder_free(storage->binder);
    fsx_driver_free(storage->driver);
    fsx_free(storage->fsx);
    simulated_api_tear_down(&api);
    memory_free(storage);
    return 0;
}

void storage_world_run(struct storage_world *storage, int64_t for_ms)
{
    int64_t until_ms = world_now(storage->world).mono_ms + for_ms;
    while (world_run_next(storage->world, until_ms)) {
    }
}

static const char *namespace_of(const struct resource *resource)
{
    return resource->is_namespaced ? "dev" : NULL;
}

static void set_kind(const struct resource *resource, cJSON *value)
{
    char api_version[128];
    (void)snprintf(api_version, sizeof(api_version), "%s%s%s", resource->group,
                   resource->group[0] == '\0' ? "" : "/", resource->version);
    value_set_text(value, "apiVersion", api_version);
    value_set_text(value, "kind", resource->kind);
}

struct record *storage_world_make(struct storage_world *storage, const struct resource *resource,
                                  cJSON *value)
{
    set_kind(resource, value);
    cJSON *status = cJSON_DetachItemFromObjectCaseSensitive(value, "status");
    char *name cleanup_memory = memory_copy_text(value_name(value));
    struct outcome outcome = apiserver_create(storage->server, resource, namespace_of(resource),
                                              value, &storage->api->options);
    if (!outcome_ok(&outcome)) {
        fail_msg("%s", outcome.message);
    }
    struct record *record = outcome.record;
    outcome.record = NULL;
    outcome_release(&outcome);
    if (status != NULL) {
        const struct verb_options options = {.actor = "tester", .subresource = "status"};
        cJSON *patch = cJSON_CreateObject();
        value_set(patch, "status", status);
        struct outcome written = apiserver_patch(storage->server, resource, namespace_of(resource),
                                                 name, PATCH_MERGE, patch, &options);
        if (!outcome_ok(&written)) {
            fail_msg("%s", written.message);
        }
        record_release(record);
        record = record_keep(written.record);
        outcome_release(&written);
        cJSON_Delete(patch);
    }
    return record;
}

void storage_world_change(struct storage_world *storage, const struct resource *resource,
                          const char *name, cJSON *patch)
{
    assert_fine(apiserver_patch(storage->server, resource, namespace_of(resource), name,
                                PATCH_MERGE, patch, &storage->api->options));
    cJSON_Delete(patch);
}

void storage_world_delete(struct storage_world *storage, const struct resource *resource,
                          const char *name)
{
    assert_fine(api_delete(storage->api, resource, namespace_of(resource), name));
}

const struct record *storage_world_get(struct storage_world *storage,
                                       const struct resource *resource, const char *name)
{
    return objects_get(apiserver_objects(storage->server), resource,
                       resource->is_namespaced ? "dev" : "", name);
}

struct record *storage_world_make_claim(struct storage_world *storage, const char *name,
                                        const char *more)
{
    char shape[1024];
    (void)snprintf(shape, sizeof(shape),
                   "{'metadata':{'name':'$1'},'spec':{'accessModes':['ReadWriteOncePod'],"
                   "'storageClassName':'clones','resources':{'requests':{'storage':'1Gi'}}%s}}",
                   more);
    return storage_world_make(storage, &resource_persistent_volume_claims,
                              draft(shape, name, NULL));
}

const char *storage_world_phase(struct storage_world *storage, const struct resource *resource,
                                const char *name)
{
    const struct record *record = storage_world_get(storage, resource, name);
    const char *phase = record == NULL ? NULL : value_text(record->value, "status", "phase", NULL);
    return phase == NULL ? "" : phase;
}

const char *storage_world_make_golden(struct storage_world *storage, const char *system_id)
{
    const char *volume = fsx_put_volume(storage->fsx, "golden", system_id);
    const char *handle = fsx_put_snapshot(storage->fsx, volume);
    struct record *snapshot = storage_world_make(
        storage, &resource_volume_snapshots,
        draft("{'metadata':{'name':'golden'},'spec':{'source':{'volumeSnapshotContentName':"
              "'golden'}},'status':{'boundVolumeSnapshotContentName':'golden','readyToUse':true,"
              "'restoreSize':'0','creationTime':'2026-01-01T00:00:00Z'}}",
              NULL));
    record_release(storage_world_make(
        storage, &resource_volume_snapshot_contents,
        draft("{'metadata':{'name':'golden'},'spec':{'deletionPolicy':'Delete',"
              "'driver':'" FSX_DRIVER_NAME "','source':{'snapshotHandle':'$1'},"
              "'volumeSnapshotRef':{'namespace':'dev','name':'golden','uid':'$2'}},"
              "'status':{'snapshotHandle':'$1','readyToUse':true,'restoreSize':0}}",
              handle, snapshot->uid, NULL)));
    record_release(snapshot);
    return handle;
}
