/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALL "/apis/adjoint.dev/v1alpha1/pools"
#define IN_GOLDEN "/apis/adjoint.dev/v1alpha1/namespaces/golden/pools"
#define CONDITION(type, status, reason)                                                            \
    "{'type':'" type "','status':'" status "','reason':'" reason                                   \
    "','message':'m','lastTransitionTime':'2026-07-01T12:00:00Z'}"
#define POOL(name, conditions)                                                                     \
    "{'metadata':{'name':'" name "','namespace':'golden','uid':'u-" name                           \
    "','creationTimestamp':'2026-06-29T12:00:00Z'},'spec':{'golden':{'snapshot':'snap'},"          \
    "'size':3,'storage':{'storageClassName':'fsx'},'allowedNamespaces':{'from':'All'}},"           \
    "'status':{'warm':2,'filling':1,'claimed':14,'waiting':5,'retiring':6," LANE                   \
    "'golden':{'uid':'u',"                                                                         \
    "'systemID':'712'},'conditions':[" conditions "]}}"
#define LANE "'lane':{'name':'fs-1','width':3,'gapMilliseconds':61000},"
#define POOLS                                                                                      \
    "{'metadata':{},'items':[" POOL("main", CONDITION("Ready", "True", "Ready")) "," POOL(         \
        "other", CONDITION("Ready", "False", "GoldenNotReady") "," CONDITION(                      \
                     "GoldenReady", "False", "SnapshotNotFound")) "]}"

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

static void all_namespaces_are_the_default(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, POOLS);
    assert_int_equal(test_adj_run(adj, "pools", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "NAMESPACE   NAME    READY   REASON             WARM   "
                                           "SIZE   FILLING   CLAIMED   WAITING   "
                                           "GOLDEN   AGE\n"
                                           "golden      main    True    Ready              2      "
                                           "3      1         14        5         "
                                           "snap     2d\n"
                                           "golden      other   False   SnapshotNotFound   2      "
                                           "3      1         14        5         "
                                           "snap     2d\n");
    assert_int_equal(test_adj_run(adj, "pools", "-A", "-n", "golden", NULL), CLI_OK);
}

static void one_namespace_can_be_named(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, IN_GOLDEN, 200, "{'metadata':{},'items':[]}");
    assert_int_equal(test_adj_run(adj, "pools", "-n", "golden", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "There are no Pools in namespace golden.\n");
}

static void wide_shows_more(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, POOLS);
    assert_int_equal(test_adj_run(adj, "pools", "-o", "wide", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "SYSTEM-ID   LANE   GAP   SCHEDULE   AGE\n"));
    assert_non_null(strstr(test_adj_out(adj), "712         fs-1   61s   -          2d\n"));
}

static void a_schedule_says_the_size(void **state)
{
    static const char *const schedules[][2] = {
        {"'current':{'name':'morning','size':9,'until':'2026-07-01T14:00:00Z'}",
         "morning ends in 120m"},
        {"'next':{'name':'morning','size':9,'beginsAt':'2026-07-01T12:12:00Z'}",
         "morning begins in 12m"},
    };
    struct test_adj *adj = *state;
    for (size_t i = 0; i < 2; i++) {
        struct arena arena;
        arena_init(&arena, 0);
        test_adj_reply(adj, METHOD_GET, ALL, 200,
                       arena_print(&arena,
                                   "{'metadata':{},'items':[{'metadata':{'name':'main','namespace':"
                                   "'golden','creationTimestamp':'2026-06-29T12:00:00Z'},'spec':{"
                                   "'golden':{'snapshot':'snap'},'size':3,'storage':{"
                                   "'storageClassName':'fsx'},'allowedNamespaces':{'from':'All'}},"
                                   "'status':{'warm':2,'sizing':{'size':9},'schedule':{%s}}}]}",
                                   schedules[i][0]));
        assert_int_equal(test_adj_run(adj, "pools", "-o", "wide", NULL), CLI_OK);
        assert_non_null(strstr(test_adj_out(adj), schedules[i][1]));
        assert_non_null(strstr(test_adj_out(adj), "2      9 "));
        arena_release(&arena);
    }
}

static void names_and_objects_can_be_piped_on(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, POOLS);
    assert_int_equal(test_adj_run(adj, "pools", "-o", "name", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "pool.adjoint.dev/main\npool.adjoint.dev/other\n");
    assert_int_equal(test_adj_run(adj, "pools", "-o", "json", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "\"claimed\": 14"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_namespaces_are_the_default, setup, teardown),
        cmocka_unit_test_setup_teardown(one_namespace_can_be_named, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_shows_more, setup, teardown),
        cmocka_unit_test_setup_teardown(a_schedule_says_the_size, setup, teardown),
        cmocka_unit_test_setup_teardown(names_and_objects_can_be_piped_on, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
