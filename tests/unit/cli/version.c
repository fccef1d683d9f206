/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/version.h"

#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CLIENT "adj " ADJOINT_VERSION ", for adjoint.dev/v1alpha1\n"
#define ALL_PODS "/api/v1/pods"
#define PODS_THERE "/api/v1/namespaces/adjoint-system/pods"
#define METRICS(pod) PODS_THERE "/" pod "%3A8080/proxy/metrics"
#define INFO(version)                                                                              \
    "# TYPE adjoint_build_info gauge\nadjoint_build_info{version=\"" version "\"} 1\n"
#define POD(name, label)                                                                           \
    "{'metadata':{'name':'" name "','namespace':'adjoint-system','labels':{" label                 \
    "}},'spec':{'containers':[{'name':'operator','ports':[{'name':'metrics','containerPort':"      \
    "8080}]}]}}"
#define PODS(pods) "{'metadata':{},'items':[" pods "]}"

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

static void its_own_needs_no_cluster(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "version", "--client", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), CLIENT);
    assert_string_equal(test_adj_requests(adj), "");
}

static void each_operator_tells_its_own(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL_PODS, 200, PODS(POD("a", "") "," POD("b", "")));
    test_adj_reply(adj, METHOD_GET, METRICS("a"), 200, INFO(ADJOINT_VERSION));
    test_adj_reply(adj, METHOD_GET, METRICS("b"), 200, INFO("9.3.1"));
    assert_int_equal(test_adj_run(adj, "version", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        CLIENT "adjoint-operator " ADJOINT_VERSION ", pod adjoint-system/a\n"
                               "adjoint-operator 9.3.1, pod adjoint-system/b\n");
    assert_string_equal(test_adj_err(adj),
                        "adj: adj " ADJOINT_VERSION " and adjoint-operator 9.3.1 are of different "
                        "releases: install the adj of 9.3, or what one shows may not be what the "
                        "other means\n");
}

static void the_label_tells_when_the_metrics_may_not_be_read(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL_PODS, 403, "{'kind':'Status','reason':'Forbidden'}");
    test_adj_reply(
        adj, METHOD_GET, PODS_THERE, 200,
        PODS(POD("a", "'app.kubernetes.io/version':'" ADJOINT_VERSION "'") "," POD("b", "")));
    test_adj_reply(adj, METHOD_GET, METRICS("a"), 403, "{'kind':'Status','reason':'Forbidden'}");
    test_adj_reply(adj, METHOD_GET, METRICS("b"), 200, "nothing here\n");
    assert_int_equal(test_adj_run(adj, "version", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), CLIENT "adjoint-operator " ADJOINT_VERSION
                                                  ", by the label of pod adjoint-system/a\n");
    assert_string_equal(test_adj_err(adj), "The operator in pod adjoint-system/b does not tell its "
                                           "version: its metrics have no adjoint_build_info\n");
}

static void one_elsewhere_is_asked_by_its_url(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, "/metrics", 200, INFO(ADJOINT_VERSION));
    assert_int_equal(test_adj_run(adj, "version", "--operator-url", "http://localhost:8080", NULL),
                     CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        CLIENT "adjoint-operator " ADJOINT_VERSION ", http://localhost:8080\n");
    assert_string_equal(test_adj_requests(adj), "at http://localhost:8080: GET /metrics\n");
    assert_int_equal(test_adj_run(adj, "version", "--operator-url", "localhost:8080", NULL),
                     CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "\"localhost:8080\" is none: write scheme, host"));
}

static void what_is_not_seen_is_no_failure(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, ALL_PODS, 200, PODS(""));
    assert_int_equal(test_adj_run(adj, "version", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), CLIENT);
    assert_non_null(strstr(test_adj_err(adj), "no pod has the label"));
    assert_int_equal(test_adj_run(adj, "version", "--context=nope", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj),
                        "The operator's version is not seen: there is no context nope\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(its_own_needs_no_cluster, setup, teardown),
        cmocka_unit_test_setup_teardown(each_operator_tells_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(the_label_tells_when_the_metrics_may_not_be_read, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_elsewhere_is_asked_by_its_url, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_seen_is_no_failure, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
