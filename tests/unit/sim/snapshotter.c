/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/snapshotter.h"

#include "base/text.h"
#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PVC (&resource_persistent_volume_claims)
#define SNAPSHOTS (&resource_volume_snapshots)
#define CONTENTS (&resource_volume_snapshot_contents)

static void start(struct storage_world *storage)
{
    storage->snapshotter = snapshotter_new(storage->server, storage->driver, &storage->pace);
}

static void make_static_content(struct storage_world *storage, const char *handle,
                                const char *policy)
{
    record_release(storage_world_make(
        storage, CONTENTS,
        draft("{'metadata':{'name':'g'},'spec':{'deletionPolicy':'$1','driver':'$2',"
              "'source':{'snapshotHandle':'$3'},"
              "'volumeSnapshotRef':{'namespace':'dev','name':'g'}}}",
              policy, FSX_DRIVER_NAME, handle, NULL)));
}

static void make_static_snapshot(struct storage_world *storage)
{
    record_release(storage_world_make(
        storage, SNAPSHOTS,
        draft("{'metadata':{'name':'g'},'spec':{'source':{'volumeSnapshotContentName':'g'}}}",
              NULL)));
}

static bool is_ready(struct storage_world *storage, const char *name)
{
    return value_true(storage_world_get(storage, SNAPSHOTS, name)->value, "status", "readyToUse",
                      NULL);
}

/* Measured: 0.1 s, and nothing is asked of FSx, were there no such snapshot. */
static void a_static_pair_is_ready_at_once(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_static_content(storage, "fsvolsnap-none", "Retain");
    make_static_snapshot(storage);
    storage_world_run(storage, 200);
    assert_true(is_ready(storage, "g"));
    const struct record *snapshot = storage_world_get(storage, SNAPSHOTS, "g");
    assert_has(snapshot, "{'status':{'boundVolumeSnapshotContentName':'g','restoreSize':'0'}}");
    assert_non_null(value_text(snapshot->value, "status", "creationTime", NULL));
    assert_true(value_equal_text(storage_world_get(storage, CONTENTS, "g")->value, snapshot->uid,
                                 "spec", "volumeSnapshotRef", "uid", NULL));
    int writes = storage->writes;
    storage_world_run(storage, 10 * MINUTE_MS);
    assert_int_equal(storage->writes, writes);
}

static void of_a_retained_pair_only_the_snapshot_goes(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_static_content(storage, "fsvolsnap-none", "Retain");
    make_static_snapshot(storage);
    storage_world_run(storage, SECOND_MS);
    storage_world_delete(storage, SNAPSHOTS, "g");
    storage_world_run(storage, SECOND_MS);
    assert_null(storage_world_get(storage, SNAPSHOTS, "g"));
    assert_false(value_is_deleting(storage_world_get(storage, CONTENTS, "g")->value));
    /* A new one of the name is not the one the content is bound to. */
    make_static_snapshot(storage);
    storage_world_run(storage, 10 * SECOND_MS);
    assert_false(is_ready(storage, "g"));
}

static void make_source(struct storage_world *storage)
{
    const char *handle = fsx_put_volume(storage->fsx, "source", "7000000000000000001");
    record_release(storage_world_make(
        storage, &resource_persistent_volumes,
        draft("{'metadata':{'name':'v'},'spec':{'accessModes':['ReadWriteOncePod'],"
              "'capacity':{'storage':'1Gi'},'csi':{'driver':'$1','volumeHandle':'$2'}}}",
              FSX_DRIVER_NAME, handle, NULL)));
    record_release(storage_world_make_claim(storage, "source", ",'volumeName':'v'"));
    record_release(storage_world_make(
        storage, &resource_volume_snapshot_classes,
        draft("{'metadata':{'name':'fsx'},'driver':'$1','deletionPolicy':'Delete'}",
              FSX_DRIVER_NAME, NULL)));
}

static void bind_source(struct storage_world *storage)
{
    storage->api->options.subresource = "status";
    storage_world_change(storage, PVC, "source", draft("{'status':{'phase':'Bound'}}", NULL));
    storage->api->options.subresource = NULL;
}

static void take_snapshot(struct storage_world *storage)
{
    record_release(
        storage_world_make(storage, SNAPSHOTS,
                           draft("{'metadata':{'name':'s'},'spec':{'volumeSnapshotClassName':'fsx',"
                                 "'source':{'persistentVolumeClaimName':'source'}}}",
                                 NULL)));
}

static const char *handle_of(struct storage_world *storage, const char *snapshot)
{
    const char *content = value_text(storage_world_get(storage, SNAPSHOTS, snapshot)->value,
                                     "status", "boundVolumeSnapshotContentName", NULL);
    return value_text(storage_world_get(storage, CONTENTS, content)->value, "status",
                      "snapshotHandle", NULL);
}

/* Measured: ready after 15 to 17 s. */
static void a_snapshot_of_a_claim_is_taken(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_source(storage);
    bind_source(storage);
    take_snapshot(storage);
    storage_world_run(storage, 10 * SECOND_MS);
    assert_false(is_ready(storage, "s"));
    assert_true(value_has_finalizer(storage_world_get(storage, PVC, "source")->value,
                                    "snapshot.storage.kubernetes.io/pvc-as-source-protection"));
    storage_world_run(storage, 7 * SECOND_MS);
    assert_true(is_ready(storage, "s"));
    assert_false(value_has_finalizer(storage_world_get(storage, PVC, "source")->value,
                                     "snapshot.storage.kubernetes.io/pvc-as-source-protection"));
    assert_true(text_starts_with(handle_of(storage, "s"), "fsvolsnap-"));
}

static void a_snapshot_of_an_unbound_claim_waits(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_source(storage);
    take_snapshot(storage);
    storage_world_run(storage, MINUTE_MS);
    assert_false(is_ready(storage, "s"));
    bind_source(storage);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_true(is_ready(storage, "s"));
}

static const char *clone(struct storage_world *storage, const char *snapshot)
{
    const struct fsx_create create = {.name = "clone",
                                      .token = "clone",
                                      .parent = fsx_root_volume(storage->fsx),
                                      .origin = snapshot,
                                      .parameters = "{}"};
    const char *handle = NULL;
    assert_int_equal(fsx_create_volume(storage->fsx, &create, &handle), FSX_OK);
    return handle;
}

/* Measured: it stays, still says readyToUse, and goes by itself when the last clone is gone. */
static void a_snapshot_with_clones_stays_until_they_are_gone(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_source(storage);
    bind_source(storage);
    take_snapshot(storage);
    storage_world_run(storage, 20 * SECOND_MS);
    const char *volume = clone(storage, handle_of(storage, "s"));
    storage_world_delete(storage, SNAPSHOTS, "s");
    storage_world_run(storage, 5 * MINUTE_MS);
    const struct record *snapshot = storage_world_get(storage, SNAPSHOTS, "s");
    assert_true(value_is_deleting(snapshot->value));
    assert_true(is_ready(storage, "s"));
    assert_int_equal(fsx_delete_volume(storage->fsx, volume, false), FSX_OK);
    storage_world_run(storage, 6 * MINUTE_MS);
    assert_null(storage_world_get(storage, SNAPSHOTS, "s"));
    assert_null(objects_next(apiserver_objects(storage->server), CONTENTS, NULL, NULL));
}

static void a_snapshot_that_a_claim_waits_for_is_not_deleted(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_source(storage);
    bind_source(storage);
    take_snapshot(storage);
    storage_world_run(storage, 20 * SECOND_MS);
    record_release(storage_world_make_claim(
        storage, "copy",
        ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'s'}"));
    storage_world_run(storage, SECOND_MS);
    storage_world_delete(storage, SNAPSHOTS, "s");
    storage_world_run(storage, MINUTE_MS);
    assert_non_null(storage_world_get(storage, SNAPSHOTS, "s"));
    storage_world_change(storage, PVC, "copy", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_delete(storage, PVC, "copy");
    storage_world_run(storage, MINUTE_MS);
    assert_null(storage_world_get(storage, SNAPSHOTS, "s"));
}

static void a_golden_that_was_put_there_is_left_as_it_is(void **state)
{
    struct storage_world *storage = *state;
    (void)storage_world_make_golden(storage, "7000000000000000001");
    start(storage);
    storage_world_run(storage, MINUTE_MS);
    assert_has(storage_world_get(storage, SNAPSHOTS, "golden"),
               "{'status':{'readyToUse':true,'creationTime':'2026-01-01T00:00:00Z'}}");
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(a_static_pair_is_ready_at_once),
        STORAGE_TEST(of_a_retained_pair_only_the_snapshot_goes),
        STORAGE_TEST(a_snapshot_of_a_claim_is_taken),
        STORAGE_TEST(a_snapshot_of_an_unbound_claim_waits),
        STORAGE_TEST(a_snapshot_with_clones_stays_until_they_are_gone),
        STORAGE_TEST(a_snapshot_that_a_claim_waits_for_is_not_deleted),
        STORAGE_TEST(a_golden_that_was_put_there_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
