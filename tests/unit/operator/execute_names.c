/* SPDX-License-Identifier: Apache-2.0 */
/* A name that is taken, and one that is free by now: what the API server says of it is looked at,
   once, and believed of that object alone. */
#include "base/log.h"
#include "kube/store.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"
#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CLAIM_PATH "/api/v1/namespaces/pools/persistentvolumeclaims"
/* A holding PVC whose volume is gone: it is to be deleted. */
#define LOST(uid)                                                                                  \
    "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-9','namespace':'pools',"           \
    "'uid':'" uid "','labels':{'adjoint.dev/role':'holding','adjoint.dev/pool':'orders',"          \
    "'adjoint.dev/pool-uid':'up'}},'spec':{'volumeName':'gone'},'status':{'phase':'Lost'}}"

static void lead_with(struct operator_fixture *fixture, const char *const *objects)
{
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    (void)fake_api_take_log(fixture->api);
}

static const struct object *known_claim(const struct operator_fixture *fixture)
{
    return store_get(operator_store(fixture->op), KIND_VOLUME_CLAIM, "pools", "orders-9");
}

/* The watch is behind, and does not show the one that the operator before us made. */
static void what_exists_already_is_read_and_not_posted_again(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), NULL};
    lead_with(fixture, objects);
    operator_fixture_put(fixture, POOL("pools", "1"));
    (void)operator_fixture_turn(fixture); /* the watch tells of it, and of nothing after it */
    fake_api_hold_watches(fixture->api, true);
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0','namespace':"
                 "'pools','labels':{'adjoint.dev/role':'holding','adjoint.dev/pool':'orders',"
                 "'adjoint.dev/pool-uid':'up'}},'status':{'phase':'Pending'}}");
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(said_times(log, "POST " CLAIM_PATH "\n"), 1);
    assert_int_equal(said_times(log, "GET " CLAIM_PATH "/orders-0\n"), 1);
}

/* No watch shows it: it has no label of Adjoint's. */
static void a_slot_whose_name_others_have_is_left_for_the_next(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {
        GOLDEN, POOL("pools", "1"),
        "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0','namespace':'pools'}}",
        NULL};
    lead_with(fixture, objects);
    operator_fixture_pass(fixture, 1000);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME_CLAIM, "pools", "orders-1",
                                     "\"adjoint.dev/role\""));
    assert_false(
        operator_fixture_has(fixture, KIND_POOL, "pools", "orders", "\"reason\":\"NameTaken\""));
}

/* CloudNativePG deletes Services of its Cluster's names that nobody owns. */
static void a_service_of_the_clusters_name_costs_no_clone(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {
        GOLDEN,
        POOL("pools", "1"),
        CLONE,
        DEV,
        ALICE,
        "{'kind':'Service','metadata':{'name':'alice-rw','namespace':"
        "'dev'}}",
        NULL};
    lead_with(fixture, objects);
    operator_fixture_pass(fixture, 1000);
    assert_true(
        operator_fixture_has(fixture, KIND_INSTANCE, "dev", "alice", "\"reason\":\"NameTaken\""));
    assert_true(
        operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0", "\"adjoint.dev/state\":\"warm\""));
}

/* Between the pre-flight and the claim, and no watch shows it. */
static void a_name_that_was_free_and_is_taken_is_told(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    lead_with(fixture, objects);
    operator_fixture_put(fixture, ALICE);
    while (said_times(fake_api_take_log(fixture->api), "secrets?dryRun=All\n") == 0) {
        assert_true(operator_fixture_turn(fixture));
    }
    operator_fixture_put(
        fixture,
        "{'kind':'PersistentVolumeClaim','metadata':{'name':'alice-1','namespace':'dev'}}");
    operator_fixture_pass(fixture, 1000);
    assert_true(
        operator_fixture_has(fixture, KIND_INSTANCE, "dev", "alice", "\"reason\":\"NameTaken\""));
}

/* Somebody else deleted it, and the watch has not said so. */
static void what_is_gone_is_not_deleted_again(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), NULL};
    lead_with(fixture, objects);
    operator_fixture_put(fixture, LOST("u9"));
    (void)operator_fixture_turn(fixture);
    fake_api_hold_watches(fixture->api, true);
    api_table_delete_any(fixture->table, KIND_VOLUME_CLAIM, "pools", "orders-9");
    operator_fixture_settle(fixture);
    assert_int_equal(
        said_times(fake_api_take_log(fixture->api), "DELETE " CLAIM_PATH "/orders-9\n"), 1);
    assert_null(known_claim(fixture));
}

/* Its answer comes when another one has the name. */
static void what_is_gone_takes_no_other_of_its_name_along(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), NULL};
    lead_with(fixture, objects);
    operator_fixture_put(fixture, LOST("u9"));
    (void)operator_fixture_turn(fixture);
    fake_api_hold_watches(fixture->api, true);
    api_table_delete_any(fixture->table, KIND_VOLUME_CLAIM, "pools", "orders-9");
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_DELETE, "/orders-9", 0, "");
    operator_fixture_settle(fixture);
    operator_fixture_put(fixture, LOST("u10"));
    fake_api_hold_watches(fixture->api, false);
    operator_fixture_settle(fixture);
    assert_string_equal(known_claim(fixture)->meta.uid, "u10");
    fake_api_release(fixture->api);
    operator_step(fixture->op, fixture->now);
    assert_non_null(known_claim(fixture));
}

#define WITH_OPERATOR(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, operator_fixture_set_up, operator_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(what_exists_already_is_read_and_not_posted_again),
        WITH_OPERATOR(a_slot_whose_name_others_have_is_left_for_the_next),
        WITH_OPERATOR(a_service_of_the_clusters_name_costs_no_clone),
        WITH_OPERATOR(a_name_that_was_free_and_is_taken_is_told),
        WITH_OPERATOR(what_is_gone_is_not_deleted_again),
        WITH_OPERATOR(what_is_gone_takes_no_other_of_its_name_along),
    };
    return cmocka_run_group_tests_name("execute_names", tests, NULL, NULL);
}
