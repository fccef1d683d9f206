/* SPDX-License-Identifier: Apache-2.0 */
#include "api/volume.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void reads_a_bound_volume(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_VOLUME, "{'metadata':{'name':'pv-1','labels':{'adjoint.dev/state':'warm'}},"
                     "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOncePod'],"
                     "'persistentVolumeReclaimPolicy':'Retain','storageClassName':'fsx-clone',"
                     "'claimRef':{'namespace':'adjoint-pools','name':'orders-0','uid':'c1'},"
                     "'csi':{'driver':'fsx.openzfs.csi.aws.com','volumeHandle':'fsvol-1'}},"
                     "'status':{'phase':'Bound'}}");
    const struct volume *volume = object->volume;
    assert_int_equal(volume->phase, VOLUME_BOUND);
    assert_int_equal(volume->policy, RECLAIM_RETAIN);
    assert_int_equal(volume->state, VOLUME_STATE_WARM);
    assert_string_equal(volume->storage_class, "fsx-clone");
    assert_string_equal(volume->capacity, "1Gi");
    assert_string_equal(volume->claim_namespace, "adjoint-pools");
    assert_string_equal(volume->claim_name, "orders-0");
    assert_string_equal(volume->claim_uid, "c1");
    assert_string_equal(volume->driver, "fsx.openzfs.csi.aws.com");
    assert_string_equal(volume->handle, "fsvol-1");
    assert_int_equal(volume->access_mode_count, 1);
    assert_string_equal(volume->access_modes[0], "ReadWriteOncePod");
}

static void reads_a_foreign_volume(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_VOLUME, "{'metadata':{'name':'pv-1'},'spec':{'hostPath':{'path':'/data'},"
                     "'persistentVolumeReclaimPolicy':'Recycle','claimRef':{'name':'a'}}}");
    const struct volume *volume = object->volume;
    assert_int_equal(volume->phase, VOLUME_PENDING);
    assert_int_equal(volume->policy, RECLAIM_OTHER);
    assert_int_equal(volume->state, VOLUME_STATE_NONE);
    assert_string_equal(volume->storage_class, "");
    assert_string_equal(volume->claim_name, "a");
    assert_null(volume->claim_uid);
    assert_null(volume->driver);
    assert_null(volume->handle);
}

static void states_are_read_from_the_label(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        enum volume_state state;
    } rows[] = {
        {"warm", VOLUME_STATE_WARM},         {"claimed", VOLUME_STATE_CLAIMED},
        {"retiring", VOLUME_STATE_RETIRING}, {"disposing", VOLUME_STATE_DISPOSING},
        {"Warm", VOLUME_STATE_STRANGE},      {"", VOLUME_STATE_STRANGE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_text struct text json;
        text_init(&json, 1000);
        text_print(&json, "{'metadata':{'name':'a','labels':{'adjoint.dev/state':'%s'}}}",
                   rows[i].label);
        cleanup_object struct object *object = object_from(KIND_VOLUME, json.bytes);
        assert_int_equal(object->volume->state, rows[i].state);
    }
}

static void every_phase_is_read_by_its_name(void **state)
{
    (void)state;
    for (enum volume_phase phase = VOLUME_PENDING; phase <= VOLUME_FAILED; phase++) {
        cleanup_text struct text json;
        text_init(&json, 1000);
        text_print(&json, "{'metadata':{'name':'a'},'status':{'phase':'%s'}}",
                   volume_phase_name(phase));
        cleanup_object struct object *object = object_from(KIND_VOLUME, json.bytes);
        assert_int_equal(object->volume->phase, phase);
    }
    assert_string_equal(volume_phase_name(VOLUME_RELEASED), "Released");
}

static void reads_a_claim(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_VOLUME_CLAIM,
        "{'metadata':{'name':'orders-0'},'spec':{'volumeName':'pv-1',"
        "'storageClassName':'fsx-clone','dataSource':{'apiGroup':'snapshot.storage.k8s.io',"
        "'kind':'VolumeSnapshot','name':'golden-1'}},'status':{'phase':'Bound'}}");
    const struct volume_claim *claim = object->volume_claim;
    assert_int_equal(claim->phase, CLAIM_BOUND);
    assert_string_equal(claim->volume, "pv-1");
    assert_string_equal(claim->storage_class, "fsx-clone");
    assert_string_equal(claim->source_kind, "VolumeSnapshot");
    assert_string_equal(claim->source_name, "golden-1");
}

static void a_new_claim_is_pending_without_volume(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_VOLUME_CLAIM, "{'metadata':{'name':'a'},'spec':{}}");
    assert_int_equal(object->volume_claim->phase, CLAIM_PENDING);
    assert_null(object->volume_claim->volume);
    assert_null(object->volume_claim->source_name);
    cleanup_object struct object *lost =
        object_from(KIND_VOLUME_CLAIM, "{'metadata':{'name':'a'},'status':{'phase':'Lost'}}");
    assert_int_equal(lost->volume_claim->phase, CLAIM_LOST);
}

static void reads_a_class_for_clones(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_STORAGE_CLASS, "{'metadata':{'name':'fsx-clone'},"
                            "'provisioner':'fsx.openzfs.csi.aws.com','reclaimPolicy':'Delete',"
                            "'volumeBindingMode':'Immediate','parameters':{"
                            "'ResourceType':'volume','OriginSnapshot':'{}'}}");
    const struct storage_class *class = object->storage_class;
    assert_string_equal(class->provisioner, "fsx.openzfs.csi.aws.com");
    assert_int_equal(class->policy, RECLAIM_DELETE);
    assert_false(class->waits_for_consumer);
    assert_true(class->origin_snapshot);
    assert_false(class->options_on_deletion);
    assert_string_equal(class->resource_type, "volume");
}

static void sees_the_parameter_that_takes_clones_along(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_STORAGE_CLASS, "{'metadata':{'name':'a'},'parameters':{"
                            "'OptionsOnDeletion':'[\\'DELETE_CHILD_VOLUMES_AND_SNAPSHOTS\\']'}}");
    assert_true(object->storage_class->options_on_deletion);
    assert_false(object->storage_class->origin_snapshot);
}

static void reads_the_inert_class(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_STORAGE_CLASS, "{'metadata':{'name':'adjoint-handoff'},"
                            "'provisioner':'kubernetes.io/no-provisioner',"
                            "'reclaimPolicy':'Retain','volumeBindingMode':'WaitForFirstConsumer'}");
    assert_true(object->storage_class->waits_for_consumer);
    assert_int_equal(object->storage_class->policy, RECLAIM_RETAIN);
    assert_null(object->storage_class->resource_type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_bound_volume),
        cmocka_unit_test(reads_a_foreign_volume),
        cmocka_unit_test(states_are_read_from_the_label),
        cmocka_unit_test(every_phase_is_read_by_its_name),
        cmocka_unit_test(reads_a_claim),
        cmocka_unit_test(a_new_claim_is_pending_without_volume),
        cmocka_unit_test(reads_a_class_for_clones),
        cmocka_unit_test(sees_the_parameter_that_takes_clones_along),
        cmocka_unit_test(reads_the_inert_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
