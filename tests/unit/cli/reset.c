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

#define RESETTING                                                                                  \
    "'conditions':[{'type':'Resetting','status':'True','reason':'WaitingForClone','message':"      \
    "'no clone is warm','lastTransitionTime':'2026-07-01T12:00:00Z'}]"

static void it_counts_up(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(
        ALICE(",'reset':{'count':2}", "'reset':{'count':2},'volume':{'name':'pv-1'}"));
    assert_int_equal(test_adj_run(adj, "reset", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "instance.adjoint.dev/alice is reset when a clone is reserved for it; its "
                        "database runs until then: `adj get alice` says where it stands\n");
    assert_non_null(strstr(test_adj_requests(adj),
                           TEST_ALICE_PATCHED("\"reset\":{\"count\":3,\"golden\":\"Any\"}")));
    test_adj_free(adj);
}

static void the_present_golden_may_be_asked_for(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", "'volume':{'name':'pv-1'}"));
    assert_int_equal(test_adj_run(adj, "reset", "alice", "--golden", "current", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj),
                           TEST_ALICE_PATCHED("\"reset\":{\"count\":1,\"golden\":\"Current\"}")));
    test_adj_free(adj);
    adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, "reset", "alice", "--golden", "newest", NULL), CLI_USAGE);
    test_adj_free(adj);
}

static void a_count_that_was_lost_is_not_used_again(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice(ALICE("", "'reset':{'count':4},'volume':{'name':'pv-1'}"));
    assert_int_equal(test_adj_run(adj, "reset", "alice", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj),
                           TEST_ALICE_PATCHED("\"reset\":{\"count\":5,\"golden\":\"Any\"}")));
    test_adj_free(adj);
}

static void who_is_being_reset_is_not_asked_again(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice(ALICE(",'reset':{'count':1}", "'volume':{'name':'pv-1'}"));
    assert_int_equal(test_adj_run(adj, "reset", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: Instance dev/alice is being reset already: `adj "
                                           "why alice` says how far that is\n");
    assert_null(strstr(test_adj_requests(adj), "PATCH"));
    test_adj_free(adj);
}

static void the_new_clone_is_waited_for(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice(ALICE("", "'phase':'Ready','volume':{'name':'pv-1'}"));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(TEST_ALICE_AT("6", ",'reset':{'count':1}",
                                         "'phase':'Ready','queue':{'position':3}," RESETTING)));
    test_adj_event(adj, TEST_INSTANCES, 60000,
                   "{'type':'MODIFIED','object':" TEST_ALICE_AT(
                       "7", ",'reset':{'count':1}", "'phase':'Claiming','reset':{'count':1}") "}");
    test_adj_event(
        adj, TEST_INSTANCES, 4000,
        "{'type':'MODIFIED','object':" TEST_ALICE_AT(
            "8", ",'reset':{'count':1}", "'phase':'Ready','reset':{'count':1}," CONNECTION) "}");
    assert_int_equal(test_adj_run(adj, "reset", "alice", "--wait", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_err(adj), "Ready; to be reset: no clone is warm (position 3)"));
    assert_non_null(strstr(test_adj_out(adj), "Instance dev/alice is ready after 64.0 s.\n"));
    test_adj_free(adj);
}

static void one_that_failed_is_reset_all_the_same(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice(ALICE("", "'phase':'Failed','volume':{'name':'pv-1'}"));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(TEST_ALICE_AT("6", ",'reset':{'count':1}", "'phase':'Failed'")));
    test_adj_event(adj, TEST_INSTANCES, 1000,
                   "{'type':'MODIFIED','object':" TEST_ALICE_AT(
                       "9", ",'reset':{'count':1}", "'phase':'Failed','reset':{'count':1}") "}");
    assert_int_equal(test_adj_run(adj, "reset", "alice", "--wait", NULL), CLI_INSTANCE_FAILED);
    assert_int_equal(test_adj_elapsed_ms(adj), 1000);
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_counts_up),
        cmocka_unit_test(the_present_golden_may_be_asked_for),
        cmocka_unit_test(a_count_that_was_lost_is_not_used_again),
        cmocka_unit_test(who_is_being_reset_is_not_asked_again),
        cmocka_unit_test(the_new_clone_is_waited_for),
        cmocka_unit_test(one_that_failed_is_reset_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
