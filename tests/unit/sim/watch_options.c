/* SPDX-License-Identifier: Apache-2.0 */
#include "support/watch_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_refused(struct watch_fixture *fixture, const char *query, int http_status,
                           const char *part)
{
    assert_false(watch_fixture_open_maps(fixture, query));
    assert_int_equal(fixture->refusal.http_status, http_status);
    if (strstr(fixture->refusal.body, part) == NULL) {
        fail_msg("no %s in %s", part, fixture->refusal.body);
    }
    route_reply_release(&fixture->refusal);
    watch_fixture_said(fixture, 1000, "");
}

static void what_it_does_not_do_is_refused(void **state)
{
    struct watch_fixture *fixture = *state;
    assert_refused(fixture, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan", 422,
                   "\"field\":\"sendInitialEvents\"");
    assert_refused(fixture, "resourceVersionMatch=NotOlderThan", 422, "\"reason\":\"Invalid\"");
    assert_refused(fixture, "resourceVersion=abc", 400, "\"reason\":\"BadRequest\"");
    assert_refused(fixture, "timeoutSeconds=abc", 400, "timeoutSeconds");
    assert_refused(fixture, "labelSelector=a%20b", 400, "unable to parse requirement");
    assert_refused(fixture, "fieldSelector=b%3Dc", 400, "is not a known field selector");
    assert_false(watch_fixture_open_path(fixture, "/api/v1/nothings?watch=1", NULL));
    assert_int_equal(fixture->refusal.http_status, 404);
    route_reply_release(&fixture->refusal);
    assert_false(watch_fixture_open_path(fixture, WIRE_MAPS "?watch=1", "application/yaml"));
    assert_int_equal(fixture->refusal.http_status, 406);
}

static void one_object_is_just_read(void **state)
{
    struct watch_fixture *fixture = *state;
    wire_put_map(fixture->wire, "a", "");
    assert_false(watch_fixture_open_path(fixture, WIRE_MAPS "/a?watch=1", NULL));
    assert_int_equal(fixture->refusal.http_status, 200);
    assert_non_null(strstr(fixture->refusal.body, "\"kind\":\"ConfigMap\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_it_does_not_do_is_refused, watch_fixture_set_up,
                                        watch_fixture_tear_down),
        cmocka_unit_test_setup_teardown(one_object_is_just_read, watch_fixture_set_up,
                                        watch_fixture_tear_down),
    };
    return cmocka_run_group_tests_name("sim/watch_options", tests, NULL, NULL);
}
