/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POOL_PATH "/apis/adjoint.dev/v1alpha1/namespaces/golden/pools/main"
#define ALICE(meta, status)                                                                        \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'u1','generation':2,"                     \
    "'creationTimestamp':'2026-07-01T11:58:00Z'" meta                                              \
    "},'spec':{'pool':{'name':'main','namespace':'golden'}},'status':{" status "}}"
#define CONDITION(type, status, reason, message)                                                   \
    "{'type':'" type "','status':'" status "','reason':'" reason "','message':'" message           \
    "','observedGeneration':2,'lastTransitionTime':'2026-07-01T11:59:00Z'}"

static int setup(void **state)
{
    *state = test_adj_new();
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

static void tell(struct test_adj *adj, const char *alice)
{
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, alice);
    assert_int_equal(test_adj_run(adj, "why", "alice", NULL), CLI_OK);
}

static void the_whole_story_of_one_that_is_ready(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE("", "'phase':'Ready','observedGeneration':2,"
                        "'volume':{'name':'pv-1','handle':'fsvol-9'},"
                        "'golden':{'name':'snap','systemID':'712'},"
                        "'timings':{'chosenAt':'2026-07-01T11:58:02.100Z',"
                        "'claimCreatedAt':'2026-07-01T11:58:02.100Z',"
                        "'volumeClaimedAt':'2026-07-01T11:58:02.112Z',"
                        "'boundAt':'2026-07-01T11:58:02.150Z',"
                        "'clusterCreatedAt':'2026-07-01T11:58:02.151Z',"
                        "'readyAt':'2026-07-01T11:58:06.151Z'},"
                        "'conditions':[" CONDITION("Ready", "True", "Ready", "it runs") "]"));
    assert_string_equal(test_adj_out(adj), "Instance dev/alice: Ready\n"
                                           "\n"
                                           "  pool    golden/main\n"
                                           "  volume  pv-1 (fsvol-9)\n"
                                           "  golden  snap (system identifier 712)\n"
                                           "\n"
                                           "STEP             AT                         MS\n"
                                           "created          2026-07-01T11:58:00Z       -\n"
                                           "volume chosen    2026-07-01T11:58:02.100Z   ~+2100\n"
                                           "claim sent       2026-07-01T11:58:02.100Z   +0\n"
                                           "volume claimed   2026-07-01T11:58:02.112Z   +12\n"
                                           "claim bound      2026-07-01T11:58:02.150Z   +38\n"
                                           "cluster sent     2026-07-01T11:58:02.151Z   +1\n"
                                           "ready            2026-07-01T11:58:06.151Z   +4000\n"
                                           "\n"
                                           "From the choice of its volume to ready: 4051 ms\n"
                                           "\n"
                                           "CONDITION   STATUS   SINCE   REASON   MESSAGE\n"
                                           "Ready       True     60s     Ready    it runs\n"
                                           "\n"
                                           "Waits for: nothing\n");
}

static void steps_are_told_in_the_order_they_happened(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE("", "'phase':'Claiming','observedGeneration':2,"
                        "'timings':{'chosenAt':'2026-07-01T11:58:02.100Z',"
                        "'claimCreatedAt':'2026-07-01T11:58:02.150Z',"
                        "'volumeClaimedAt':'2026-07-01T11:58:02.112Z'}"));
    assert_non_null(strstr(test_adj_out(adj), "volume claimed   2026-07-01T11:58:02.112Z   +12\n"
                                              "claim sent       2026-07-01T11:58:02.150Z   +38\n"
                                              "claim bound      -                          -\n"
                                              "cluster sent     -                          -\n"
                                              "ready            -                          -\n"));
    assert_non_null(strstr(test_adj_out(adj), "Waits for: the step \"claim bound\": "));
}

static void one_that_waits_tells_of_its_pool(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(
        adj, METHOD_GET, POOL_PATH, 200,
        "{'metadata':{'name':'main','namespace':'golden'},'spec':{'golden':{'snapshot':"
        "'snap'},'size':3,'storage':{'storageClassName':'fsx'},'allowedNamespaces':"
        "{'from':'All'}},'status':{'warm':0,'filling':2,'waiting':4,'schedule':{'next':{'name':"
        "'nine','size':8,'beginsAt':'2026-07-01T12:10:00Z'}}}}");
    tell(adj, ALICE("", "'phase':'Waiting','observedGeneration':2,'queue':{'position':3,"
                        "'eta':'2026-07-01T12:03:05Z'}"));
    assert_non_null(strstr(
        test_adj_out(adj),
        "Waits for: a clone, at position 3, about 3m5s left; pool golden/main has 0 warm and 2 "
        "filling, for 4 waiting; its schedule nine wants 8 in 10m\n"));
}

static void a_pool_that_may_not_be_read_is_left_out(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, POOL_PATH, 403,
                   "{'kind':'Status','reason':'Forbidden','message':'no'}");
    tell(adj, ALICE("", "'phase':'Waiting','observedGeneration':2,'queue':{'position':3}"));
    assert_non_null(strstr(test_adj_out(adj), "Waits for: a clone, at position 3\n"));
    assert_string_equal(test_adj_err(adj), "");
}

static void one_that_nobody_looked_at_asks_for_the_operator(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE("", ""));
    assert_non_null(strstr(test_adj_out(adj),
                           "Waits for: adjoint-operator, which has not looked at "
                           "it yet: is it running"));
}

static void one_that_failed_waits_for_a_person(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE("", "'phase':'Failed','observedGeneration':2,'conditions':[" CONDITION(
                            "Ready", "False", "ClusterDeleted", "run `adj adopt alice`") "]"));
    assert_non_null(strstr(test_adj_out(adj), "Waits for: you. run `adj adopt alice`\n"));
}

static void one_that_goes_tells_what_keeps_it(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE(",'deletionTimestamp':'2026-07-01T11:59:00Z','finalizers':["
                    "'adjoint.dev/volumes','other/one']",
                    "'phase':'Deleting','observedGeneration':2,'conditions':[" CONDITION(
                        "Ready", "False", "Deleting", "its Cluster shuts Postgres down") "]"));
    assert_non_null(strstr(test_adj_out(adj), "Waits for: its Cluster shuts Postgres down "
                                              "(finalizers adjoint.dev/volumes, other/one)\n"));
}

static void a_change_that_was_not_seen_is_told(void **state)
{
    struct test_adj *adj = *state;
    tell(adj, ALICE("", "'phase':'Starting','observedGeneration':1,'conditions':[" CONDITION(
                            "Ready", "False", "PostgresStarting", "soon") "]"));
    assert_non_null(strstr(test_adj_out(adj), "Waits for: soon\n"));
    assert_non_null(strstr(test_adj_out(adj), "has not seen the latest change of its spec yet"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_whole_story_of_one_that_is_ready, setup, teardown),
        cmocka_unit_test_setup_teardown(steps_are_told_in_the_order_they_happened, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_waits_tells_of_its_pool, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pool_that_may_not_be_read_is_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_nobody_looked_at_asks_for_the_operator, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_that_failed_waits_for_a_person, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_goes_tells_what_keeps_it, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_that_was_not_seen_is_told, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
