/* SPDX-License-Identifier: Apache-2.0 */
/* What the operator's log says of what it cannot follow. */
#include "operator/operator.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"
#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A_MINUTE_MS = 60 * 1000 };

static struct text logged;

static void note(void *self, const char *line)
{
    text_append(self, line);
}

static int set_up(void **state)
{
    static struct operator_fixture fixture;
    text_init(&logged, LIMIT_BODY_BYTES);
    log_configure(LOG_INFO, note, &logged);
    operator_fixture_init(&fixture, OBJECTS_WALL_MS);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    operator_fixture_release(*state);
    log_configure(LOG_INFO, NULL, NULL);
    text_release(&logged);
    return 0;
}

static size_t times(const char *part)
{
    return said_times(logged.bytes, part);
}

static void refuse(struct operator_fixture *fixture, const char *path, int http_status,
                   const char *reason)
{
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_GET, path, http_status, reason);
}

static void a_kind_that_is_refused_is_told_once_and_when_it_is_not_any_more(void **state)
{
    struct operator_fixture *fixture = *state;
    refuse(fixture, "/clusters", 403, "Forbidden");
    refuse(fixture, "/clusters", 403, "Forbidden");
    operator_fixture_pass(fixture, A_MINUTE_MS);
    assert_int_equal(times("\"message\":\"is refused\",\"what\":\"Cluster\""), 1);
    operator_fixture_lead(fixture);
    assert_int_equal(times("\"message\":\"can be reached again\",\"what\":\"Cluster\""), 1);
    assert_int_equal(times("\"what\":"), 2);
}

static void credentials_that_are_refused_are_told(void **state)
{
    struct operator_fixture *fixture = *state;
    refuse(fixture, "/leases/", 401, "Unauthorized");
    operator_fixture_pass(fixture, A_MINUTE_MS);
    assert_int_equal(times("\"message\":\"is refused\",\"what\":\"Lease\""), 1);
}

static void a_list_that_has_to_be_asked_for_again_is_not_told(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_lead(fixture);
    refuse(fixture, "/pools", 503, "ServiceUnavailable");
    operator_fixture_pass(fixture, A_MINUTE_MS);
    assert_int_equal(times("\"what\":"), 0);
}

#define WITH_OPERATOR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(a_kind_that_is_refused_is_told_once_and_when_it_is_not_any_more),
        WITH_OPERATOR(credentials_that_are_refused_are_told),
        WITH_OPERATOR(a_list_that_has_to_be_asked_for_again_is_not_told),
    };
    return cmocka_run_group_tests_name("contacts", tests, NULL, NULL);
}
