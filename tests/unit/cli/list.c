/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALL "/apis/adjoint.dev/v1alpha1/instances"
#define INSTANCE(namespace, name, created, status)                                                 \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':{'name':'" name             \
    "','namespace':'" namespace "','uid':'u-" name                                                 \
                                "','generation':1,'creationTimestamp':'" created                   \
                                "','managedFields':[{'manager':'x'}]},'spec':{'pool':{'name':'"    \
                                "main','namespace':"                                               \
                                "'golden'}},'status':{" status "}}"
#define CONDITIONS(eligible, ready)                                                                \
    "'conditions':[{'type':'Eligible','status':'" eligible                                         \
    "','reason':'NamespaceNotAllowed','message':'m','lastTransitionTime':"                         \
    "'2026-07-01T12:00:00Z'},{'type':'Ready','status':'False','reason':'" ready                    \
    "','message':'m','lastTransitionTime':'2026-07-01T12:00:00Z'}]"
#define ETA "'eta':'2026-07-01T12:10:00Z'"
#define BOTH                                                                                       \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'InstanceList','metadata':{'resourceVersion':"    \
    "'9'},'items':[" INSTANCE(                                                                     \
        "dev", "alice", "2026-07-01T11:59:55Z",                                                    \
        "'phase':'Starting','volume':{'name':'pv-1'},'golden':{'name':"                            \
        "'snap'},'connection':{'host':'alice-rw.dev.svc'}," CONDITIONS(                            \
            "True",                                                                                \
            "PostgresStarting")) "," INSTANCE("test", "bob", "2026-07-01T09:00:00Z",               \
                                              "'phase':'Waiting','queue':{'position':12," ETA      \
                                              "}") "]}"

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

static void a_table_shows_where_each_stands(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, BOTH);
    assert_int_equal(test_adj_run(adj, "list", "-A", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "NAMESPACE   NAME    PHASE      REASON             POOL          POSITION   ETA   AGE\n"
        "dev         alice   Starting   PostgresStarting   golden/main   -          -     5s\n"
        "test        bob     Waiting    -                  golden/main   12         10m   3h\n");
    assert_string_equal(test_adj_err(adj), "");
}

static void one_namespace_is_the_default(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   "{'metadata':{},'items':[" INSTANCE(
                       "dev", "alice", "2026-07-01T11:59:55Z",
                       "'phase':'Pending'," CONDITIONS("False", "NotEligible")) "]}");
    assert_int_equal(test_adj_run(adj, "list", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "NAME    PHASE     REASON                POOL          POSITION   ETA   AGE\n"
        "alice   Pending   NamespaceNotAllowed   golden/main   -          -     "
        "5s\n");
}

static void wide_shows_volume_golden_and_host(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, BOTH);
    assert_int_equal(test_adj_run(adj, "list", "-A", "-o", "wide", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "VOLUME   GOLDEN   HOST               AGE\n"));
    assert_non_null(strstr(test_adj_out(adj), "pv-1     snap     alice-rw.dev.svc   5s\n"));
}

static void names_can_be_piped_on(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, BOTH);
    assert_int_equal(test_adj_run(adj, "list", "-A", "-o", "name", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "instance.adjoint.dev/alice\ninstance.adjoint.dev/bob\n");
}

static void json_and_yaml_are_a_list_of_the_objects_as_they_came(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   "{'metadata':{},'items':[{'kind':'Instance','metadata':{'name':'alice',"
                   "'namespace':'dev','managedFields':[{}]},'spec':{'pool':{'name':'main',"
                   "'namespace':'golden'},'big':12345678901234567890,'x':1.10}}]}");
    assert_int_equal(test_adj_run(adj, "list", "-o", "json", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "{\n"
                                           "    \"apiVersion\": \"v1\",\n"
                                           "    \"items\": [\n"
                                           "        {\n"
                                           "            \"kind\": \"Instance\",\n"
                                           "            \"metadata\": {\n"
                                           "                \"name\": \"alice\",\n"
                                           "                \"namespace\": \"dev\"\n"
                                           "            },\n"
                                           "            \"spec\": {\n"
                                           "                \"pool\": {\n"
                                           "                    \"name\": \"main\",\n"
                                           "                    \"namespace\": \"golden\"\n"
                                           "                },\n"
                                           "                \"big\": 12345678901234567890,\n"
                                           "                \"x\": 1.10\n"
                                           "            }\n"
                                           "        }\n"
                                           "    ],\n"
                                           "    \"kind\": \"List\"\n"
                                           "}\n");
    assert_int_equal(test_adj_run(adj, "list", "-o", "yaml", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "apiVersion: v1\n"
                                           "items:\n"
                                           "- kind: Instance\n"
                                           "  metadata:\n"
                                           "    name: alice\n"
                                           "    namespace: dev\n"
                                           "  spec:\n"
                                           "    pool:\n"
                                           "      name: main\n"
                                           "      namespace: golden\n"
                                           "    big: 12345678901234567890\n"
                                           "    x: 1.10\n"
                                           "kind: List\n");
}

static void none_is_said_and_is_no_error(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 200, "{'metadata':{},'items':null}");
    assert_int_equal(test_adj_run(adj, "list", "-A", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "");
    assert_string_equal(test_adj_err(adj), "There are no Instances.\n");
    assert_int_equal(test_adj_run(adj, "list", "-A", "-o", "json", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "\"items\": [],"));
}

static void without_the_crds_it_says_what_to_install(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL, 404, "404 page not found\n");
    assert_int_equal(test_adj_run(adj, "list", "-A", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: Adjoint's CRDs are not installed: kubectl apply "
                                           "-f crds/\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_table_shows_where_each_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(one_namespace_is_the_default, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_shows_volume_golden_and_host, setup, teardown),
        cmocka_unit_test_setup_teardown(names_can_be_piped_on, setup, teardown),
        cmocka_unit_test_setup_teardown(json_and_yaml_are_a_list_of_the_objects_as_they_came, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(none_is_said_and_is_no_error, setup, teardown),
        cmocka_unit_test_setup_teardown(without_the_crds_it_says_what_to_install, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
