/* SPDX-License-Identifier: Apache-2.0 */
/* Replies that say that an object is gone, while the watch has not told of it. */
#include "operator/absorb.h"

#include "base/log.h"
#include "base/text.h"
#include "support/operator_fixture.h"
#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t WALL_MS = 1787392800000; /* 2026-08-22T10:00:00Z */

/* Past its Pool and its volume: what is deleted goes at once. */
#define DELETED_INSTANCE                                                                           \
    "{\"kind\":\"Instance\",\"metadata\":{\"name\":\"alice\",\"namespace\":\"dev\",\"uid\":"       \
    "\"ua\",\"generation\":1,\"deletionTimestamp\":\"2026-08-22T09:59:00Z\",\"finalizers\":["      \
    "\"adjoint.dev/volumes\"]},\"spec\":{\"pool\":{\"name\":\"orders\",\"namespace\":\"pools\"}}}"
#define CLUSTER                                                                                    \
    "{\"kind\":\"Cluster\",\"metadata\":{\"name\":\"alice\",\"namespace\":\"dev\",\"uid\":\"uc\"," \
    "\"labels\":{\"adjoint.dev/role\":\"data\",\"adjoint.dev/instance\":\"alice\","                \
    "\"adjoint.dev/instance-uid\":\"ua\"}}}"

static int set_up(void **state)
{
    static struct operator_fixture fixture;
    log_configure(LOG_ERROR, NULL, NULL);
    operator_fixture_init(&fixture, WALL_MS);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    operator_fixture_release(*state);
    return 0;
}

/* The watches tell nothing after the Instance's deletion: all that follows is known by replies. */
static void what_is_gone_at_once_is_asked_for_once(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_lead(fixture);
    api_table_put(fixture->table, CLUSTER);
    (void)operator_fixture_turn(fixture);
    api_table_put(fixture->table, DELETED_INSTANCE);
    (void)operator_fixture_turn(fixture);
    (void)fake_api_take_log(fixture->api);
    fake_api_hold_watches(fixture->api, true);
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(
        said_times(log, "DELETE /apis/postgresql.cnpg.io/v1/namespaces/dev/clusters/alice\n"), 1);
    assert_int_equal(
        said_times(log, "PATCH /apis/adjoint.dev/v1alpha1/namespaces/dev/instances/alice\n"), 1);
    assert_null(api_table_find(fixture->table, KIND_INSTANCE, "dev", "alice"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_gone_at_once_is_asked_for_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
