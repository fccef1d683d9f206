/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object_meta.h"

#include "api/names.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void reads_every_field(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'dev42','namespace':'dev-alice','uid':'u1',"
                                   "'resourceVersion':'12345678901234567890','generation':3,"
                                   "'creationTimestamp':'2025-06-01T10:00:00Z',"
                                   "'deletionTimestamp':'2025-06-01T10:00:01Z',"
                                   "'finalizers':['a','b'],"
                                   "'ownerReferences':[{'kind':'Cluster','name':'c','uid':'u2',"
                                   "'controller':true},{'kind':'Job','name':'j','uid':'u3'}]}}");
    const struct object_meta *meta = &object->meta;
    assert_string_equal(meta->key, "dev-alice/dev42");
    assert_string_equal(meta->name, "dev42");
    assert_string_equal(meta->namespace, "dev-alice");
    assert_string_equal(meta->uid, "u1");
    assert_string_equal(meta->resource_version, "12345678901234567890");
    assert_int_equal(meta->generation, 3);
    assert_int_equal(meta->created_ms, 1748772000000);
    assert_int_equal(meta->deleting_ms, 1748772001000);
    assert_int_equal(meta->finalizer_count, 2);
    assert_string_equal(meta->finalizers[1], "b");
    assert_int_equal(meta->owner_count, 2);
    assert_string_equal(meta->owners[0].kind, "Cluster");
    assert_string_equal(meta->owners[0].name, "c");
    assert_string_equal(meta->owners[0].uid, "u2");
    assert_true(meta->owners[0].controller);
    assert_false(meta->owners[1].controller);
}

static void absent_is_empty(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_VOLUME, "{'metadata':{'name':'a','labels':null,'finalizers':[]}}");
    const struct object_meta *meta = &object->meta;
    assert_string_equal(meta->key, "/a");
    assert_string_equal(meta->namespace, "");
    assert_string_equal(meta->uid, "");
    assert_string_equal(meta->resource_version, "");
    assert_int_equal(meta->deleting_ms, 0);
    assert_int_equal(meta->label_count + meta->annotation_count, 0);
    assert_int_equal(meta->finalizer_count + meta->owner_count, 0);
}

static void a_name_is_required(void **state)
{
    (void)state;
    assert_object_refused(KIND_VOLUME, "{'metadata':{'uid':'u'}}", "metadata.name is missing");
    assert_object_refused(KIND_VOLUME, "{}", "metadata.name is missing");
}

static void only_labels_with_known_keys_are_kept(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_VOLUME_CLAIM, "{'metadata':{'name':'a','labels':{"
                                       "'app':'web','adjoint.dev/role':'data',"
                                       "'cnpg.io/cluster':'c','cnpg.io/other':'o',"
                                       "'adjoint.dev/of-a-newer-version':'v'}}}");
    assert_int_equal(object->meta.label_count, 3);
    assert_string_equal(object_label(object, LABEL_ROLE), ROLE_DATA);
    assert_string_equal(object_label(object, CNPG_LABEL_CLUSTER), "c");
    assert_string_equal(object_label(object, "adjoint.dev/of-a-newer-version"), "v");
}

static void only_annotations_with_known_keys_are_kept(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_SNAPSHOT, "{'metadata':{'name':'a','annotations':{"
                                   "'kubectl.kubernetes.io/last-applied-configuration':'long',"
                                   "'cnpg.io/clusterManifest':'{}','cnpg.io/pgControldata':'x',"
                                   "'adjoint.dev/adopt':'','cnpg.io/nodeSerial':'1'}}}");
    assert_int_equal(object->meta.annotation_count, 2);
    assert_string_equal(object_annotation(object, ANNOTATION_ADOPT), "");
    assert_string_equal(object_annotation(object, CNPG_ANNOTATION_NODE_SERIAL), "1");
}

static void what_a_pool_selects_keeps_all_its_labels(void **state)
{
    (void)state;
    static const enum object_kind kinds[] = {KIND_NAMESPACE, KIND_SNAPSHOT};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        cleanup_object struct object *object =
            object_from(kinds[i], "{'metadata':{'name':'dev','labels':{'team':'red',"
                                  "'kubernetes.io/metadata.name':'dev'},"
                                  "'annotations':{'note':'n'}}}");
        assert_int_equal(object->meta.label_count, 2);
        assert_string_equal(object_label(object, "team"), "red");
        assert_string_equal(object_label(object, "kubernetes.io/metadata.name"), "dev");
        assert_int_equal(object->meta.annotation_count, 0);
    }
}

static void wrong_types_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } rows[] = {
        {"{'metadata':'a'}", "metadata is no object"},
        {"{'metadata':{'name':true}}", "name is no string"},
        {"{'metadata':{'name':'a','labels':['b']}}", "labels is no object"},
        {"{'metadata':{'name':'a','labels':{'adjoint.dev/role':1}}}",
         "adjoint.dev/role is no string"},
        {"{'metadata':{'name':'a','finalizers':'b'}}", "finalizers is no array"},
        {"{'metadata':{'name':'a','finalizers':[1]}}", "finalizers has an element"},
        {"{'metadata':{'name':'a','ownerReferences':{}}}", "ownerReferences is no array"},
        {"{'metadata':{'name':'a','creationTimestamp':'yesterday'}}", "creationTimestamp"},
        {"{'metadata':{'name':'a','deletionTimestamp':5}}", "deletionTimestamp is no string"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_object_refused(KIND_VOLUME, rows[i].json, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_field),
        cmocka_unit_test(absent_is_empty),
        cmocka_unit_test(a_name_is_required),
        cmocka_unit_test(only_labels_with_known_keys_are_kept),
        cmocka_unit_test(only_annotations_with_known_keys_are_kept),
        cmocka_unit_test(what_a_pool_selects_keeps_all_its_labels),
        cmocka_unit_test(wrong_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
