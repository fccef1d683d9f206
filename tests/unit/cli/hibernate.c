/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(spec, status) TEST_ALICE_AT("5", spec, status)

#define LIST_OF(instance) "{'metadata':{'resourceVersion':'9'},'items':[" instance "]}"
#define CONNECTION                                                                                 \
    "'connection':{'host':'alice-rw.dev.svc','port':5432,'database':'shop','user':'clerk',"        \
    "'secret':'alice-app'}"

static void it_sets_the_field(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", "'phase':'Ready'"));
    assert_int_equal(test_adj_run(adj, "hibernate", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "instance.adjoint.dev/alice hibernates: Postgres stops, and the data is "
                        "kept; `adj wake alice` starts it again\n");
    assert_non_null(strstr(test_adj_requests(adj), TEST_ALICE_PATCHED("\"hibernated\":true")));
    test_adj_free(adj);
}

static void who_is_not_ready_yet_is_told_when(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", "'phase':'Starting'"));
    assert_int_equal(test_adj_run(adj, "hibernate", "alice", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "hibernates when it has been ready once"));
    test_adj_free(adj);
}

static void in_a_script_waking_is_asked_for(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'hibernated':true", "'phase':'Hibernated'"));
    assert_int_equal(test_adj_run(adj, "wake", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice wakes: `adj get alice` says "
                                           "when it is ready\n");
    assert_non_null(strstr(test_adj_requests(adj), TEST_ALICE_PATCHED("\"hibernated\":false")));
    test_adj_free(adj);
}

static void waking_is_waited_for(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'hibernated':true", "'phase':'Hibernated'"));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(TEST_ALICE_AT("6", "", "'phase':'Hibernated'")));
    test_adj_event(
        adj, TEST_INSTANCES, 4000,
        "{'type':'MODIFIED','object':" TEST_ALICE_AT("7", "", "'phase':'Ready'," CONNECTION) "}");
    assert_int_equal(test_adj_run(adj, "wake", "alice", "--wait", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "Instance dev/alice is ready after 4.0 s.\n"));
    assert_non_null(strstr(test_adj_out(adj), "alice-rw.dev.svc"));
    test_adj_free(adj);
}

static void who_does_not_wake_in_time_has_its_exit_code(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'hibernated':true", "'phase':'Hibernated'"));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(TEST_ALICE_AT("6", "", "'phase':'Starting'")));
    assert_int_equal(test_adj_run(adj, "wake", "alice", "--wait", "--timeout=30s", NULL),
                     CLI_TIMED_OUT);
    assert_non_null(strstr(test_adj_err(adj), "is not ready after 30 s. It goes on: run this again "
                                              "to go on waiting; `adj get alice`"));
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sets_the_field),
        cmocka_unit_test(who_is_not_ready_yet_is_told_when),
        cmocka_unit_test(in_a_script_waking_is_asked_for),
        cmocka_unit_test(waking_is_waited_for),
        cmocka_unit_test(who_does_not_wake_in_time_has_its_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
