/* SPDX-License-Identifier: Apache-2.0 */
#include "api/pool.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void reads_the_whole_spec(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_POOL,
        "{'metadata':{'name':'orders','namespace':'adjoint-pools'},'spec':{"
        "'golden':{'snapshot':'golden-1','systemID':'7423456789012345678'},'size':3,"
        "'storage':{'storageClassName':'fsx-clone','size':'2Gi',"
        "'accessModes':['ReadWriteOnce','ReadWriteMany']},"
        "'refill':{'maxInFlight':2,'timeout':'1h30m'},"
        "'rotation':{'strategy':'OnClaim','minWarm':2,'maxSurge':3,'maxAge':'7d'},"
        "'allowedNamespaces':{'from':'Selector','selector':{'matchLabels':{'team':'red'}}},"
        "'cluster':{'imageName':'localhost/postgresql:15'},'credentials':{'proveLogin':true,"
        "'scrambleRoles':true},'sanitize':{'sql':'select 1'},'networkPolicy':{'egress':'Deny'},"
        "'database':'shop','owner':'clerk',"
        "'claim':{'order':'Release','bootstrap':'None'}}}");
    const struct pool *pool = object->pool;
    assert_string_equal(pool->golden_snapshot, "golden-1");
    assert_string_equal(pool->system_id, "7423456789012345678");
    assert_int_equal(pool->size, 3);
    assert_string_equal(pool->storage_class, "fsx-clone");
    assert_string_equal(pool->storage_size, "2Gi");
    assert_int_equal(pool->access_mode_count, 2);
    assert_string_equal(pool->access_modes[1], "ReadWriteMany");
    assert_int_equal(pool->in_flight_max, 2);
    assert_int_equal(pool->fill_timeout_ms, 90 * 60 * 1000);
    assert_int_equal(pool->rotation.strategy, ROTATION_ON_CLAIM);
    assert_int_equal(pool->rotation.warm_min, 2);
    assert_int_equal(pool->rotation.surge_max, 3);
    assert_int_equal(pool->rotation.age_max_ms, INT64_C(7) * 24 * 3600 * 1000);
    assert_false(pool->allow_all_namespaces);
    assert_int_equal(pool->allowed_namespaces.requirement_count, 1);
    assert_string_equal(pool->database, "shop");
    assert_string_equal(pool->owner, "clerk");
    assert_int_equal(pool->order, CLAIM_ORDER_RELEASE);
    assert_int_equal(pool->bootstrap, BOOTSTRAP_NONE);
    assert_true(pool->prove_login);
    assert_true(pool->scramble_roles);
    assert_string_equal(pool->sanitize.sql, "select 1");
    assert_null(pool->sanitize.config_map);
    assert_true(pool->egress_denied);
}

static void statements_may_be_in_a_config_map(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_POOL, "{'metadata':{'name':'orders'},'spec':{'sanitize':{'configMap':{'name':'mask',"
                   "'keys':['roles.sql','mail.sql']}}}}");
    const struct statements *statements = &object->pool->sanitize;
    assert_null(statements->sql);
    assert_string_equal(statements->config_map, "mask");
    assert_int_equal(statements->key_count, 2);
    assert_string_equal(statements->keys[1], "mail.sql");
}

static void absent_fields_have_the_schemas_defaults(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_POOL, "{'metadata':{'name':'orders'},'spec':{}}");
    const struct pool *pool = object->pool;
    assert_null(pool->system_id);
    assert_int_equal(pool->size, 1);
    assert_string_equal(pool->storage_size, "1Gi");
    assert_int_equal(pool->access_mode_count, 1);
    assert_string_equal(pool->access_modes[0], "ReadWriteOncePod");
    assert_int_equal(pool->in_flight_max, 4);
    assert_int_equal(pool->fill_timeout_ms, 20 * 60 * 1000);
    assert_int_equal(pool->rotation.strategy, ROTATION_ROLLING);
    assert_int_equal(pool->rotation.warm_min, -1);
    assert_int_equal(pool->rotation.surge_max, 1);
    assert_int_equal(pool->rotation.age_max_ms, 0);
    assert_null(pool->golden_snapshot);
    assert_null(pool->cluster);
    assert_false(pool->prove_login);
    assert_false(pool->scramble_roles);
    assert_null(pool->sanitize.sql);
    assert_null(pool->sanitize.config_map);
    assert_false(pool->egress_denied);
    assert_null(pool->database);
    assert_null(pool->owner);
    assert_int_equal(pool->order, CLAIM_ORDER_SWAP);
    assert_int_equal(pool->bootstrap, BOOTSTRAP_GUARDED);
}

static void a_size_of_zero_stays_zero(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_POOL, "{'metadata':{'name':'orders'},'spec':{'size':0}}");
    assert_int_equal(object->pool->size, 0);
}

static void the_cluster_template_keeps_its_spelling(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_POOL, "{'metadata':{'name':'orders'},'spec':{'cluster':{"
                               "'big': 9223372036854775807, 'one': 1.10, 'nul': '\\u0000'}}}");
    assert_string_equal(object->pool->cluster,
                        "{\"big\":9223372036854775807,\"one\":1.10,\"nul\":\"\\u0000\"}");
}

static void nobody_is_allowed_unless_said(void **state)
{
    (void)state;
    const struct label label = {.key = "kubernetes.io/metadata.name", .value = "dev"};
    static const char *const closed[] = {
        "{'metadata':{'name':'a'},'spec':{}}",
        "{'metadata':{'name':'a'},'spec':{'allowedNamespaces':{}}}",
        "{'metadata':{'name':'a'},'spec':{'allowedNamespaces':{'from':'Selector'}}}",
    };
    for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
        cleanup_object struct object *object = object_from(KIND_POOL, closed[i]);
        assert_false(object->pool->allow_all_namespaces);
        assert_false(selector_matches(&object->pool->allowed_namespaces, &label, 1));
    }
}

static void all_namespaces_can_be_allowed(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_POOL, "{'metadata':{'name':'a'},'spec':{'allowedNamespaces':{'from':'All'}}}");
    assert_true(object->pool->allow_all_namespaces);
}

static void reads_the_status(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_POOL, "{'metadata':{'name':'orders'},'status':{'observedGeneration':4,'warm':1,"
                   "'filling':2,'claimed':3,'waiting':4,'retiring':5,"
                   "'golden':{'name':'golden-1','uid':'u1','systemID':'7423456789012345678'},"
                   "'conditions':[{'type':'Ready','status':'True','reason':'Warm'}]}}");
    const struct pool *pool = object->pool;
    assert_int_equal(pool->observed_generation, 4);
    assert_int_equal(pool->counts.warm, 1);
    assert_int_equal(pool->counts.filling, 2);
    assert_int_equal(pool->counts.claimed, 3);
    assert_int_equal(pool->counts.waiting, 4);
    assert_int_equal(pool->counts.retiring, 5);
    assert_string_equal(pool->golden_uid, "u1");
    assert_string_equal(pool->golden_system_id, "7423456789012345678");
    assert_int_equal(conditions_find(&pool->conditions, CONDITION_READY)->status, CONDITION_TRUE);
}

static void what_is_wanted_is_what_the_status_keeps(void **state)
{
    (void)state;
    struct pool pool = {.size = 3};
    assert_int_equal(pool_wanted_size(&pool), 3);
    pool.sizing = (struct sizing_record){.is_told = true, .size = 9};
    assert_int_equal(pool_wanted_size(&pool), 9);
}

static void wrong_types_and_values_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } rows[] = {
        {"{'metadata':{'name':'a'},'spec':'b'}", "spec is no object"},
        {"{'metadata':{'name':'a'},'spec':{'size':'many'}}", "size"},
        {"{'metadata':{'name':'a'},'spec':{'golden':{'snapshot':1}}}", "snapshot is no string"},
        {"{'metadata':{'name':'a'},'spec':{'storage':[]}}", "storage is no object"},
        {"{'metadata':{'name':'a'},'spec':{'claim':{'order':'Steal'}}}", "order has a value"},
        {"{'metadata':{'name':'a'},'spec':{'claim':{'bootstrap':''}}}", "bootstrap has a value"},
        {"{'metadata':{'name':'a'},'spec':{'allowedNamespaces':{'from':'Some'}}}",
         "from has a value"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_object_refused(KIND_POOL, rows[i].json, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_whole_spec),
        cmocka_unit_test(statements_may_be_in_a_config_map),
        cmocka_unit_test(absent_fields_have_the_schemas_defaults),
        cmocka_unit_test(a_size_of_zero_stays_zero),
        cmocka_unit_test(the_cluster_template_keeps_its_spelling),
        cmocka_unit_test(nobody_is_allowed_unless_said),
        cmocka_unit_test(all_namespaces_can_be_allowed),
        cmocka_unit_test(reads_the_status),
        cmocka_unit_test(what_is_wanted_is_what_the_status_keeps),
        cmocka_unit_test(wrong_types_and_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
