/* SPDX-License-Identifier: Apache-2.0 */
/* The step: a second one does nothing, none writes without the lease, the last one leaves nothing
   on the wire. */
#include "operator/operator.h"

#include "base/log.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_second_step_at_the_same_time_does_nothing(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "3"), DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    for (int turn = 0; turn < 60; turn++) {
        operator_step(fixture->op, fixture->now);
        size_t running = fake_api_running(fixture->api);
        int64_t wake_at_ms = operator_wake_at(fixture->op);
        operator_step(fixture->op, fixture->now);
        assert_int_equal(fake_api_running(fixture->api), running);
        assert_int_equal(operator_wake_at(fixture->op), wake_at_ms);
        if (!fake_api_deliver(fixture->api)) {
            operator_fixture_pass(fixture, 500);
        }
    }
    assert_true(fake_api_write_count(fixture->api) > 0);
}

static void it_writes_nothing_while_another_holds_the_lease(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "3"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    for (int i = 0; i < 10; i++) { /* the other renews it */
        fake_leases_write(fake_api_leases(fixture->api),
                          "{'holderIdentity':'them','leaseDurationSeconds':15,"
                          "'renewTime':'2026-08-22T10:00:00.000000Z'}");
        operator_fixture_pass(fixture, 5000);
    }
    assert_int_equal(fake_api_write_count(fixture->api), 0);
    assert_true(operator_facts(fixture->op, fixture->now).synced);
}

/* Its own watches may be behind what the one before it wrote. */
static void what_its_predecessor_did_is_known_before_it_goes_on(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    fake_leases_write(fake_api_leases(fixture->api),
                      "{'holderIdentity':'them','leaseDurationSeconds':15,"
                      "'renewTime':'2026-08-22T10:00:00.000000Z'}");
    operator_fixture_pass(fixture, 5000);
    assert_true(operator_facts(fixture->op, fixture->now).synced);
    fake_api_hold_watches(fixture->api, true);
    operator_fixture_put(fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','labels':{"
                                  "'adjoint.dev/state':'retiring'}}}");
    operator_fixture_pass(fixture, 20000);
    assert_true(operator_facts(fixture->op, fixture->now).leading);
    const char *alice = api_table_find(fixture->table, KIND_INSTANCE, "dev", "alice");
    assert_non_null(strstr(alice, "\"phase\":\"Waiting\""));
    assert_null(strstr(fake_api_take_log(fixture->api), "PATCH /api/v1/persistentvolumes/pvc-0"));
}

/* More than fit on the wire at once. */
static void put_instances(struct operator_fixture *fixture, size_t count)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < count; i++) {
        operator_fixture_put(fixture,
                             arena_print(&arena,
                                         "{'kind':'Instance','metadata':{'name':'i%zu','namespace':"
                                         "'leases'},'spec':{'pool':{'name':'orders',"
                                         "'namespace':'pools'}}}",
                                         i));
    }
}

static void what_waits_is_not_sent_when_the_lease_is_lost(void **state)
{
    struct operator_fixture *fixture = *state;
    /* The namespace's name is in every path: that alone lets nothing through. */
    static const char *const objects[] = {
        GOLDEN, POOL("pools", "0"), "{'kind':'Namespace','metadata':{'name':'leases'}}", NULL};
    enum { COUNT = 200 };
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    size_t before = fake_api_write_count(fixture->api);
    put_instances(fixture, COUNT);
    fake_leases_write(fake_api_leases(fixture->api),
                      "{'holderIdentity':'them','leaseDurationSeconds':3600}");
    fixture->now.mono_ms += 15 * 1000; /* it is renewed now */
    for (int turn = 0; turn < 40; turn++) {
        (void)operator_fixture_turn(fixture);
    }
    assert_false(operator_facts(fixture->op, fixture->now).leading);
    assert_true(fake_api_write_count(fixture->api) > before);
    assert_true(fake_api_write_count(fixture->api) < before + COUNT);
}

#define POOL_OF_ONE(name)                                                                          \
    "{'kind':'Pool','metadata':{'name':'" name "','namespace':'pools','uid':'u-" name              \
    "','generation':1,'finalizers':['adjoint.dev/volumes']},'spec':{'golden':{"                    \
    "'snapshot':'golden','systemID':'74'},'size':1,'refill':{'maxInFlight':1},"                    \
    "'database':'shop','owner':'clerk','storage':{'storageClassName':'clone'}}}"

static void a_clone_that_came_gives_its_place_to_another_pool_at_once(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL_OF_ONE("one"), POOL_OF_ONE("other"), NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_non_null(api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", "one-0"));
    assert_null(api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", "other-0"));
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-1'},'spec':{"
                 "'storageClassName':'clone','persistentVolumeReclaimPolicy':'Delete',"
                 "'capacity':{'storage':'1Gi'},'claimRef':{'namespace':'pools','name':'one-0',"
                 "'uid':'made-1'}},'status':{'phase':'Bound'}}");
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'one-0',"
                 "'namespace':'pools'},'spec':{'volumeName':'pvc-1'},'status':{'phase':'Bound'}}");
    operator_fixture_settle(fixture);
    assert_non_null(api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", "other-0"));
}

static void it_stops_with_nothing_on_the_wire(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "3"), DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_put(fixture, ALICE);
    (void)operator_fixture_turn(fixture);
    operator_stop(fixture->op);
    operator_fixture_pass(fixture, 1000);
    assert_true(operator_stopped(fixture->op, fixture->now));
    assert_string_equal(fake_leases_spec(fake_api_leases(fixture->api), "holderIdentity"), "");
}

/* Who takes over must not find writes on their way that were begun with the lease. */
static void the_lease_is_given_back_after_the_last_answer(void **state)
{
    struct operator_fixture *fixture = *state;
    struct fake_leases *leases = fake_api_leases(fixture->api);
    static const char *const objects[] = {GOLDEN, POOL("pools", "3"), DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_PATCH, "/instances/alice", 0, "");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_pass(fixture, 10);
    operator_stop(fixture->op);
    operator_fixture_pass(fixture, 1000);
    assert_string_equal(fake_leases_spec(leases, "holderIdentity"), "us");
    fake_api_release(fixture->api);
    operator_fixture_pass(fixture, 1000);
    assert_string_equal(fake_leases_spec(leases, "holderIdentity"), "");
    assert_true(operator_stopped(fixture->op, fixture->now));
}

static void nothing_is_planned_before_all_is_listed(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "3"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_GET, "/persistentvolumeclaims?", 0, "");
    operator_fixture_pass(fixture, 5000);
    assert_true(operator_facts(fixture->op, fixture->now).leading);
    assert_false(operator_facts(fixture->op, fixture->now).synced);
    assert_int_equal(fake_api_write_count(fixture->api), 0);
    fake_api_release(fixture->api);
    operator_fixture_pass(fixture, 1000);
    assert_true(fake_api_write_count(fixture->api) > 0);
}

/* Its labels were taken off and its Pool is gone: only a claim that is known says whose it is. */
static void volumes_are_listed_when_claims_are_known(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'alice-1','namespace':'dev',"
                 "'uid':'ud','labels':{'adjoint.dev/role':'data'}},'spec':{},'status':{}}");
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-0'},'spec':{'claimRef':{"
                 "'namespace':'dev','name':'alice-1','uid':'ud'}},'status':{'phase':'Bound'}}");
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_GET, "/persistentvolumeclaims?", 0, "");
    operator_fixture_pass(fixture, 5000);
    fake_api_release(fixture->api);
    operator_fixture_pass(fixture, 1000);
    assert_non_null(store_get(operator_store(fixture->op), KIND_VOLUME, NULL, "pvc-0"));
}

/* Nothing of it was kept while its namespace was any other. */
static void a_new_pool_has_the_volumes_of_its_namespace_listed(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_lead(fixture);
    operator_fixture_put(
        fixture, "{'kind':'PersistentVolume','metadata':{'name':'pvc-9'},'spec':{'claimRef':{"
                 "'namespace':'pools','name':'other','uid':'uo'}},'status':{'phase':'Bound'}}");
    operator_fixture_pass(fixture, 1000);
    assert_null(store_get(operator_store(fixture->op), KIND_VOLUME, NULL, "pvc-9"));
    operator_fixture_put(fixture, POOL("pools", "0"));
    operator_fixture_pass(fixture, 1000);
    assert_non_null(store_get(operator_store(fixture->op), KIND_VOLUME, NULL, "pvc-9"));
}

#define DISPOSING                                                                                  \
    "{'kind':'PersistentVolume','metadata':{'name':'pvc-7','labels':{'adjoint.dev/state':"         \
    "'disposing'},'annotations':{'adjoint.dev/at':'2026-08-22T09:59:00Z'}},'spec':{"               \
    "'persistentVolumeReclaimPolicy':'Delete'},'status':{'phase':'Released'}}"

/* Nobody looks after a volume that is not destroyed: it is counted until it is. */
static void what_is_leaked_is_counted(void **state)
{
    enum { MINUTE_MS = 60 * 1000 };
    struct operator_fixture *fixture = *state;
    operator_fixture_put(fixture, DISPOSING);
    operator_fixture_lead(fixture);
    operator_fixture_pass(fixture, 10 * MINUTE_MS);
    assert_int_equal(operator_facts(fixture->op, fixture->now).volumes_leaked, 0);
    operator_fixture_pass(fixture, 10 * MINUTE_MS);
    assert_int_equal(operator_facts(fixture->op, fixture->now).volumes_leaked, 1);
    operator_fixture_put(fixture,
                         "{'kind':'PersistentVolume','metadata':{'name':'pvc-7','annotations':{"
                         "'adjoint.dev/at':'2026-08-22T10:19:00Z'}}}");
    operator_fixture_pass(fixture, 1000);
    assert_int_equal(operator_facts(fixture->op, fixture->now).volumes_leaked, 0);
    operator_fixture_pass(fixture, 20 * MINUTE_MS);
    assert_int_equal(operator_facts(fixture->op, fixture->now).volumes_leaked, 1);
    api_table_delete_any(fixture->table, KIND_VOLUME, "", "pvc-7");
    operator_fixture_pass(fixture, 1000);
    assert_int_equal(operator_facts(fixture->op, fixture->now).volumes_leaked, 0);
}

#define WITH_OPERATOR(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, operator_fixture_set_up, operator_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(a_second_step_at_the_same_time_does_nothing),
        WITH_OPERATOR(it_writes_nothing_while_another_holds_the_lease),
        WITH_OPERATOR(what_its_predecessor_did_is_known_before_it_goes_on),
        WITH_OPERATOR(what_waits_is_not_sent_when_the_lease_is_lost),
        WITH_OPERATOR(a_clone_that_came_gives_its_place_to_another_pool_at_once),
        WITH_OPERATOR(it_stops_with_nothing_on_the_wire),
        WITH_OPERATOR(the_lease_is_given_back_after_the_last_answer),
        WITH_OPERATOR(nothing_is_planned_before_all_is_listed),
        WITH_OPERATOR(volumes_are_listed_when_claims_are_known),
        WITH_OPERATOR(a_new_pool_has_the_volumes_of_its_namespace_listed),
        WITH_OPERATOR(what_is_leaked_is_counted),
    };
    return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
