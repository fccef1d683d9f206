/* SPDX-License-Identifier: Apache-2.0 */
/* When a back-off is over: what failed is tried again, whatever came between. Each of these was
   found by the simulation. */
#include "operator/operator.h"

#include "base/log.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"
#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool says(const struct operator_fixture *fixture, const char *part)
{
    const char *json = api_table_find(fixture->table, KIND_INSTANCE, "dev", "alice");
    return json != NULL && strstr(json, part) != NULL;
}

#define STATUS_PATH "/instances/alice/status"
#define DRY_RUN_PATH "/persistentvolumeclaims?dryRun"
#define REQUIRING_POOL                                                                             \
    "{'kind':'Pool','metadata':{'name':'orders','namespace':'pools','uid':'up','generation':2,"    \
    "'finalizers':['adjoint.dev/volumes']},'spec':{'golden':{'snapshot':'golden',"                 \
    "'systemID':'74'},'size':1,'database':'shop','owner':'clerk','storage':{"                      \
    "'storageClassName':'clone'},'allowedNamespaces':{'from':'All'},"                              \
    "'requires':{'secrets':['registry']}}}"

/* Nothing in the store says that it may be served now. */
static void a_choice_that_failed_is_made_again(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "0"), DEV, ALICE, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    assert_true(says(fixture, "\"phase\":\"Waiting\""));
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_PATCH, STATUS_PATH, 503, "ServiceUnavailable");
    static const char *const clone[] = {CLONE, NULL};
    operator_fixture_put_all(fixture, clone);
    operator_fixture_settle(fixture);
    assert_false(says(fixture, "\"name\":\"pvc-0\""));
    operator_fixture_pass(fixture, 2000);
    assert_true(says(fixture, "\"name\":\"pvc-0\""));
}

/* Its back-off runs out while the status is on the wire that tells of it. */
static void a_refused_pre_flight_is_made_again_after_a_slow_reply(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, DRY_RUN_PATH, 403, "Forbidden");
    fake_api_fault(fixture->api, FAKE_LATE, METHOD_PATCH, STATUS_PATH, 0, "");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    assert_true(says(fixture, "\"reason\":\"Forbidden\""));
    operator_fixture_advance(fixture, fixture->now.mono_ms + 8000);
    fake_api_release(fixture->api);
    operator_fixture_settle(fixture);
    assert_true(says(fixture, "\"name\":\"pvc-0\""));
}

static void a_status_that_cannot_be_written_is_not_hot(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, DRY_RUN_PATH, 403, "Forbidden");
    for (int i = 0; i < 3; i++) {
        fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_PATCH, STATUS_PATH, 503,
                       "ServiceUnavailable");
    }
    (void)fake_api_take_log(fixture->api);
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    assert_int_equal(said_times(fake_api_take_log(fixture->api), STATUS_PATH "\n"), 1);
}

/* Which reply came last is chance; a condition that followed it would be written at each try. */
static void of_several_refusals_the_same_is_told(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_lead(fixture);
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, DRY_RUN_PATH, 409, "AlreadyExists");
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, "/clusters?dryRun", 409,
                   "AlreadyExists");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    assert_true(says(fixture, "\"message\":\"PersistentVolumeClaim alice-1: "));
}

/* Asked for again until somebody makes it; no clone is spent before. */
static void what_is_required_is_waited_for(void **state)
{
    struct operator_fixture *fixture = *state;
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    operator_fixture_put_all(fixture, objects);
    operator_fixture_put(fixture, REQUIRING_POOL);
    operator_fixture_lead(fixture);
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    assert_true(says(fixture, "\"reason\":\"RequirementMissing\""));
    assert_true(says(fixture, "Secret registry: is not in namespace dev, and the Pool's template"));
    assert_false(says(fixture, "\"name\":\"pvc-0\""));
    operator_fixture_put(fixture,
                         "{'kind':'Secret','metadata':{'name':'registry','namespace':'dev'}}");
    operator_fixture_pass(fixture, 60 * 1000);
    assert_true(says(fixture, "\"name\":\"pvc-0\""));
}

#define WITH_OPERATOR(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, operator_fixture_set_up, operator_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(a_choice_that_failed_is_made_again),
        WITH_OPERATOR(a_refused_pre_flight_is_made_again_after_a_slow_reply),
        WITH_OPERATOR(a_status_that_cannot_be_written_is_not_hot),
        WITH_OPERATOR(of_several_refusals_the_same_is_told),
        WITH_OPERATOR(what_is_required_is_waited_for),
    };
    return cmocka_run_group_tests_name("back_off", tests, NULL, NULL);
}
