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

#define POOLS "/apis/adjoint.dev/v1alpha1/namespaces/golden/pools"
#define VOLUMES "/api/v1/persistentvolumes"
#define CLUSTERS "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters"
#define CLAIMS "/api/v1/namespaces/dev/persistentvolumeclaims"
#define LIST_OF(items) "{'metadata':{'resourceVersion':'1'},'items':[" items "]}"
#define GONE "{'kind':'Status','reason':'NotFound','message':'not found'}"
#define POOL                                                                                       \
    "{'metadata':{'name':'main','namespace':'golden','uid':'p','resourceVersion':'1'},'spec':{"    \
    "'golden':{'snapshot':'snap'},'size':2,'storage':{'storageClassName':'fsx'},"                  \
    "'allowedNamespaces':{'from':'All'}},'status':{'warm':1,'filling':2,'lane':{'name':'fs-1',"    \
    "'gapMilliseconds':60000}}}"
#define NAME(test, number) "adj-" test "-gqzs7-" number
#define EVENT(kind, test, number, version, status)                                                 \
    "{'type':'" kind "','object':{'kind':'Instance','apiVersion':'adjoint.dev/v1alpha1',"          \
    "'metadata':{'name':'" NAME(test, number) "','namespace':'dev','uid':'u" number                \
                                              "','resourceVersion':'" version                      \
                                              "','generation':1,'creationTimestamp':"              \
                                              "'2026-07-01T12:00:00Z'},'spec':{'pool':{'name':'"   \
                                              "main','namespace':'golden'}},'status':{" status     \
                                              "}}}"
/* 250 ms to the choice, 100 ms to Bound, 3.9 s more. */
#define READY                                                                                      \
    "'phase':'Ready','timings':{'chosenAt':'2026-07-01T12:00:00.250Z','boundAt':"                  \
    "'2026-07-01T12:00:00.350Z','readyAt':'2026-07-01T12:00:04.250Z'}"
#define WAITING "'phase':'Waiting','queue':{'position':1}"
#define REFUSED                                                                                    \
    "'phase':'Pending','observedGeneration':1,'conditions':[{'type':'Eligible','status':'False',"  \
    "'reason':'NamespaceNotAllowed','message':'it does not allow it','observedGeneration':1,"      \
    "'lastTransitionTime':'2026-07-01T12:00:00Z'}]"

#define BURST "burst", "--pool", "golden/main"

static struct test_adj *in_a_cluster(const char *cluster_list)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, POOLS "/main", 200, POOL);
    test_adj_reply(adj, METHOD_GET, POOLS, 200, LIST_OF(POOL));
    test_adj_reply(adj, METHOD_DELETE, TEST_INSTANCES "/adj-not-there", 404, GONE);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(""));
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, "{}");
    test_adj_reply(adj, METHOD_GET, VOLUMES, 200, LIST_OF(""));
    test_adj_reply(adj, METHOD_GET, CLUSTERS, 200, cluster_list);
    test_adj_reply(adj, METHOD_GET, CLAIMS, 403, GONE);
    static const char *const names[] = {NAME("burst", "1"), NAME("burst", "2"), NAME("soak", "1"),
                                        NAME("soak", "2")};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", TEST_INSTANCES, names[i]);
        test_adj_reply(adj, METHOD_DELETE, path, 200, "{}");
    }
    return adj;
}

static int setup(void **state)
{
    *state = in_a_cluster(LIST_OF(""));
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

/* The first from a warm clone after 5 s, the second after a minute's wait. */
static void tell_of_two(struct test_adj *adj)
{
    test_adj_event(adj, TEST_INSTANCES, 500, EVENT("ADDED", "burst", "2", "2", WAITING));
    test_adj_event(adj, TEST_INSTANCES, 4500, EVENT("ADDED", "burst", "1", "3", READY));
    test_adj_event(adj, TEST_INSTANCES, 60000, EVENT("MODIFIED", "burst", "2", "4", READY));
    test_adj_event(adj, TEST_INSTANCES, 9000, EVENT("DELETED", "burst", "1", "5", READY));
    test_adj_event(adj, TEST_INSTANCES, 0, EVENT("DELETED", "burst", "2", "6", READY));
}

static void a_burst_is_told_by_path_and_by_phase(void **state)
{
    struct test_adj *adj = *state;
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, BURST, "-k", "2", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "SECONDS                    COUNT   P50    P95    P99    MAX\n"
        "to Ready, all              2       35.0   62.0   64.4   65.0\n"
        "  found a warm clone       1       5.0    5.0    5.0    5.0\n"
        "  waited for one           1       65.0   65.0   65.0   65.0\n"
        "until a volume is chosen   2       31.0   58.0   60.4   61.0\n"
        "until its claim is Bound   2       0.1    0.1    0.1    0.1\n"
        "until Postgres is ready    2       3.9    3.9    3.9    3.9\n"
        "\n2 Instances of pool golden/main in namespace dev, in 65.0 s:\n"
        "  2 became Ready, 1 of them from a warm clone; 0 did not\n"
        "  lane fs-1: clones were being made 100% of the time, 2.0 at once on average, a gap of "
        "60.0 s; fewest warm clones: 1\n");
    assert_says(
        test_adj_requests(adj),
        "POST " TEST_INSTANCES "\n    application/json: {\"apiVersion\":"
        "\"adjoint.dev/v1alpha1\",\"kind\":\"Instance\",\"metadata\":{\"name\":\"" NAME(
            "burst",
            "1") "\",\"namespace\":\"dev\",\"labels\":{"
                 "\"adjoint.dev/field-test\":\"burst\",\"adjoint.dev/field-test-run\":\"gqzs7\"}},"
                 "\"spec\":{\"pool\":{\"name\":\"main\",\"namespace\":\"golden\"},"
                 "\"deletionPolicy\":\"Delete\"}}\n");
    assert_says(test_adj_err(adj), "Whether persistentvolumeclaims are left is not seen");
}

static void as_csv(void **state)
{
    struct test_adj *adj = *state;
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, BURST, "-k", "2", "-o", "csv", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "instance,asked_ms,path,queue_ms,bind_ms,start_ms,ready_ms\n" NAME(
            "burst",
            "1") ",0,warm,1000,100,3900,5000\n" NAME("burst",
                                                     "2") ",0,waited,61000,100,3900,65000\n");
}

static void as_json(void **state)
{
    struct test_adj *adj = *state;
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, BURST, "-k", "2", "-o", "json", NULL), CLI_OK);
    assert_says(test_adj_out(adj), "\"readyWaited\": {\n            \"count\": 1,\n            "
                                   "\"p50Milliseconds\": 65000,");
    assert_says(test_adj_out(adj), "\"warmLeast\": 1");
}

static void those_that_cannot_become_ready_are_told_and_deleted(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, TEST_INSTANCES, 500, EVENT("ADDED", "burst", "1", "2", REFUSED));
    test_adj_event(adj, TEST_INSTANCES, 500, EVENT("DELETED", "burst", "1", "3", REFUSED));
    assert_int_equal(test_adj_run(adj, BURST, "-k", "1", NULL), CLI_INSTANCE_FAILED);
    assert_says(test_adj_err(adj), "1 of 1 have not become Ready; " NAME(
                                       "burst", "1") ": Pending: "
                                                     "NamespaceNotAllowed: it does not allow it");
    assert_says(test_adj_requests(adj), "DELETE " TEST_INSTANCES "/" NAME("burst", "1"));
}

static void a_cluster_without_its_instance_is_a_leak(void **state)
{
    (void)state;
    struct test_adj *adj = in_a_cluster(LIST_OF(
        "{'metadata':{'name':'mine','namespace':'dev'},'spec':{}},{'metadata':{'name':'" NAME(
            "burst", "1") "','namespace':'dev'},'spec':{}}"));
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, BURST, "-k", "2", NULL), CLI_UNHEALTHY);
    assert_says(test_adj_err(adj), "Cluster dev/" NAME("burst", "1") " is left");
    assert_null(strstr(test_adj_err(adj), "dev/mine"));
    test_adj_free(adj);
}

/* Two an hour for an hour, each for ten minutes: it is 30 minutes, and then the second's life. */
static void a_soak_asks_at_its_rate_and_deletes_in_between(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, TEST_INSTANCES, 5000, EVENT("ADDED", "soak", "1", "2", READY));
    test_adj_event(adj, TEST_INSTANCES, 610000, EVENT("DELETED", "soak", "1", "3", READY));
    test_adj_event(adj, TEST_INSTANCES, 1195000, EVENT("ADDED", "soak", "2", "4", READY));
    test_adj_event(adj, TEST_INSTANCES, 610000, EVENT("DELETED", "soak", "2", "5", READY));
    assert_int_equal(test_adj_run(adj, "soak", "--pool", "golden/main", "--rate", "2/h", "--for",
                                  "1h", "--life", "10m", "-o", "csv", NULL),
                     CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "instance,asked_ms,path,queue_ms,bind_ms,start_ms,ready_ms\n" NAME(
            "soak",
            "1") ",0,warm,1000,100,3900,5000\n" NAME("soak",
                                                     "2") ",1800000,warm,6000,100,3900,10000\n");
    assert_int_equal(test_adj_elapsed_ms(adj), 5000 + 610000 + 1195000 + 610000);
}

static void what_is_typed_wrongly_is_told(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "burst", NULL), CLI_USAGE);
    assert_says(test_adj_err(adj), "burst needs --pool NAMESPACE/NAME");
    assert_int_equal(test_adj_run(adj, "burst", "--pool", "main", NULL), CLI_USAGE);
    static const char *const rates[] = {
        "6", "0/h", "/h", "6/w", "-1/h", "1.5/h", "99999999999999999999/h", "999999999/s"};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        assert_int_equal(
            test_adj_run(adj, "soak", "--pool", "golden/main", "--rate", rates[i], NULL),
            CLI_USAGE);
        assert_says(test_adj_err(adj), "is no rate: a number, and /h");
    }
    assert_int_equal(test_adj_run(adj, "soak", "--pool", "golden/main", "--rate", "9/s", NULL),
                     CLI_USAGE);
    assert_says(test_adj_err(adj), "at most 10000");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_burst_is_told_by_path_and_by_phase),
        TEST(as_csv),
        TEST(as_json),
        TEST(those_that_cannot_become_ready_are_told_and_deleted),
        cmocka_unit_test(a_cluster_without_its_instance_is_a_leak),
        TEST(a_soak_asks_at_its_rate_and_deletes_in_between),
        TEST(what_is_typed_wrongly_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
