/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object.h"

#include "api/instance.h"
#include "api/volume.h"
#include "base/memory.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A claimed PersistentVolume as the API server gives it, without managedFields. */
static const char CLAIMED_VOLUME[] =
    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{"
    "'name':'pvc-2f0c7a52-61a4-4c0e-8d21-6f3f7d0a9c11',"
    "'uid':'9b1d6f0e-34c5-4d7b-a3f5-2f7d0a6f5a01','resourceVersion':'184467','generation':1,"
    "'creationTimestamp':'2025-06-01T10:00:00Z',"
    "'labels':{'adjoint.dev/state':'claimed',"
    "'adjoint.dev/pool-uid':'0a5f7a32-95d4-4f43-9c4b-0f7ab6a2c0de','adjoint.dev/pool':'orders',"
    "'adjoint.dev/pool-namespace':'adjoint-pools',"
    "'adjoint.dev/instance-uid':'77c1a1f4-0c6b-4f8a-9d52-b3f2f7a1e9d3',"
    "'adjoint.dev/instance':'dev42','adjoint.dev/instance-namespace':'dev-alice'},"
    "'annotations':{'pv.kubernetes.io/provisioned-by':'fsx.openzfs.csi.aws.com',"
    "'volume.kubernetes.io/provisioner-deletion-secret-name':'',"
    "'volume.kubernetes.io/provisioner-deletion-secret-namespace':'',"
    "'adjoint.dev/golden':'golden-1748772000',"
    "'adjoint.dev/golden-uid':'5d8f5d9c-2c0b-4a0e-8f3e-8a1d0c5b7e42',"
    "'adjoint.dev/system-id':'7423456789012345678','adjoint.dev/database':'app',"
    "'adjoint.dev/owner':'app','adjoint.dev/deletion-policy':'Delete',"
    "'adjoint.dev/data-claim-uid':'c3b9f2c0-7a54-4c1f-b1a6-5e0d4f8a2b10',"
    "'adjoint.dev/holding-claim-uid':'2f0c7a52-61a4-4c0e-8d21-6f3f7d0a9c11',"
    "'adjoint.dev/at':'2025-06-01T10:05:00.123Z'},"
    "'finalizers':['kubernetes.io/pv-protection']},"
    "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOncePod'],"
    "'persistentVolumeReclaimPolicy':'Retain','storageClassName':'fsx-clone',"
    "'claimRef':{'kind':'PersistentVolumeClaim','namespace':'dev-alice','name':'dev42-1',"
    "'uid':'c3b9f2c0-7a54-4c1f-b1a6-5e0d4f8a2b10','apiVersion':'v1'},"
    "'csi':{'driver':'fsx.openzfs.csi.aws.com','volumeHandle':'fsvol-0123456789abcdef0',"
    "'volumeAttributes':{'DNSName':'fs-01.fsx.eu-central-1.amazonaws.com'}}},"
    "'status':{'phase':'Bound'}}";

static void one_object_is_one_allocation_of_its_size(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(KIND_VOLUME, CLAIMED_VOLUME);
    assert_string_equal(object->volume->claim_name, "dev42-1");
    /* Past the end of what is used begins a second block, and with that the first was full. */
    size_t used_bytes = object->arena.used_bytes;
    const void *first_block = object->arena.blocks;
    (void)arena_new(&object->arena, 1, 1);
    assert_ptr_not_equal(object->arena.blocks, first_block);
    assert_true(used_bytes < 1500);
}

static void an_object_too_large_for_the_first_try_is_whole(void **state)
{
    (void)state;
    enum { FINALIZER_BYTES = 100 * 1000 };
    cleanup_memory char *finalizer = memory_new(FINALIZER_BYTES + 1, 1);
    memset(finalizer, 'f', FINALIZER_BYTES);
    cleanup_text struct text json;
    text_init(&json, FINALIZER_BYTES + 1000);
    text_print(&json, "{'metadata':{'name':'a','finalizers':['%s','last']}}", finalizer);
    cleanup_object struct object *object = object_from(KIND_VOLUME, json.bytes);
    assert_true(object_has_finalizer(object, finalizer));
    assert_true(object_has_finalizer(object, "last"));
}

static void a_wrong_type_names_kind_object_and_field(void **state)
{
    (void)state;
    assert_object_refused(KIND_INSTANCE,
                          "{'metadata':{'name':'dev42','namespace':'dev'},'spec':"
                          "{'pool':{'name':7}}}",
                          "dev/dev42: Instance: name is no string");
}

static void text_that_is_no_json_is_refused(void **state)
{
    (void)state;
    struct object *object = NULL;
    struct error error;
    assert_false(object_decode(KIND_POOL, "{\"a\":", 5, NULL, &object, &error));
    assert_null(object);
    assert_int_equal(error.class, ERROR_INVALID);
    assert_non_null(strstr(error.message, "Pool: "));
}

static void what_is_no_object_is_refused(void **state)
{
    (void)state;
    struct object *object = NULL;
    struct error error;
    assert_false(object_decode(KIND_POOL, "[1]", 3, NULL, &object, &error));
    assert_null(object);
    assert_non_null(strstr(error.message, "metadata"));
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    object_free(NULL);
    struct object *object = NULL;
    object_cleanup(&object);
}

static void labels_and_annotations_are_found_by_key(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(KIND_VOLUME, CLAIMED_VOLUME);
    assert_string_equal(object_label(object, "adjoint.dev/pool"), "orders");
    assert_null(object_label(object, "adjoint.dev/golden"));
    assert_string_equal(object_annotation(object, "adjoint.dev/golden"), "golden-1748772000");
    assert_null(object_annotation(object, "adjoint.dev/pool"));
    assert_true(object_has_finalizer(object, "kubernetes.io/pv-protection"));
    assert_false(object_has_finalizer(object, "kubernetes.io/pv"));
}

static int compare(const char *one_json, const char *other_json)
{
    cleanup_object struct object *one = object_from(KIND_INSTANCE, one_json);
    cleanup_object struct object *other = object_from(KIND_INSTANCE, other_json);
    assert_int_equal(object_compare_age(one, one), 0);
    int order = object_compare_age(one, other);
    assert_int_equal(object_compare_age(other, one) < 0, order > 0);
    return order;
}

static void age_orders_by_creation_then_uid(void **state)
{
    (void)state;
    const char *early_b = "{'metadata':{'name':'x','uid':'b',"
                          "'creationTimestamp':'2025-06-01T10:00:00Z'}}";
    const char *early_c = "{'metadata':{'name':'w','uid':'c',"
                          "'creationTimestamp':'2025-06-01T10:00:00Z'}}";
    const char *late_a = "{'metadata':{'name':'v','uid':'a',"
                         "'creationTimestamp':'2025-06-01T10:00:01Z'}}";
    assert_true(compare(early_b, early_c) < 0);
    assert_true(compare(early_c, late_a) < 0);
    assert_true(compare(late_a, early_b) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_object_is_one_allocation_of_its_size),
        cmocka_unit_test(an_object_too_large_for_the_first_try_is_whole),
        cmocka_unit_test(a_wrong_type_names_kind_object_and_field),
        cmocka_unit_test(text_that_is_no_json_is_refused),
        cmocka_unit_test(what_is_no_object_is_refused),
        cmocka_unit_test(freeing_nothing_is_fine),
        cmocka_unit_test(labels_and_annotations_are_found_by_key),
        cmocka_unit_test(age_orders_by_creation_then_uid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
