/* SPDX-License-Identifier: Apache-2.0 */
/* What comes back: refusals, lost replies, replies that overtake the watch or come too late. */
#include "operator/operator.h"

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

/* ---- outcomes ---- */

static void an_unknown_outcome_is_read_first(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_LOSE, METHOD_POST, "/persistentvolumeclaims", 0, "");
    fake_api_hold_watches(fixture->api, false);
    operator_fixture_put(fixture, POOL("pools", "1"));
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(said_times(log, "POST /api/v1/namespaces/pools/persistentvolumeclaims\n"), 1);
    assert_int_equal(
        said_times(log, "GET /api/v1/namespaces/pools/persistentvolumeclaims/orders-0\n"), 1);
}

static void a_commit_whose_reply_was_lost_is_found_done(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    (void)fake_api_take_log(fixture->api);
    fake_api_fault(fixture->api, FAKE_LOSE, METHOD_PATCH, "/persistentvolumes/pvc-0", 0, "");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(said_times(log, "PATCH /api/v1/persistentvolumes/pvc-0\n"), 1);
    assert_int_equal(said_times(log, "GET /api/v1/persistentvolumes/pvc-0\n"), 1);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
}

static void a_conflict_is_read_and_planned_again(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    (void)fake_api_take_log(fixture->api);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_PATCH, "/instances/alice/status", 409,
                   "Conflict");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(
        said_times(log, "GET /apis/adjoint.dev/v1alpha1/namespaces/dev/instances/alice\n"), 1);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
}

static void what_was_refused_waits_for_its_back_off(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, "/persistentvolumeclaims", 403,
                   "Forbidden");
    operator_fixture_put(fixture, POOL("pools", "1"));
    operator_fixture_settle(fixture);
    assert_null(api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", "orders-0"));
    assert_true(
        operator_fixture_has(fixture, KIND_POOL, "pools", "orders", "\"reason\":\"Forbidden\""));
    operator_fixture_pass(fixture, 10000);
    assert_non_null(api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", "orders-0"));
    assert_true(
        operator_fixture_has(fixture, KIND_POOL, "pools", "orders", "\"reason\":\"Refilling\""));
}

/* ---- replies and the watch ---- */

static void a_deletion_is_asked_for_once(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_put(fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','labels':{"
                                  "'adjoint.dev/state':'retiring'}}}");
    operator_fixture_lead(fixture);
    (void)fake_api_take_log(fixture->api);
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-9',"
                 "'namespace':'pools','uid':'u9','finalizers':['kubernetes.io/pvc-protection'],"
                 "'labels':{'adjoint.dev/role':'holding','adjoint.dev/pool':'orders',"
                 "'adjoint.dev/pool-uid':'up'}},'spec':{'volumeName':'gone'},"
                 "'status':{'phase':'Lost'}}");
    (void)operator_fixture_turn(fixture); /* the watch tells of it, and of nothing after it */
    fake_api_hold_watches(fixture->api, true);
    operator_fixture_settle(fixture);
    assert_int_equal(said_times(fake_api_take_log(fixture->api), "DELETE "), 1);
}

static void labels_are_taken_off_once(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_put(fixture,
                         "{'kind':'Instance','metadata':{'name':'alice','namespace':'dev'},"
                         "'spec':{'deletionPolicy':'Retain'}}");
    operator_fixture_lead(fixture);
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'alice-1',"
                 "'namespace':'dev'},'spec':{'volumeName':'pvc-0'},'status':{'phase':'Bound'}}");
    operator_fixture_settle(fixture);
    assert_true(operator_fixture_has(fixture, KIND_CLUSTER, "dev", "alice", "adjoint.dev/role"));
    (void)fake_api_take_log(fixture->api);
    api_table_delete_any(fixture->table, KIND_INSTANCE, "dev", "alice");
    (void)fake_api_deliver(fixture->api);
    fake_api_hold_watches(fixture->api, true);
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(said_times(log, "PATCH /apis/postgresql.cnpg.io/v1/namespaces/dev/clusters/"),
                     1);
    assert_int_equal(said_times(log, "PATCH /api/v1/namespaces/dev/persistentvolumeclaims/alice-1"),
                     1);
    assert_null(api_table_find(fixture->table, KIND_INSTANCE, "dev", "alice"));
    assert_false(operator_fixture_has(fixture, KIND_CLUSTER, "dev", "alice", "adjoint.dev/role"));
    assert_false(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0", "adjoint.dev/state"));
}

static void labels_that_a_person_took_off_come_back(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
    operator_fixture_put(fixture,
                         "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','labels':null}}");
    operator_fixture_settle(fixture);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/state\":\"claimed\""));
}

static void a_late_404_does_not_hide_the_next_of_that_name(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_GET, "/instances/alice", 0, "");
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-9','labels':{"
                 "'adjoint.dev/state':'claimed','adjoint.dev/instance':'alice',"
                 "'adjoint.dev/instance-namespace':'dev','adjoint.dev/instance-uid':'u-old'}},"
                 "'spec':{'persistentVolumeReclaimPolicy':'Retain'},"
                 "'status':{'phase':'Released'}}");
    operator_fixture_settle(fixture);
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    fake_api_release(fixture->api);
    operator_fixture_settle(fixture);
    const struct store *store = operator_store(fixture->op);
    assert_non_null(store_get(store, KIND_INSTANCE, "dev", "alice"));
    /* and for the volume it meant what it said */
    assert_false(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-9", "adjoint.dev/state"));
}

static void a_volume_stripped_of_everything_is_asked_for_once(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_put(
        fixture, "{'kind':'Instance','metadata':{'name':'alice','namespace':'dev'},'status':{"
                 "'phase':'Ready','volume':{'name':'pvc-0','handle':'h','holdingClaimUID':'uh'},"
                 "'timings':{'readyAt':'2026-08-22T09:00:00Z'}}}");
    operator_fixture_put(fixture,
                         "{'kind':'PersistentVolume','metadata':{'name':'pvc-0'},'status':{"
                         "'phase':'Released'}}");
    operator_fixture_lead(fixture);
    operator_fixture_pass(fixture, 600 * 1000);
    assert_int_equal(
        said_times(fake_api_take_log(fixture->api), "GET /api/v1/persistentvolumes/pvc-0\n"), 1);
    assert_true(operator_fixture_has(fixture, KIND_INSTANCE, "dev", "alice", "VolumeEdited"));
    /* its labels come back: so does the Instance */
    operator_fixture_put(fixture,
                         "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','labels':{"
                         "'adjoint.dev/state':'claimed','adjoint.dev/instance-uid':'ua'}}}");
    operator_fixture_settle(fixture);
    assert_true(operator_fixture_has(fixture, KIND_INSTANCE, "dev", "alice", "ClaimDeleted"));
}

static void a_clone_on_its_way_to_one_is_not_given_to_another(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_PATCH, "/instances/alice/status", 0, "");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_put(fixture,
                         "{'kind':'Instance','metadata':{'name':'bob','namespace':'dev','uid':'ub',"
                         "'generation':1,'finalizers':['adjoint.dev/volumes']},'spec':{'pool':{"
                         "'name':'orders','namespace':'pools'}}}");
    (void)fake_api_deliver(fixture->api);
    fake_api_hold_watches(fixture->api, true); /* nobody hears of the write to her status */
    operator_fixture_settle(fixture);
    assert_true(operator_fixture_has(fixture, KIND_INSTANCE, "dev", "alice", "\"name\":\"pvc-0\""));
    assert_false(operator_fixture_has(fixture, KIND_INSTANCE, "dev", "bob", "\"name\":\"pvc-0\""));
    assert_true(
        operator_fixture_has(fixture, KIND_INSTANCE, "dev", "bob", "\"phase\":\"Waiting\""));
    fake_api_hold_watches(fixture->api, false);
    fake_api_release(fixture->api);
    operator_fixture_settle(fixture);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
}

static void an_instance_removed_by_force_wakes_the_sweep(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    assert_true(operator_fixture_has(fixture, KIND_VOLUME, "", "pvc-0",
                                     "\"adjoint.dev/instance-uid\":\"ua\""));
    (void)fake_api_take_log(fixture->api);
    operator_fixture_put(fixture, "{'kind':'Instance','metadata':{'name':'alice','namespace':'dev',"
                                  "'finalizers':null}}");
    api_table_delete_any(fixture->table, KIND_INSTANCE, "dev", "alice");
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(
        said_times(log, "GET /apis/adjoint.dev/v1alpha1/namespaces/dev/instances/alice\n") > 0,
        true);
    assert_int_equal(
        said_times(log, "DELETE /api/v1/namespaces/dev/persistentvolumeclaims/alice-1\n"), 1);
}

#define WITH_OPERATOR(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, operator_fixture_set_up, operator_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(an_unknown_outcome_is_read_first),
        WITH_OPERATOR(a_commit_whose_reply_was_lost_is_found_done),
        WITH_OPERATOR(a_conflict_is_read_and_planned_again),
        WITH_OPERATOR(what_was_refused_waits_for_its_back_off),
        WITH_OPERATOR(a_deletion_is_asked_for_once),
        WITH_OPERATOR(labels_are_taken_off_once),
        WITH_OPERATOR(labels_that_a_person_took_off_come_back),
        WITH_OPERATOR(a_late_404_does_not_hide_the_next_of_that_name),
        WITH_OPERATOR(a_volume_stripped_of_everything_is_asked_for_once),
        WITH_OPERATOR(a_clone_on_its_way_to_one_is_not_given_to_another),
        WITH_OPERATOR(an_instance_removed_by_force_wakes_the_sweep),
    };
    return cmocka_run_group_tests_name("execute", tests, NULL, NULL);
}
