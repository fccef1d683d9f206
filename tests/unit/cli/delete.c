/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(uid, version, policy, status)                                                        \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'" uid "','resourceVersion':'" version    \
    "','deletionTimestamp':'2026-07-01T12:00:00Z'},'spec':{'pool':{'name':'main','namespace':"     \
    "'golden'},'deletionPolicy':'" policy "'},'status':{" status "}}"
#define GOING                                                                                      \
    "'phase':'Deleting','conditions':[{'type':'Ready','status':'False','reason':'Deleting',"       \
    "'message':'its Cluster shuts Postgres down','lastTransitionTime':'2026-07-01T12:00:00Z'}]"
#define LIST_OF(instance) "{'metadata':{'resourceVersion':'9'},'items':[" instance "]}"

static int setup(void **state)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("u1", "5", "Delete", ""));
    test_adj_reply(adj, METHOD_DELETE, TEST_ALICE, 200, "{}");
    *state = adj;
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

static void it_deletes_the_one_that_was_there(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "delete", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice is being deleted; its "
                                           "Cluster and volume go with it\n");
    assert_string_equal(test_adj_requests(adj),
                        "GET " TEST_ALICE "\nDELETE " TEST_ALICE
                        "\n    application/json: {\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\","
                        "\"preconditions\":{\"uid\":\"u1\"}}\n");
}

static void it_waits_until_it_is_gone(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(ALICE("u1", "6", "Delete", GOING)));
    test_adj_event(adj, TEST_INSTANCES, 5000,
                   "{'type':'DELETED','object':" ALICE("u1", "7", "Delete", GOING) "}");
    assert_int_equal(test_adj_run(adj, "delete", "alice", "--wait", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "Deleting: its Cluster shuts Postgres down (0 s)\n");
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice is gone; its Cluster and "
                                           "volume go with it\n");
}

static void another_one_of_its_name_is_not_waited_for(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(ALICE("u2", "8", "Delete", "")));
    assert_int_equal(test_adj_run(adj, "delete", "alice", "--wait", NULL), CLI_OK);
}

static void the_time_out_says_that_it_goes_on(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(ALICE("u1", "6", "Delete", GOING)));
    assert_int_equal(test_adj_run(adj, "delete", "alice", "--wait", "--timeout=30s", NULL),
                     CLI_TIMED_OUT);
    assert_int_equal(test_adj_elapsed_ms(adj), 30000);
    assert_non_null(strstr(test_adj_err(adj), "its deletion goes on: `adj why alice` says what it "
                                              "waits for\n"));
}

static void one_that_is_retained_says_what_stays(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("u1", "5", "Retain", ""));
    test_adj_reply(adj, METHOD_DELETE, TEST_ALICE, 200, "{}");
    assert_int_equal(test_adj_run(adj, "delete", "alice", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "its Cluster and volume stay\n"));
    test_adj_free(adj);
}

static void what_the_api_server_refuses_is_said(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("u1", "5", "Retain", ""));
    test_adj_reply(adj, METHOD_DELETE, TEST_ALICE, 409,
                   "{'kind':'Status','reason':'Conflict','message':'the uid is another'}");
    assert_int_equal(test_adj_run(adj, "delete", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: the uid is another\n");
    assert_string_equal(test_adj_out(adj), "");
    test_adj_free(adj);
}

#define PROTECTED(until, meta)                                                                     \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'u1','resourceVersion':'5'" meta          \
    "},'spec':{'pool':{'name':'main','namespace':'golden'},'protectedUntil':'" until "'}}"

static struct test_adj *with_protected(const char *json)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, json);
    test_adj_reply(adj, METHOD_DELETE, TEST_ALICE, 200, "{}");
    return adj;
}

static void one_that_is_protected_is_left_alone(void **state)
{
    (void)state;
    struct test_adj *adj = with_protected(PROTECTED("2026-07-01T12:00:01Z", ""));
    assert_int_equal(test_adj_run(adj, "delete", "alice", "-n", "dev", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj),
                        "adj: Instance dev/alice is protected until 2026-07-01T12:00:01Z: if it is "
                        "to go all the same, `adj delete alice -n dev --force`; `adj protect alice "
                        "-n dev --off` ends its protection\n");
    assert_string_equal(test_adj_requests(adj), "GET " TEST_ALICE "\n");
    assert_int_equal(test_adj_run(adj, "delete", "alice", "--force", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), "DELETE " TEST_ALICE "\n"));
    test_adj_free(adj);
}

static void a_protection_that_is_over_or_of_one_that_goes_is_none(void **state)
{
    (void)state;
    static const char *const unprotected[] = {
        PROTECTED("2026-07-01T12:00:00Z", ""),
        PROTECTED("2026-07-09T12:00:00Z", ",'deletionTimestamp':'2026-07-01T11:00:00Z'"),
    };
    for (size_t i = 0; i < sizeof(unprotected) / sizeof(unprotected[0]); i++) {
        struct test_adj *adj = with_protected(unprotected[i]);
        assert_int_equal(test_adj_run(adj, "delete", "alice", NULL), CLI_OK);
        test_adj_free(adj);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_deletes_the_one_that_was_there, setup, teardown),
        cmocka_unit_test_setup_teardown(it_waits_until_it_is_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(another_one_of_its_name_is_not_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(the_time_out_says_that_it_goes_on, setup, teardown),
        cmocka_unit_test(one_that_is_retained_says_what_stays),
        cmocka_unit_test(what_the_api_server_refuses_is_said),
        cmocka_unit_test(one_that_is_protected_is_left_alone),
        cmocka_unit_test(a_protection_that_is_over_or_of_one_that_goes_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
