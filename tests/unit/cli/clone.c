/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/said.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SPEC "'spec':{'pool':{'name':'main','namespace':'golden'},'deletionPolicy':'Delete'}"
#define META                                                                                       \
    "'metadata':{'name':'alice','namespace':'dev','uid':'u1','resourceVersion':'5','generation':1" \
    ",'creationTimestamp':'2026-07-01T12:00:00Z'"
#define ALICE "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance'," META "}," SPEC "}"
#define EXISTS                                                                                     \
    "{'kind':'Status','reason':'AlreadyExists','message':'instances.adjoint.dev \\'alice\\' "      \
    "already exists'}"
#define READY                                                                                      \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance'," META "}," SPEC                       \
    ",'status':{'phase':'Ready','connection':{'host':'alice-rw.dev.svc','database':'app',"         \
    "'user':'app','secret':'alice-app'}}}"
#define LIST_OF(instance) "{'metadata':{'resourceVersion':'9'},'items':[" instance "]}"

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

static void without_waiting_it_creates_and_is_done(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice created\n");
    assert_string_equal(
        test_adj_requests(adj),
        "POST " TEST_INSTANCES "\n"
        "    application/json: {\"apiVersion\":\"adjoint.dev/v1alpha1\",\"kind\":\"Instance\","
        "\"metadata\":{\"name\":\"alice\",\"namespace\":\"dev\"},"
        "\"spec\":{\"pool\":{\"name\":\"main\",\"namespace\":\"golden\"}}}\n");
}

static void the_pool_and_the_policies_are_what_was_typed(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "main", "--pool-namespace",
                                  "golden", "--deletion-policy", "Retain", "--fail-if-empty",
                                  "--lifetime", "1d12h", NULL),
                     CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj),
                           "\"spec\":{\"pool\":{\"name\":\"main\",\"namespace\":\"golden\"},"
                           "\"deletionPolicy\":\"Retain\",\"lifetime\":\"1d12h\","
                           "\"whenEmpty\":\"Fail\"}"));
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--lifetime", "long", NULL),
        CLI_USAGE);
}

static void a_pool_without_a_namespace_is_refused(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "clone", "alice", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj),
                        "adj: clone needs --pool NAMESPACE/NAME: `adj pools` lists them\n");
    static const char *const pools[] = {"main", "/main", "golden/", ""};
    for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
        assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", pools[i], NULL), CLI_USAGE);
        assert_non_null(strstr(test_adj_err(adj), "write NAMESPACE/NAME"));
    }
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main",
                                  "--pool-namespace", "golden", NULL),
                     CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main",
                                  "--deletion-policy", "keep", NULL),
                     CLI_USAGE);
    assert_string_equal(test_adj_requests(adj), "");
}

static void what_was_created_can_be_printed(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE);
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "-o", "name", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice\n");
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "-o", "json", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "    \"kind\": \"Instance\",\n"));
}

static void one_that_exists_is_the_one_that_is_meant(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 409, EXISTS);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice exists already\n");
    assert_string_equal(test_adj_err(adj), "");
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main",
                                  "--deletion-policy=Retain", NULL),
                     CLI_OK);
    assert_string_equal(test_adj_err(adj), "Instance dev/alice keeps its deletionPolicy Delete.\n");
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--lifetime=8h", NULL),
        CLI_OK);
    assert_says(test_adj_err(adj), "Instance dev/alice keeps its lifetime: `adj extend alice");
}

static void one_that_exists_is_waited_for(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 409, EXISTS);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(READY));
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--wait", NULL),
                     CLI_OK);
    assert_string_equal(test_adj_err(adj),
                        "Instance dev/alice exists already; waiting until it is ready.\n");
    assert_true(text_starts_with(test_adj_out(adj), "Instance dev/alice is ready.\n"));
}

static void one_from_another_pool_is_not_meant(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 409, EXISTS);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/other", "--wait", NULL),
                     CLI_ERROR);
    assert_string_equal(test_adj_err(adj),
                        "adj: Instance dev/alice exists already, from pool golden/main: choose "
                        "another name, or delete it first\n");
}

static void one_that_is_being_deleted_is_not_meant(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 409, EXISTS);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200,
                   "{" META ",'deletionTimestamp':'2026-07-01T12:00:00Z'}," SPEC "}");
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "is being deleted: `adj delete alice --wait`"));
}

/* A write whose reply never came may have been done. */
static void a_lost_reply_is_looked_into(void **state)
{
    struct test_adj *adj = *state;
    test_adj_fail(adj, METHOD_POST, TEST_INSTANCES, ERROR_UNKNOWN);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_OK);
}

static void a_lost_reply_of_what_was_not_done_is_an_error(void **state)
{
    struct test_adj *adj = *state;
    test_adj_fail(adj, METHOD_POST, TEST_INSTANCES, ERROR_UNKNOWN);
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 404,
                   "{'kind':'Status','reason':'NotFound','message':'not found'}");
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "it is unknown whether this was done"));
}

static void what_the_api_server_refuses_is_said(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 422,
                   "{'kind':'Status','reason':'Invalid','message':'choose another name'}");
    assert_int_equal(test_adj_run(adj, "clone", "Alice", "--pool", "golden/main", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: choose another name\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_waiting_it_creates_and_is_done, setup, teardown),
        cmocka_unit_test_setup_teardown(the_pool_and_the_policies_are_what_was_typed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_pool_without_a_namespace_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_created_can_be_printed, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_exists_is_the_one_that_is_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_exists_is_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(one_from_another_pool_is_not_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_is_being_deleted_is_not_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_reply_is_looked_into, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_reply_of_what_was_not_done_is_an_error, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_the_api_server_refuses_is_said, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
