/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(status)                                                                              \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':{'name':'alice',"           \
    "'namespace':'dev','uid':'u1'},'spec':{'pool':{'name':'main','namespace':'golden'}},"          \
    "'status':{" status "}}"
#define READY                                                                                      \
    ALICE("'phase':'Ready','connection':{'host':'alice-rw.dev.svc','database':'app','user':"       \
          "'app','secret':'alice-app'}")
#define SECRET "/api/v1/namespaces/dev/secrets/alice-app"
/* my db, app, s3cret */
#define SECRET_DATA                                                                                \
    "{'data':{'database':'bXkgZGI=','username':'YXBw','password':'czNjcmV0','uri':'eA=='}}"
#define CLUSTER "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters/alice"
#define CLUSTER_DATA(primary)                                                                      \
    "{'metadata':{'name':'alice','namespace':'dev'},'status':{'currentPrimary':'" primary "'}}"
#define FORBIDDEN                                                                                  \
    "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"pods \\\"alice-1\\\" is "         \
    "forbidden: User \\\"bob\\\" cannot create resource \\\"pods/portforward\\\"\"}"
#define BY_KUBECTL                                                                                 \
    "  kubectl -n dev port-forward service/alice-rw 5432 &\n"                                      \
    "  PGPASSWORD=\"$(kubectl -n dev get secret alice-app -o "                                     \
    "go-template='{{.data.password | base64decode}}')\" psql -h 127.0.0.1 -U app -d app\n"
#define ASKED(pod)                                                                                 \
    "GET " TEST_ALICE "\nGET " SECRET "\nGET " CLUSTER                                             \
    "\nFORWARD /api/v1/namespaces/dev/pods/" pod "/portforward?ports=5432\n"
#define VARIABLES                                                                                  \
    "    PGHOST=127.0.0.1\n    PGPORT=40000\n    PGDATABASE=my db\n    PGUSER=app\n"               \
    "    PGPASSWORD=s3cret\n    PGSERVICE\n    PGHOSTADDR\n"

static int setup(void **state)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, READY);
    test_adj_reply(adj, METHOD_GET, SECRET, 200, SECRET_DATA);
    test_adj_reply(adj, METHOD_GET, CLUSTER, 200, CLUSTER_DATA("alice-1"));
    test_adj_forwards(adj, 0, "");
    *state = adj;
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

/* The password is on no command line and in no output. */
static void psql_has_all_it_needs_from_its_environment(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "connect", "alice", "--", "-Atc", "select 1", NULL), CLI_OK);
    assert_string_equal(test_adj_requests(adj),
                        ASKED("alice-1") "RUN psql [-Atc] [select 1]\n" VARIABLES);
    assert_string_equal(test_adj_out(adj), "");
    assert_string_equal(test_adj_err(adj), "");
}

static void its_exit_code_is_psqls(void **state)
{
    struct test_adj *adj = *state;
    test_adj_child_ends(adj, 2);
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), 2);
}

static void the_pod_is_the_clusters_primary(void **state)
{
    struct test_adj *adj = test_adj_new();
    (void)state;
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, READY);
    test_adj_reply(adj, METHOD_GET, SECRET, 200, SECRET_DATA);
    test_adj_reply(adj, METHOD_GET, CLUSTER, 200, CLUSTER_DATA("alice-2"));
    test_adj_reply(adj, METHOD_GET, CLUSTER, 403, FORBIDDEN);
    test_adj_forwards(adj, 0, "");
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), ASKED("alice-2")));
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), ASKED("alice-1")));
    test_adj_free(adj);
}

static void an_address_is_printed_instead(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "connect", "alice", "--address", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "127.0.0.1:40000\n");
    assert_string_equal(test_adj_requests(adj),
                        "GET " TEST_ALICE "\nGET " CLUSTER
                        "\nFORWARD /api/v1/namespaces/dev/pods/alice-1/portforward?ports=5432\n"
                        "RUN nothing\n");
    assert_int_equal(test_adj_run(adj, "connect", "alice", "--address", "--", "-l", NULL),
                     CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "--address starts no psql"));
}

static void one_that_is_not_ready_is_not_connected_to(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("'phase':'Waiting'"));
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("'phase':'Hibernated'"));
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_INSTANCE_FAILED);
    assert_string_equal(test_adj_err(adj),
                        "adj: Instance dev/alice cannot be connected to: Waiting for a clone "
                        "(`adj why alice` says more)\n");
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_INSTANCE_FAILED);
    assert_non_null(strstr(test_adj_err(adj), "(`adj wake alice` starts it)\n"));
    test_adj_free(adj);
}

static void who_may_not_forward_is_told_what_to_paste(void **state)
{
    struct test_adj *adj = *state;
    test_adj_forwards(adj, 403, FORBIDDEN);
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_out(adj), BY_KUBECTL);
    assert_string_equal(test_adj_err(adj),
                        "adj: pods \"alice-1\" is forbidden: User \"bob\" cannot create resource "
                        "\"pods/portforward\": it takes the verbs get and create on "
                        "pods/portforward. With create alone kubectl does it:\n");
}

static void who_has_no_psql_is_told_what_to_do(void **state)
{
    struct test_adj *adj = *state;
    test_adj_child_ends(adj, -1);
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_out(adj),
                        "  kubectl -n dev exec -it alice-1 -c postgres -- psql -d app\n");
    assert_non_null(strstr(test_adj_err(adj), "adj: psql: no such command in PATH: install "));
}

static void other_refusals_are_explained(void **state)
{
    struct test_adj *adj = *state;
    test_adj_forwards(adj, 404, "pod does not exist");
    assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "pod does not exist"));
    assert_string_equal(test_adj_out(adj), "");
}

static void a_secret_that_is_no_use_is_named(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"{'data':{'database':'YQ==','username':'YQ=='}}", "Secret dev/alice-app: it has no pass"},
        {"{'data':{'database':'*'}}", "Secret dev/alice-app: its database: "},
        {"{'data':{'database':'AA=='}}", "Secret dev/alice-app: its database has a NUL in it"},
        {"[", "Secret dev/alice-app: "},
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        struct test_adj *adj = test_adj_new();
        test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, READY);
        test_adj_reply(adj, METHOD_GET, SECRET, 200, bodies[i][0]);
        assert_int_equal(test_adj_run(adj, "connect", "alice", NULL), CLI_ERROR);
        assert_non_null(strstr(test_adj_err(adj), bodies[i][1]));
        test_adj_free(adj);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(psql_has_all_it_needs_from_its_environment, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(its_exit_code_is_psqls, setup, teardown),
        cmocka_unit_test(the_pod_is_the_clusters_primary),
        cmocka_unit_test_setup_teardown(an_address_is_printed_instead, setup, teardown),
        cmocka_unit_test(one_that_is_not_ready_is_not_connected_to),
        cmocka_unit_test_setup_teardown(who_may_not_forward_is_told_what_to_paste, setup, teardown),
        cmocka_unit_test_setup_teardown(who_has_no_psql_is_told_what_to_do, setup, teardown),
        cmocka_unit_test_setup_teardown(other_refusals_are_explained, setup, teardown),
        cmocka_unit_test(a_secret_that_is_no_use_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
