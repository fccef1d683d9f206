/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/provisioner.h"

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
#define PV (&resource_persistent_volumes)
#define FINALIZER "external-provisioner.volume.kubernetes.io/finalizer"
#define SYSTEM_ID "7000000000000000001"

static void start(struct storage_world *storage)
{
    storage->provisioner =
        provisioner_new(storage->server, storage->driver, &storage->pace, PROVISIONER_5);
}

static void start_all(struct storage_world *storage)
{
    storage->binder = binder_new(storage->server, &storage->pace, &storage->misfortune);
    storage->protection = protection_new(storage->server, &storage->pace);
    start(storage);
}

static void restart(struct storage_world *storage)
{
    provisioner_free(storage->provisioner);
    start(storage);
}

/* A claim that the binder has marked for the driver, without a binder. */
static struct record *make_marked_claim(struct storage_world *storage, const char *name,
                                        const char *more)
{
    struct record *claim = storage_world_make_claim(storage, name, more);
    storage_world_change(storage, PVC, name,
                         draft("{'metadata':{'annotations':{"
                               "'volume.kubernetes.io/storage-provisioner':'$1'}}}",
                               FSX_DRIVER_NAME, NULL));
    return claim;
}

static const struct record *volume_of(struct storage_world *storage, const struct record *claim)
{
    char name[128];
    (void)snprintf(name, sizeof(name), "pvc-%s", claim->uid);
    return storage_world_get(storage, PV, name);
}

static uint64_t creates(const struct storage_world *storage)
{
    return fsx_counts(storage->fsx).creates;
}

static void a_claim_gets_its_volume(void **state)
{
    struct storage_world *storage = *state;
    start_all(storage);
    struct record *claim = storage_world_make_claim(storage, "c", "");
    storage_world_run(storage, 90 * SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "c"), "Bound");
    assert_string_equal(value_text(volume_of(storage, claim)->value, "status", "phase", NULL),
                        "Bound");
    assert_int_equal(creates(storage), 1);
    int writes = storage->writes;
    storage_world_run(storage, 10 * MINUTE_MS);
    assert_int_equal(storage->writes, writes);
    record_release(claim);
}

static void the_volume_has_these_fields(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *claim = make_marked_claim(storage, "c", "");
    storage_world_run(storage, 90 * SECOND_MS);
    const struct record *volume = volume_of(storage, claim);
    assert_has(volume,
               "{'metadata':{'labels':null,'annotations':{"
               "'pv.kubernetes.io/provisioned-by':'fsx.openzfs.csi.aws.com',"
               "'volume.kubernetes.io/provisioner-deletion-secret-name':'',"
               "'volume.kubernetes.io/provisioner-deletion-secret-namespace':'',"
               "'pv.kubernetes.io/bound-by-controller':null}},"
               "'spec':{'accessModes':['ReadWriteOncePod'],'capacity':{'storage':'1Gi'},"
               "'storageClassName':'clones','persistentVolumeReclaimPolicy':'Delete',"
               "'volumeMode':'Filesystem','mountOptions':['nfsvers=4.1'],"
               "'csi':{'driver':'fsx.openzfs.csi.aws.com','fsType':null,"
               "'volumeAttributes':{'ResourceType':'volume'}},"
               "'claimRef':{'apiVersion':'v1','kind':'PersistentVolumeClaim','namespace':'dev',"
               "'name':'c'}}}");
    assert_true(value_equal_text(volume->value, claim->uid, "spec", "claimRef", "uid", NULL));
    const cJSON *csi = value_at(volume->value, "spec", "csi", NULL);
    assert_true(text_starts_with(value_text(csi, "volumeHandle", NULL), "fsvol-"));
    const cJSON *attributes = value_at(csi, "volumeAttributes", NULL);
    assert_true(value_equal_text(
        attributes, fsx_dns_name(storage->fsx, fsx_root_volume(storage->fsx)), "DNSName", NULL));
    assert_true(text_starts_with(value_text(attributes, "VolumePath", NULL), "fsx/pvc-"));
    assert_true(
        text_ends_with(value_text(attributes, "storage.kubernetes.io/csiProvisionerIdentity", NULL),
                       "-fsx.openzfs.csi.aws.com"));
    assert_true(value_has_finalizer(volume->value, FINALIZER));
    assert_true(value_has_finalizer(volume->value, "kubernetes.io/pv-protection"));
    record_release(claim);
}

static void it_leaves_alone_what_is_not_its(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make_claim(storage, "unmarked", ""));
    record_release(make_marked_claim(storage, "on-a-volume", ",'volumeName':'v'"));
    record_release(make_marked_claim(
        storage, "populated", ",'dataSource':{'apiGroup':'x.y','kind':'Backup','name':'b'}"));
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(creates(storage), 0);
}

#define SNAPSHOT_SOURCE                                                                            \
    ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'golden'}"

static void make_clones_of_snapshots(struct storage_world *storage)
{
    storage_world_change(storage, &resource_storage_classes, "clones",
                         draft("{'mountOptions':[]}", NULL));
    storage_world_delete(storage, &resource_storage_classes, "clones");
    record_release(storage_world_make(
        storage, &resource_storage_classes,
        draft("{'metadata':{'name':'clones'},'provisioner':'$1','reclaimPolicy':'Delete',"
              "'parameters':{'ResourceType':'volume','ParentVolumeId':'\\\"$2\\\"',"
              "'OriginSnapshot':'{\\\"CopyStrategy\\\": \\\"CLONE\\\"}'}}",
              FSX_DRIVER_NAME, fsx_root_volume(storage->fsx), NULL)));
}

static void a_claim_of_a_snapshot_gets_a_clone(void **state)
{
    struct storage_world *storage = *state;
    make_clones_of_snapshots(storage);
    (void)storage_world_make_golden(storage, SYSTEM_ID);
    start(storage);
    struct record *claim = make_marked_claim(storage, "c", SNAPSHOT_SOURCE);
    storage_world_run(storage, 90 * SECOND_MS);
    const struct record *volume = volume_of(storage, claim);
    assert_string_equal(
        fsx_system_id(storage->fsx, value_text(volume->value, "spec", "csi", "volumeHandle", NULL)),
        SYSTEM_ID);
    record_release(claim);
}

static void it_waits_for_a_snapshot_that_is_as_it_must_be(void **state)
{
    static const struct {
        const struct resource *resource;
        const char *wrong, *right;
    } ROWS[] = {
        {&resource_volume_snapshots, "{'status':{'readyToUse':false}}",
         "{'status':{'readyToUse':true}}"},
        {&resource_volume_snapshots, "{'status':{'boundVolumeSnapshotContentName':null}}",
         "{'status':{'boundVolumeSnapshotContentName':'golden'}}"},
        {&resource_volume_snapshots, "{'status':{'restoreSize':'2Gi'}}",
         "{'status':{'restoreSize':'0'}}"},
        {&resource_volume_snapshot_contents, "{'status':{'snapshotHandle':null}}", NULL},
    };
    struct storage_world *storage = *state;
    make_clones_of_snapshots(storage);
    const char *handle = storage_world_make_golden(storage, SYSTEM_ID);
    start(storage);
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "c-%zu", i);
        storage->api->options.subresource = "status";
        storage_world_change(storage, ROWS[i].resource, "golden", draft(ROWS[i].wrong, NULL));
        storage->api->options.subresource = NULL;
        uint64_t before = creates(storage);
        record_release(make_marked_claim(storage, name, SNAPSHOT_SOURCE));
        storage_world_run(storage, 20 * SECOND_MS);
        assert_int_equal(creates(storage), before);
        storage->api->options.subresource = "status";
        storage_world_change(storage, ROWS[i].resource, "golden",
                             ROWS[i].right != NULL
                                 ? draft(ROWS[i].right, NULL)
                                 : draft("{'status':{'snapshotHandle':'$1'}}", handle, NULL));
        storage->api->options.subresource = NULL;
        storage_world_run(storage, MINUTE_MS);
        assert_int_equal(creates(storage), before + 1);
    }
}

/* Measured: the deadline at 300 s, then the same volume by its token, which the driver first
   refuses because its own call is still on. */
static void a_create_beyond_the_deadline_goes_on_behind_it(void **state)
{
    struct storage_world *storage = *state;
    storage->pace.fsx_service = (struct span){335 * SECOND_MS, 335 * SECOND_MS};
    start(storage);
    struct record *claim = make_marked_claim(storage, "c", "");
    storage_world_run(storage, 6 * MINUTE_MS);
    assert_int_equal(creates(storage), 1);
    storage_world_run(storage, 10 * MINUTE_MS);
    assert_non_null(volume_of(storage, claim));
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    record_release(claim);
}

static void a_claim_deleted_in_the_background_leaves_nothing(void **state)
{
    struct storage_world *storage = *state;
    storage->pace.fsx_service = (struct span){335 * SECOND_MS, 335 * SECOND_MS};
    start_all(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 300 * SECOND_MS + 500); /* the deadline is past, nothing else */
    storage_world_delete(storage, PVC, "c");
    storage_world_run(storage, 30 * MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 1);
    assert_null(objects_next(apiserver_objects(storage->server), PV, NULL, NULL));
}

static void a_claim_deleted_while_its_volume_is_made_leaves_nothing(void **state)
{
    struct storage_world *storage = *state;
    start_all(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 10 * SECOND_MS);
    storage_world_delete(storage, PVC, "c");
    storage_world_run(storage, 5 * MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 1);
    assert_null(objects_next(apiserver_objects(storage->server), PV, NULL, NULL));
}

/* Both leave a volume that no object tells of. */
static void a_restart_and_a_deleted_claim_leak_the_volume(void **state)
{
    struct storage_world *storage = *state;
    start_all(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 10 * SECOND_MS);
    provisioner_free(storage->provisioner);
    storage_world_delete(storage, PVC, "c");
    storage_world_run(storage, SECOND_MS);
    start(storage);
    storage_world_run(storage, 10 * MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 0);
    assert_null(objects_next(apiserver_objects(storage->server), PV, NULL, NULL));
}

static void a_failed_volume_and_a_deleted_claim_leak_it(void **state)
{
    struct storage_world *storage = *state;
    storage->misfortune.create_fails = 1000;
    start_all(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 2 * MINUTE_MS);
    storage_world_delete(storage, PVC, "c");
    storage_world_run(storage, 10 * MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 0);
}

static void a_restart_finds_the_volume_by_its_token(void **state)
{
    struct storage_world *storage = *state;
    start_all(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    for (int i = 0; i < 20; i++) {
        storage_world_run(storage, 4 * SECOND_MS);
        restart(storage);
    }
    storage_world_run(storage, 5 * MINUTE_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "c"), "Bound");
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
}

/* One try at 1, 2, 4... s, and no event makes it one more; when room comes it waits for its turn.
 */
static void a_full_file_system_is_tried_ever_more_rarely(void **state)
{
    struct storage_world *storage = *state;
    storage->pace.volumes_max = 1;
    start(storage);
    struct record *claim = make_marked_claim(storage, "c", "");
    storage_world_run(storage, 40 * SECOND_MS);
    assert_int_equal(creates(storage), 6);
    storage_world_change(storage, PVC, "c", draft("{'metadata':{'labels':{'poke':'1'}}}", NULL));
    storage->pace.volumes_max = 2;
    storage_world_run(storage, 20 * SECOND_MS);
    assert_int_equal(creates(storage), 6);
    storage_world_run(storage, 5 * SECOND_MS);
    assert_int_equal(creates(storage), 7);
    record_release(claim);
}

static void two_gibibytes_are_refused_for_ever_and_nearly_two_cost_a_volume_each(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    static const char *const SIZES[] = {"2Gi", "2047Mi"};
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        struct record *claim = storage_world_make(
            storage, PVC,
            draft("{'metadata':{'name':'c-$1','annotations':{"
                  "'volume.kubernetes.io/storage-provisioner':'$2'}},"
                  "'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'clones',"
                  "'resources':{'requests':{'storage':'$3'}}}}",
                  i == 0 ? "two" : "nearly", FSX_DRIVER_NAME, SIZES[i], NULL));
        storage_world_run(storage, 10 * MINUTE_MS);
        assert_null(volume_of(storage, claim));
        record_release(claim);
        assert_true(i == 0 ? creates(storage) == 0 : fsx_counts(storage->fsx).deleted > 1);
    }
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(a_claim_gets_its_volume),
        STORAGE_TEST(the_volume_has_these_fields),
        STORAGE_TEST(it_leaves_alone_what_is_not_its),
        STORAGE_TEST(a_claim_of_a_snapshot_gets_a_clone),
        STORAGE_TEST(it_waits_for_a_snapshot_that_is_as_it_must_be),
        STORAGE_TEST(a_create_beyond_the_deadline_goes_on_behind_it),
        STORAGE_TEST(a_claim_deleted_in_the_background_leaves_nothing),
        STORAGE_TEST(a_claim_deleted_while_its_volume_is_made_leaves_nothing),
        STORAGE_TEST(a_restart_and_a_deleted_claim_leak_the_volume),
        STORAGE_TEST(a_failed_volume_and_a_deleted_claim_leak_it),
        STORAGE_TEST(a_restart_finds_the_volume_by_its_token),
        STORAGE_TEST(a_full_file_system_is_tried_ever_more_rarely),
        STORAGE_TEST(two_gibibytes_are_refused_for_ever_and_nearly_two_cost_a_volume_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
