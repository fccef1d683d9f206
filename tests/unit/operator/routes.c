/* SPDX-License-Identifier: Apache-2.0 */
/* What waits is woken by the event it waits for, at that moment: by no ticker, after no back-off
   that grew while nothing was wrong, and behind no queue of retries. Time stands still between the
   event and what follows from it. */
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

enum { MINUTE_MS = 60 * 1000, HOUR_MS = 60 * MINUTE_MS };

/* A clone that is being made for slot 0. */
#define FILLING                                                                                    \
    "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0','namespace':'pools',"           \
    "'uid':'uh','labels':{'adjoint.dev/role':'holding','adjoint.dev/pool':'orders',"               \
    "'adjoint.dev/pool-uid':'up'},'annotations':{'adjoint.dev/golden-uid':'ug',"                   \
    "'adjoint.dev/system-id':'74',"                                                                \
    "'adjoint.dev/database':'shop','adjoint.dev/owner':'clerk'}},'status':{'phase':'Pending'}}"

static void finish_clone(struct operator_fixture *fixture)
{
    static const char *const finished[] = {
        "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','uid':'uv'},'spec':{"
        "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'clone','capacity':{"
        "'storage':'1Gi'},'accessModes':['ReadWriteOncePod'],'claimRef':{'namespace':'pools',"
        "'name':'orders-0','uid':'uh'}},'status':{'phase':'Bound'}}",
        "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0','namespace':'pools'},"
        "'spec':{'volumeName':'pvc-0'},'status':{'phase':'Bound'}}",
        NULL};
    operator_fixture_put_all(fixture, finished);
}

static bool is_alices(const struct operator_fixture *fixture)
{
    const char *volume = api_table_find(fixture->table, KIND_VOLUME, "", "pvc-0");
    return volume != NULL && strstr(volume, "\"adjoint.dev/instance-uid\":\"ua\"") != NULL;
}

static bool is_there(const struct operator_fixture *fixture, const char *holding_claim)
{
    return api_table_find(fixture->table, KIND_VOLUME_CLAIM, "pools", holding_claim) != NULL;
}

static void who_waited_for_an_hour_is_served_when_the_clone_comes(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), FILLING, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_pass(fixture, HOUR_MS);
    finish_clone(fixture);
    operator_fixture_settle(fixture);
    assert_true(is_alices(fixture));
}

static void a_finished_clone_starts_the_next_at_once(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {
        GOLDEN, POOL("pools", "2"),
        "{'kind':'Pool','metadata':{'name':'orders','namespace':'pools'},'spec':{'refill':{"
        "'maxInFlight':1}}}",
        FILLING, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_pass(fixture, MINUTE_MS);
    assert_false(is_there(fixture, "orders-1"));
    finish_clone(fixture);
    operator_fixture_settle(fixture);
    assert_true(is_there(fixture, "orders-1"));
}

static void a_claimed_clone_is_replaced_when_its_new_claim_is_bound(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_put(fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'orders-0',"
                                  "'namespace':'pools','finalizers':null}}");
    operator_fixture_lead(fixture);
    operator_fixture_pass(fixture, 1000);
    assert_true(is_alices(fixture));
    assert_false(is_there(fixture, "orders-0"));
    operator_fixture_put(fixture, "{'kind':'PersistentVolumeClaim','metadata':{'name':'alice-1',"
                                  "'namespace':'dev'},'spec':{'volumeName':'pvc-0'},"
                                  "'status':{'phase':'Bound'}}");
    operator_fixture_settle(fixture);
    assert_true(is_there(fixture, "orders-0"));
}

static bool pool_says(const struct operator_fixture *fixture, const char *reason)
{
    const char *pool = api_table_find(fixture->table, KIND_POOL, "pools", "orders");
    return pool != NULL && strstr(pool, reason) != NULL;
}

static void a_volume_of_the_same_storage_comes_and_goes(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {
        GOLDEN, POOL("pools", "1"), CLONE,
        "{'kind':'PersistentVolume','metadata':{'name':'pvc-0'},'spec':{'csi':{'driver':"
        "'zfs.example','volumeHandle':'v0'}}}",
        NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_false(pool_says(fixture, "StorageShared"));
    operator_fixture_put(fixture, "{'kind':'PersistentVolume','metadata':{'name':'by-hand',"
                                  "'uid':'ub'},'spec':{'claimRef':{'namespace':'pools','name':'x'},"
                                  "'csi':{'driver':'zfs.example','volumeHandle':'v0'}},"
                                  "'status':{'phase':'Available'}}");
    operator_fixture_settle(fixture);
    assert_true(pool_says(fixture, "StorageShared"));
    api_table_delete_any(fixture->table, KIND_VOLUME, "", "by-hand");
    operator_fixture_settle(fixture);
    assert_false(pool_says(fixture, "StorageShared"));
}

/* Nothing of its own goes through meanwhile that would have the queue looked at. */
static void who_waits_is_served_although_its_pool_backs_off(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), FILLING, DEV, ALICE, NULL};
    static const char *const clone[] = {CLONE, NULL};
    operator_fixture_put_all(fixture, objects);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_PATCH, "/pools/orders/status", 403,
                   "Forbidden");
    operator_fixture_lead(fixture);
    operator_fixture_put_all(fixture, clone);
    operator_fixture_settle(fixture);
    assert_true(is_alices(fixture));
}

static void a_retiring_clone_whose_labels_go_is_not_counted_any_more(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {
        GOLDEN, POOL("pools", "0"),
        "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','uid':'uv','labels':{"
        "'adjoint.dev/state':'retiring','adjoint.dev/pool':'orders','adjoint.dev/pool-uid':'up',"
        "'adjoint.dev/pool-namespace':'pools'}},'spec':{'persistentVolumeReclaimPolicy':'Delete',"
        "'claimRef':{'namespace':'pools','name':'orders-0','uid':'uh'}},"
        "'status':{'phase':'Released'}}",
        NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    const char *pool = api_table_find(fixture->table, KIND_POOL, "pools", "orders");
    assert_non_null(strstr(pool, "\"retiring\":1"));
    operator_fixture_put(fixture,
                         "{'kind':'PersistentVolume','metadata':{'name':'pvc-0','labels':{"
                         "'adjoint.dev/state':null,'adjoint.dev/pool':null,"
                         "'adjoint.dev/pool-uid':null,'adjoint.dev/pool-namespace':null}}}");
    operator_fixture_settle(fixture);
    pool = api_table_find(fixture->table, KIND_POOL, "pools", "orders");
    assert_non_null(strstr(pool, "\"retiring\":0"));
}

#define WITH_OPERATOR(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, operator_fixture_set_up, operator_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(who_waited_for_an_hour_is_served_when_the_clone_comes),
        WITH_OPERATOR(a_finished_clone_starts_the_next_at_once),
        WITH_OPERATOR(a_claimed_clone_is_replaced_when_its_new_claim_is_bound),
        WITH_OPERATOR(a_volume_of_the_same_storage_comes_and_goes),
        WITH_OPERATOR(who_waits_is_served_although_its_pool_backs_off),
        WITH_OPERATOR(a_retiring_clone_whose_labels_go_is_not_counted_any_more),
    };
    return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
