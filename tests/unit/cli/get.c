/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(spec, status)                                                                        \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':{'name':'alice',"           \
    "'namespace':'dev','uid':'u1','creationTimestamp':'2026-07-01T11:58:00Z','managedFields':[]}," \
    "'spec':{'pool':{'name':'main','namespace':'golden'}" spec "},'status':{" status "}}"

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

static void one_that_is_ready_shows_how_to_connect(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200,
                   ALICE("", "'phase':'Ready','volume':{'name':'pv-1'},'golden':{'name':'snap'},"
                             "'connection':{'host':'alice-rw.dev.svc','database':'app','user':"
                             "'app','secret':'alice-app'}"));
    assert_int_equal(test_adj_run(adj, "get", "alice", NULL), CLI_OK);
    assert_true(text_starts_with(test_adj_out(adj),
                                 "Instance dev/alice: Ready\n"
                                 "\n"
                                 "  pool      golden/main\n"
                                 "  volume    pv-1\n"
                                 "  golden    snap\n"
                                 "  age       2m\n"
                                 "  deletion  Delete: its Cluster and volume go with it\n"
                                 "  host      alice-rw.dev.svc\n"));
    assert_non_null(strstr(test_adj_out(adj), "psql -h alice-rw.dev.svc -U app -d app\n"));
}

static void one_that_is_not_shows_where_it_stands(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200,
                   ALICE(",'deletionPolicy':'Retain'", "'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, "get", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "Instance dev/alice: Waiting for a clone\n"
                        "\n"
                        "  pool      golden/main\n"
                        "  volume    -\n"
                        "  golden    -\n"
                        "  age       2m\n"
                        "  deletion  Retain: its Cluster and volume stay when it is deleted\n");
}

static void one_object_is_printed_as_it_is(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("", ""));
    assert_int_equal(test_adj_run(adj, "get", "alice", "-o", "yaml", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "apiVersion: adjoint.dev/v1alpha1\n"
                                           "kind: Instance\n"
                                           "metadata:\n"
                                           "  creationTimestamp: \"2026-07-01T11:58:00Z\"\n"
                                           "  name: alice\n"
                                           "  namespace: dev\n"
                                           "  uid: u1\n"
                                           "spec:\n"
                                           "  pool:\n"
                                           "    name: main\n"
                                           "    namespace: golden\n"
                                           "status: {}\n");
    assert_int_equal(test_adj_run(adj, "get", "alice", "-o", "name", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice\n");
    assert_int_equal(test_adj_run(adj, "get", "alice", "-o", "wide", NULL), CLI_USAGE);
}

static void one_that_is_not_there_is_an_error(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 404,
                   "{'kind':'Status','reason':'NotFound','message':'instances \\'alice\\' not "
                   "found'}");
    assert_int_equal(test_adj_run(adj, "get", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_out(adj), "");
    assert_non_null(strstr(test_adj_err(adj),
                           "not found: `adj list -A` lists the Instances of all namespaces\n"));
}

/* What people type must not become another path. */
static void a_name_with_slashes_stays_one_segment(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES "/..%2Fbob", 404,
                   "{'kind':'Status','reason':'NotFound','message':'x'}");
    assert_int_equal(test_adj_run(adj, "get", "../bob", NULL), CLI_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_that_is_ready_shows_how_to_connect, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_is_not_shows_where_it_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(one_object_is_printed_as_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_is_not_there_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_with_slashes_stays_one_segment, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
