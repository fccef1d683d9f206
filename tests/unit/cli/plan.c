/* SPDX-License-Identifier: Apache-2.0 */
#include "api/kind.h"
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NOTHING "{'metadata':{'resourceVersion':'9'},'items':[]}"
#define LIST_OF(objects) "{'metadata':{'resourceVersion':'9'},'items':[" objects "]}"
#define POOL                                                                                       \
    "{'metadata':{'name':'main','namespace':'golden','uid':'p1','resourceVersion':'5',"            \
    "'generation':1},'spec':{'golden':{'snapshot':'snap'},'size':1,'storage':{"                    \
    "'storageClassName':'fsx'},'allowedNamespaces':{'from':'All'}}}"
#define ALICE                                                                                      \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'i1','resourceVersion':'6',"              \
    "'generation':1},'spec':{'pool':{'name':'gone','namespace':'golden'}}}"
#define MEMORY_NOTE                                                                                \
    "What was found by pre-flight dry runs, and who backs off after a failure, is in the "         \
    "operator's memory alone: it may dry-run less, or wait longer, than this.\n"

static void tell(struct test_adj *adj, enum object_kind kind, int http_status, const char *json)
{
    cleanup_text struct text path;
    text_init(&path, 1024);
    kind_path(kind_of(kind), NULL, NULL, NULL, &path);
    test_adj_reply(adj, METHOD_GET, path.bytes, http_status, json);
}

/* What is not told otherwise is an empty list. */
static struct test_adj *cluster_with(enum object_kind told)
{
    struct test_adj *adj = test_adj_new();
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        if (kind != (size_t)told) {
            tell(adj, (enum object_kind)kind, 200, NOTHING);
        }
    }
    return adj;
}

static void it_says_what_would_be_done_and_why(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_POOL);
    tell(adj, KIND_POOL, 200, LIST_OF(POOL));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    assert_true(text_starts_with(test_adj_out(adj), "pool/golden/main\n"));
    assert_non_null(strstr(test_adj_out(adj), "status Pool golden/main: "));
    assert_null(strstr(test_adj_out(adj), "    {\"status\""));
    assert_string_equal(test_adj_err(adj), MEMORY_NOTE);
    test_adj_free(adj);
}

static void it_writes_and_watches_nothing(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_POOL);
    tell(adj, KIND_POOL, 200, LIST_OF(POOL));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    assert_null(strstr(test_adj_requests(adj), "POST"));
    assert_null(strstr(test_adj_requests(adj), "PATCH"));
    assert_null(strstr(test_adj_requests(adj), "DELETE"));
    assert_null(strstr(test_adj_requests(adj), "watch=1"));
    test_adj_free(adj);
}

static void one_key_can_be_asked_for_with_its_bodies(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_INSTANCE);
    tell(adj, KIND_INSTANCE, 200, LIST_OF(ALICE));
    assert_int_equal(test_adj_run(adj, "plan", "instance/dev/alice", "--bodies", NULL), CLI_OK);
    assert_true(text_starts_with(test_adj_out(adj), "instance/dev/alice\n"));
    assert_non_null(strstr(test_adj_out(adj), "\"status\":{\"phase\":\"Pending\""));
    assert_non_null(strstr(test_adj_out(adj), "PoolNotFound"));
    test_adj_free(adj);
}

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_COUNT);
    assert_int_equal(test_adj_run(adj, "plan", "pool/golden/main", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: there is no pool/golden/main\n");
    assert_int_equal(test_adj_run(adj, "plan", "main", NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "\"main\" is no key: write pool/NAMESPACE/NAME"));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "There are no Pools, Instances or volumes of Adjoint.\n\n");
    test_adj_free(adj);
}

static void keys_are_sorted(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_POOL);
    tell(adj, KIND_POOL, 200,
         LIST_OF(POOL ",{'metadata':{'name':'aaa','namespace':'golden','uid':'p2'},'spec':{"
                      "'golden':{'snapshot':'snap'},'storage':{'storageClassName':'fsx'},"
                      "'allowedNamespaces':{'from':'All'}}}"));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    const char *first = strstr(test_adj_out(adj), "pool/golden/aaa\n");
    const char *second = strstr(test_adj_out(adj), "pool/golden/main\n");
    assert_true(first != NULL && second != NULL && first < second);
    test_adj_free(adj);
}

static void a_kind_that_is_missing_is_named(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_CLUSTER);
    tell(adj, KIND_CLUSTER, 404, "404 page not found\n");
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: CloudNativePG is not installed: there is no kind "
                                           "Cluster of postgresql.cnpg.io/v1\n");
    test_adj_free(adj);
}

static void a_busy_server_is_asked_again(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_POOL);
    test_adj_throttle(adj, METHOD_GET, "/apis/adjoint.dev/v1alpha1/pools", 3000);
    tell(adj, KIND_POOL, 200, LIST_OF(POOL));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    assert_true(test_adj_elapsed_ms(adj) >= 3000);
    test_adj_free(adj);
}

/* As the operator does: one broken object does not hide the others. */
static void what_cannot_be_read_is_said_and_left_out(void **state)
{
    (void)state;
    struct test_adj *adj = cluster_with(KIND_POOL);
    tell(adj, KIND_POOL, 200,
         LIST_OF("{'metadata':{'name':'bad','namespace':'golden'},'spec':{'size':'many'}}," POOL));
    assert_int_equal(test_adj_run(adj, "plan", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_err(adj), "A Pool cannot be read and is left out: "));
    assert_non_null(strstr(test_adj_out(adj), "pool/golden/main\n"));
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_would_be_done_and_why),
        cmocka_unit_test(it_writes_and_watches_nothing),
        cmocka_unit_test(one_key_can_be_asked_for_with_its_bodies),
        cmocka_unit_test(what_is_not_there_is_an_error),
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(a_kind_that_is_missing_is_named),
        cmocka_unit_test(a_busy_server_is_asked_again),
        cmocka_unit_test(what_cannot_be_read_is_said_and_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
