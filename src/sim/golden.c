/* SPDX-License-Identifier: Apache-2.0 */
/* A golden as CloudNativePG's volume snapshots leave one: the VolumeSnapshot with what the backup
   knew of its Cluster, over a content that is not deleted along with it, of a driver that clones.
   What is not the golden's alone (driver, classes) is there already when a second one is made.
   Rules: CloudNativePG pkg/reconciler/backup/volumesnapshot (enrichSnapshot); external-snapshotter
   v8.2 for a static pair; the FSx driver's example classes, without OptionsOnDeletion. */
#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/draft.h"
#include "sim/fsx_driver.h"
#include "sim/simulation_state.h"
#include "sim/value.h"

#include <assert.h>
#include <stdio.h>

#define INERT_CLASS "adjoint-handoff"
#define BOUND_FINALIZER "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"
#define CONTENT_FINALIZER "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
#define SNAPSHOT_CLASS "fsx-snapshots"

enum { NAME_BYTES_MAX = 256, CONTROL_DATA_BYTES_MAX = 2048 };

static const struct verb_options PERSON = {.actor = "builder"};

/* There already is fine. */
static void put(struct simulation *simulation, const struct resource *resource,
                const char *namespace, cJSON *value)
{
    cleanup_outcome struct outcome outcome =
        apiserver_create(simulation->server, resource, namespace, value, &PERSON);
    assert(outcome_ok(&outcome) || outcome.http_status == 409);
}

static void put_status(struct simulation *simulation, const struct resource *resource,
                       const char *namespace, const char *name, cJSON *status)
{
    const struct verb_options options = {.actor = PERSON.actor, .subresource = "status"};
    cJSON *patch = cJSON_CreateObject();
    value_set(patch, "status", status);
    cleanup_outcome struct outcome outcome = apiserver_patch(
        simulation->server, resource, namespace, name, PATCH_MERGE, patch, &options);
    assert(outcome_ok(&outcome));
    cJSON_Delete(patch);
}

/* ---- what all goldens share ---- */

static void put_classes(struct simulation *simulation, const struct golden_options *golden)
{
    put(simulation, &resource_namespaces, NULL,
        draft("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'$1'}}", golden->namespace,
              NULL));
    put(simulation, &resource_csi_drivers, NULL,
        draft("{'apiVersion':'storage.k8s.io/"
              "v1','kind':'CSIDriver','metadata':{'name':'" FSX_DRIVER_NAME
              "'},'spec':{'attachRequired':false,'podInfoOnMount':false,"
              "'fsGroupPolicy':'ReadWriteOnceWithFSType'}}",
              NULL));
    /* The driver reads JSON in these strings, so that a string in one has quotes of its own. */
    char parent[NAME_BYTES_MAX];
    (void)snprintf(parent, sizeof(parent), "\"%s\"",
                   fsx_root_volume_of(simulation->fsx, golden->file_system));
    cJSON *class = draft("{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{"
                         "'name':'$1'},'provisioner':'" FSX_DRIVER_NAME "','parameters':{"
                         "'ResourceType':'volume','ParentVolumeId':'$2','OriginSnapshot':'$3',"
                         "'NfsExports':'$4'},"
                         "'reclaimPolicy':'Delete','volumeBindingMode':'Immediate',"
                         "'mountOptions':['nfsvers=4.1','rsize=524288','wsize=524288']}",
                         golden->clone_class, parent, "{\"CopyStrategy\": \"CLONE\"}",
                         "[{\"ClientConfigurations\": [{\"Clients\": \"*\", \"Options\": "
                         "[\"rw\", \"crossmnt\", \"no_root_squash\"]}]}]",
                         NULL);
    put(simulation, &resource_storage_classes, NULL, class);
    put(simulation, &resource_storage_classes, NULL,
        draft("{'apiVersion':'storage.k8s.io/"
              "v1','kind':'StorageClass','metadata':{'name':'" INERT_CLASS
              "'},'provisioner':'kubernetes.io/no-provisioner',"
              "'reclaimPolicy':'Retain','volumeBindingMode':'WaitForFirstConsumer'}",
              NULL));
    put(simulation, &resource_volume_snapshot_classes, NULL,
        draft("{'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshotClass',"
              "'metadata':{'name':'" SNAPSHOT_CLASS "'},'driver':'" FSX_DRIVER_NAME "',"
              "'deletionPolicy':'Retain'}",
              NULL));
}

/* ---- the snapshot ---- */

/* As pg_controldata prints it, of a Postgres 15 that was running. */
static char *control_data(const struct golden_options *golden)
{
    cleanup_text struct text text;
    text_init(&text, CONTROL_DATA_BYTES_MAX);
    text_print(&text,
               "pg_control version number:            1300\n"
               "Catalog version number:               202209061\n"
               "Database system identifier:           %s\n"
               "Database cluster state:               in production\n"
               "Latest checkpoint's TimeLineID:       1\n"
               "max_connections setting:              100\n"
               "max_worker_processes setting:         32\n"
               "max_wal_senders setting:              10\n"
               "max_prepared_xacts setting:           0\n"
               "max_locks_per_xact setting:           64\n",
               golden->system_id);
    return text_take(&text);
}

/* The Cluster that the snapshot was taken of. */
static char *cluster_manifest(const struct golden_options *golden)
{
    cJSON *cluster =
        draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':"
              "'production','namespace':'$1'},'spec':{'instances':1,"
              "'imageName':'ghcr.io/cloudnative-pg/postgresql:15','storage':{'size':'1Gi'},"
              "'bootstrap':{'initdb':{'database':'$2','owner':'$3'}}}}",
              golden->namespace, golden->database, golden->owner, NULL);
    char *text = value_print(cluster);
    cJSON_Delete(cluster);
    return text;
}

static void put_snapshot(struct simulation *simulation, const struct golden_options *golden,
                         const char *content)
{
    char *control = control_data(golden);
    char *manifest = cluster_manifest(golden);
    put(simulation, &resource_volume_snapshots, golden->namespace,
        draft("{'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshot','metadata':{"
              "'name':'$1','finalizers':['" BOUND_FINALIZER "'],'labels':{"
              "'cnpg.io/cluster':'production','cnpg.io/instanceName':'production-1',"
              "'cnpg.io/backupName':'$1','cnpg.io/pvcRole':'PG_DATA','cnpg.io/majorVersion':'15',"
              "'cnpg.io/backupTimeline':'1','cnpg.io/onlineBackup':'true'},'annotations':{"
              "'cnpg.io/pgControldata':'$2','cnpg.io/clusterManifest':'$3'}},'spec':{"
              "'volumeSnapshotClassName':'" SNAPSHOT_CLASS "','source':{"
              "'volumeSnapshotContentName':'$4'}}}",
              golden->snapshot, control, manifest, content, NULL));
    memory_free(control);
    memory_free(manifest);
}

static void put_content(struct simulation *simulation, const struct golden_options *golden,
                        const char *content, const char *handle)
{
    const struct record *snapshot =
        objects_get(apiserver_objects(simulation->server), &resource_volume_snapshots,
                    golden->namespace, golden->snapshot);
    put(simulation, &resource_volume_snapshot_contents, NULL,
        draft("{'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshotContent',"
              "'metadata':{'name':'$1','finalizers':['" CONTENT_FINALIZER "']},'spec':{"
              "'deletionPolicy':'Retain','driver':'" FSX_DRIVER_NAME "','source':{"
              "'snapshotHandle':'$2'},'sourceVolumeMode':'Filesystem',"
              "'volumeSnapshotClassName':'" SNAPSHOT_CLASS "','volumeSnapshotRef':{"
              "'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshot','namespace':'$3',"
              "'name':'$4','uid':'$5'}}}",
              content, handle, golden->namespace, golden->snapshot, snapshot->uid, NULL));
}

/* What the snapshotter would write a moment later. */
static void put_statuses(struct simulation *simulation, const struct golden_options *golden,
                         const char *content, const char *handle)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(world_now(simulation->world).wall_ms, at);
    put_status(simulation, &resource_volume_snapshot_contents, NULL, content,
               draft("{'readyToUse':true,'restoreSize':0,'snapshotHandle':'$1'}", handle, NULL));
    put_status(simulation, &resource_volume_snapshots, golden->namespace, golden->snapshot,
               draft("{'readyToUse':true,'boundVolumeSnapshotContentName':'$1',"
                     "'creationTime':'$2','restoreSize':'0'}",
                     content, at, NULL));
}

void simulation_make_golden(struct simulation *simulation, const struct golden_options *golden)
{
    char name[NAME_BYTES_MAX];
    (void)snprintf(name, sizeof(name), "golden-%s", golden->snapshot);
    const char *root = fsx_root_volume_of(simulation->fsx, golden->file_system);
    const char *volume = fsx_put_volume_below(simulation->fsx, root, name, golden->system_id);
    const char *handle = fsx_put_snapshot(simulation->fsx, volume);
    put_classes(simulation, golden);
    put_snapshot(simulation, golden, name);
    put_content(simulation, golden, name, handle);
    put_statuses(simulation, golden, name, handle);
}
