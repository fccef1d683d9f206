/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GOING ",'deletionTimestamp':'2026-07-01T11:30:00Z'"
#define PATCHED "{'kind':'Status','status':'Success'}"
#define MAIN "/apis/adjoint.dev/v1alpha1/namespaces/golden/pools/main"

/* Everything is being deleted, and the operator was stopped. */
static const struct healthy_reply GONE[] = {
    {HEALTHY_LEASES, 200, LIST_OF(HEALTHY_LEASE("adjoint", "", "2026-07-01T11:00:00Z"))},
    {HEALTHY_POOLS, 200, LIST_OF(HEALTHY_POOL(GOING, HEALTHY_POOL_READY))},
    {HEALTHY_INSTANCES, 200, LIST_OF(HEALTHY_ALICE(GOING, HEALTHY_ALICE_READY))},
    {.path = NULL}};

static struct test_adj *uninstalled(void)
{
    struct test_adj *adj = healthy_cluster_new(GONE);
    test_adj_reply(adj, METHOD_PATCH, HEALTHY_VOLUMES "/pv-0", 200, PATCHED);
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 200, PATCHED);
    return adj;
}

static const char INTENT[] =
    "keep    PersistentVolume pv-0 (fsvol-0): set its policy to Retain\n"
    "keep    PersistentVolume pv-1 (fsvol-1)\n"
    "let go  Instance dev/alice: take the finalizer adjoint.dev/volumes off\n"
    "let go  Pool golden/main: take the finalizer adjoint.dev/volumes off\n";

static size_t count_patches(struct test_adj *adj)
{
    size_t count = 0;
    const char *at = test_adj_requests(adj);
    while ((at = strstr(at, "PATCH ")) != NULL) {
        count++;
        at++;
    }
    return count;
}

static void without_an_answer_nothing_is_done(void **state)
{
    (void)state;
    struct test_adj *adj = uninstalled();
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", NULL), CLI_USAGE);
    assert_string_equal(test_adj_out(adj), INTENT);
    assert_string_equal(test_adj_err(adj), "adj: there is nobody to ask: add --yes to do this\n");
    test_adj_types(adj, "y\n");
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "Do this? Type yes:\nNothing was done.\n");
    assert_int_equal(count_patches(adj), 0);
    test_adj_free(adj);
}

static void volumes_are_kept_before_anything_is_let_go(void **state)
{
    (void)state;
    struct test_adj *adj = uninstalled();
    test_adj_reply(adj, METHOD_PATCH, MAIN, 200, PATCHED);
    test_adj_types(adj, "yes\n");
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), INTENT);
    const char *first = strstr(test_adj_requests(adj), "PATCH ");
    assert_non_null(first);
    assert_string_equal(
        first,
        "PATCH " HEALTHY_VOLUMES "/pv-0\n    application/json-patch+json: [{\"op\":\"test\","
        "\"path\":\"/metadata/uid\",\"value\":\"u-pv-0\"},{\"op\":\"replace\",\"path\":"
        "\"/spec/persistentVolumeReclaimPolicy\",\"value\":\"Retain\"}]\n"
        "PATCH " TEST_ALICE "\n    application/json-patch+json: [{\"op\":\"test\",\"path\":"
        "\"/metadata/uid\",\"value\":\"ua\"},{\"op\":\"test\",\"path\":\"/metadata/finalizers/1\","
        "\"value\":\"adjoint.dev/volumes\"},{\"op\":\"remove\",\"path\":"
        "\"/metadata/finalizers/1\"}]\n"
        "PATCH " MAIN "\n    application/json-patch+json: [{\"op\":\"test\",\"path\":"
        "\"/metadata/uid\",\"value\":\"up\"},{\"op\":\"test\",\"path\":\"/metadata/finalizers/0\","
        "\"value\":\"adjoint.dev/volumes\"},{\"op\":\"remove\",\"path\":"
        "\"/metadata/finalizers/0\"}]\n");
    assert_non_null(strstr(test_adj_err(adj), "2 let go. 2 volumes stay, with the policy Retain "
                                              "and their data, 2 PVCs and the Clusters on them."));
    test_adj_free(adj);
}

static void one_that_went_meanwhile_is_no_error(void **state)
{
    (void)state;
    struct test_adj *adj = uninstalled();
    test_adj_reply(adj, METHOD_PATCH, MAIN, 404, "{'message':'not found'}");
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_OK);
    test_adj_free(adj);
}

static void a_volume_that_cannot_be_kept_stops_it(void **state)
{
    (void)state;
    struct test_adj *adj = healthy_cluster_new(GONE);
    test_adj_reply(adj, METHOD_PATCH, HEALTHY_VOLUMES "/pv-0", 403, "{'message':'no'}");
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_ERROR);
    assert_non_null(
        strstr(test_adj_err(adj), "adj: no finalizer was removed: PersistentVolume pv-0: "));
    assert_int_equal(count_patches(adj), 1);
    test_adj_free(adj);
}

static void one_that_is_not_let_go_is_told(void **state)
{
    (void)state;
    struct test_adj *adj = uninstalled();
    test_adj_reply(adj, METHOD_PATCH, MAIN, 422, "{'message':'test failed'}");
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_ERROR);
    assert_non_null(
        strstr(test_adj_err(adj), "adj: not all were let go, run this again: Pool golden/main: "));
    test_adj_free(adj);
}

/* It does the same work properly. */
static void an_operator_that_leads_is_let_work(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {GONE[1], GONE[2], {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_ERROR);
    assert_string_equal(test_adj_out(adj), "");
    assert_string_equal(test_adj_err(adj), "adj: the operator op-1 runs, and ends properly what is "
                                           "being deleted: let it, or stop it first\n");
    test_adj_free(adj);
}

static void whether_one_leads_has_to_be_known(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {
        GONE[1], GONE[2], {HEALTHY_LEASES, 403, "{}"}, {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_ERROR);
    assert_true(text_starts_with(test_adj_err(adj),
                                 "adj: it is not known whether an operator runs: HTTP 403"));
    test_adj_free(adj);
}

static void what_is_not_being_deleted_is_left_alone(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {GONE[0], {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", "--remove-finalizers", "--yes", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "No Pool and no Instance hangs in its deletion. Nothing "
                                           "is to be done.\n");
    assert_int_equal(count_patches(adj), 0);
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_answer_nothing_is_done),
        cmocka_unit_test(volumes_are_kept_before_anything_is_let_go),
        cmocka_unit_test(one_that_went_meanwhile_is_no_error),
        cmocka_unit_test(a_volume_that_cannot_be_kept_stops_it),
        cmocka_unit_test(one_that_is_not_let_go_is_told),
        cmocka_unit_test(an_operator_that_leads_is_let_work),
        cmocka_unit_test(whether_one_leads_has_to_be_known),
        cmocka_unit_test(what_is_not_being_deleted_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
