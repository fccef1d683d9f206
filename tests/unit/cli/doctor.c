/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SAYS(word, code, part, ...)                                                                \
    do {                                                                                           \
        const struct healthy_reply other[] = {__VA_ARGS__, {.path = NULL}};                        \
        assert_doctor_says(other, word, code, part);                                               \
    } while (0)

static void a_healthy_cluster_has_nothing_but_ok(void **state)
{
    (void)state;
    struct test_adj *adj = healthy_cluster_new(NULL);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "ok    kinds          adjoint.dev: is served as v1alpha1\n"
        "ok    kinds          snapshot.storage.k8s.io: is served as v1\n"
        "ok    kinds          postgresql.cnpg.io: is served as v1\n"
        "ok    operator       Lease adjoint/adjoint-operator: op-1 leads, renewed 2s ago\n"
        "ok    rights         you may do all that the operator does\n"
        "ok    cloudnativepg  Deployment cnpg-system/cnpg-controller-manager: is version 1.30.0\n"
        "ok    classes        StorageClass fsx: clones, and Postgres can write there\n"
        "ok    classes        StorageClass adjoint-handoff: is there, and inert\n"
        "ok    goldens        Pool golden/main: GoldenUsable: VolumeSnapshot snap, system "
        "identifier 74, database app\n"
        "ok    pools          Pool golden/main: Warm: a claim would be served at once\n"
        "ok    instances      none of 1 needs a person\n"
        "ok    volumes        3 of Adjoint's, each with a handle of its own\n"
        "ok    owners         all 5 volumes, PVCs and Clusters belong to a Pool or an Instance\n");
    assert_string_equal(test_adj_err(adj), "13 ok, 0 warn, 0 FAIL; FSx was not asked for volumes "
                                           "that no PersistentVolume names: --fsx\n");
    test_adj_free(adj);
}

static void it_writes_and_watches_nothing(void **state)
{
    (void)state;
    struct test_adj *adj = healthy_cluster_new(NULL);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_OK);
    assert_null(strstr(test_adj_requests(adj), "PATCH"));
    assert_null(strstr(test_adj_requests(adj), "DELETE"));
    assert_null(strstr(test_adj_requests(adj), "watch=1"));
    test_adj_free(adj);
}

static void findings_as_json(void **state)
{
    (void)state;
    struct test_adj *adj = healthy_cluster_new(NULL);
    assert_int_equal(test_adj_run(adj, "doctor", "-o", "json", NULL), CLI_OK);
    assert_true(text_starts_with(
        test_adj_out(adj), "{\n    \"findings\": [\n        {\n            \"level\": \"ok\",\n"
                           "            \"check\": \"kinds\",\n            \"subject\": "
                           "\"adjoint.dev\",\n            \"message\": \"is served as "
                           "v1alpha1\"\n        },\n"));
    assert_string_equal(test_adj_err(adj), "");
    test_adj_free(adj);
}

static void one_pool_can_be_looked_at_alone(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_POOLS, 200,
         LIST_OF(HEALTHY_POOL(
             "",
             HEALTHY_POOL_READY) ",{'metadata':{'name':'other','namespace':"
                                 "'golden','uid':'u2'},'spec':{'golden':{'snapshot':'none'},'"
                                 "storage':{"
                                 "'storageClassName':'x'},'allowedNamespaces':{'from':'All'}}}")},
        {HEALTHY_POOLS "/main", 200, "{}"},
        {"/apis/adjoint.dev/v1alpha1/namespaces/golden/pools/main", 200,
         HEALTHY_POOL("", HEALTHY_POOL_READY)},
        {"/apis/adjoint.dev/v1alpha1/namespaces/dev/pools/main", 404,
         "{'kind':'Status','message':'pools \"main\" not found','code':404}"},
        {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_UNHEALTHY);
    assert_printed(adj, "FAIL  goldens        Pool golden/other: SnapshotNotFound");
    assert_int_equal(test_adj_run(adj, "doctor", "golden/main", NULL), CLI_OK);
    assert_null(strstr(test_adj_out(adj), "golden/other"));
    assert_int_equal(test_adj_run(adj, "doctor", "main", "-n", "golden", NULL), CLI_OK);
    assert_int_equal(test_adj_run(adj, "doctor", "main", NULL), CLI_ERROR);
    test_adj_free(adj);
}

static void kinds_that_are_missing_are_said_with_their_remedy(void **state)
{
    (void)state;
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  kinds          adjoint.dev: is not installed: kubectl apply -f crds/\n",
         {"/apis/adjoint.dev", 404, "404 page not found\n"},
         {HEALTHY_POOLS, 404, "404 page not found\n"});
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  objects        Adjoint's CRDs are not installed: kubectl apply "
         "-f crds/; what compares objects with each other was left out\n",
         {"/apis/adjoint.dev", 404, "404 page not found\n"},
         {HEALTHY_POOLS, 404, "404 page not found\n"});
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  kinds          adjoint.dev: is served as v2 and not as v1alpha1",
         {"/apis/adjoint.dev", 200, "{'versions':[{'version':'v2'}]}"});
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  kinds          postgresql.cnpg.io: v1 has no clusters/status: "
         "install CloudNativePG\n",
         {"/apis/postgresql.cnpg.io/v1", 200, "{'resources':[{'name':'clusters'}]}"});
}

/* One that is missing does not hide another. */
static void the_other_checks_go_on(void **state)
{
    (void)state;
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  operator       Lease adjoint/adjoint-operator: nobody leads: the operator was "
         "stopped; start it again\n",
         {"/apis/adjoint.dev", 404, "404 page not found\n"},
         {HEALTHY_POOLS, 404, "404 page not found\n"},
         {HEALTHY_LEASES, 200, LIST_OF(HEALTHY_LEASE("adjoint", "", "2026-07-01T11:59:58Z"))});
}

static void a_lease_that_is_not_renewed_is_told(void **state)
{
    (void)state;
    SAYS(NULL, CLI_UNHEALTHY,
         "FAIL  operator       Lease adjoint/adjoint-operator: op-1 led and has not renewed it for "
         "60m (by the clock here): look at the operator's pods and log\n",
         {HEALTHY_LEASES, 200, LIST_OF(HEALTHY_LEASE("adjoint", "op-1", "2026-07-01T11:00:00Z"))});
    SAYS(NULL, CLI_UNHEALTHY, "there is no Lease adjoint-operator: the operator has never run here",
         {HEALTHY_LEASES, 200, LIST_OF("")});
    SAYS(NULL, CLI_UNHEALTHY, "FAIL  operator       2 operators lead at once",
         {HEALTHY_LEASES, 200,
          LIST_OF(HEALTHY_LEASE("a", "op-1", "2026-07-01T11:59:59Z") "," HEALTHY_LEASE(
              "b", "op-2", "2026-07-01T11:59:59Z"))});
    SAYS(NULL, CLI_OK, "warn  operator       Lease: cannot be looked at: HTTP 403",
         {HEALTHY_LEASES, 403, "{}"});
}

static void its_lease_can_be_named(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {"/apis/coordination.k8s.io/v1/namespaces/mine/leases", 200,
         LIST_OF(HEALTHY_LEASE("mine", "op-7", "2026-07-01T11:59:58Z"))},
        {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", "--lease-namespace=mine", "--lease-name=l", NULL),
                     CLI_OK);
    assert_printed(adj, "Lease mine/l: op-7 leads");
    assert_non_null(strstr(test_adj_requests(adj),
                           "/namespaces/mine/leases?fieldSelector=metadata.name%3Dl\n"));
    test_adj_free(adj);
}

static void a_server_that_is_not_there_is_one_line(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_fail(adj, METHOD_GET, "/version", ERROR_UNAVAILABLE);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_ERROR);
    assert_true(text_starts_with(test_adj_err(adj), "adj: cannot reach the API server: "));
    test_adj_free(adj);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    struct test_adj *adj = healthy_cluster_new(NULL);
    assert_int_equal(test_adj_run(adj, "doctor", "--yes", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: --yes is for --remove-finalizers\n");
    assert_int_equal(test_adj_run(adj, "doctor", "--service-account", "x", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj),
                        "adj: --service-account: \"x\" is none: write NAMESPACE/NAME\n");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_cluster_has_nothing_but_ok),
        cmocka_unit_test(it_writes_and_watches_nothing),
        cmocka_unit_test(findings_as_json),
        cmocka_unit_test(one_pool_can_be_looked_at_alone),
        cmocka_unit_test(kinds_that_are_missing_are_said_with_their_remedy),
        cmocka_unit_test(the_other_checks_go_on),
        cmocka_unit_test(a_lease_that_is_not_renewed_is_told),
        cmocka_unit_test(its_lease_can_be_named),
        cmocka_unit_test(a_server_that_is_not_there_is_one_line),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
