/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DENIED "{'status':{'allowed':false,'reason':'no RBAC policy matched'}}"

static void what_you_may_not_is_a_hint(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_SELF_REVIEWS, 201, DENIED, CLI_OK,
        "warn  rights         get pools.adjoint.dev: you may not, and the operator "
        "has to: if it runs as another user than you, name that with "
        "--service-account NAMESPACE/NAME; no RBAC policy matched\n");
}

static void what_the_operator_may_not_fails(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {{HEALTHY_REVIEWS, 201, DENIED}, {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", "--service-account", "adjoint/operator", NULL),
                     CLI_UNHEALTHY);
    assert_printed(adj,
                   "FAIL  rights         patch pools/status.adjoint.dev: system:serviceaccount:"
                   "adjoint:operator may not, and the operator has to: give it that right; no RBAC "
                   "policy matched\n");
    assert_printed(adj,
                   "FAIL  rights         update leases.coordination.k8s.io in namespace adjoint: ");
    assert_printed(adj, "FAIL  rights         create events.events.k8s.io: ");
    assert_non_null(
        strstr(test_adj_requests(adj),
               "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\","
               "\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"group\":\"adjoint.dev\","
               "\"resource\":\"pools\"},\"user\":\"system:serviceaccount:adjoint:operator\","
               "\"groups\":[\"system:serviceaccounts\",\"system:serviceaccounts:adjoint\","
               "\"system:authenticated\"]}}"));
    test_adj_free(adj);
}

#define CHARTS                                                                                     \
    LIST_OF("{'metadata':{'name':'adjoint','namespace':'adjoint-system','labels':{"                \
            "'app.kubernetes.io/name':'adjoint'}},'spec':{'template':{'spec':{"                    \
            "'serviceAccountName':'adjoint'}}}}," HEALTHY_DEPLOYMENT(HEALTHY_IMAGE, "1", ""))

static void the_charts_service_account_is_found(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_DEPLOYMENTS, 200, CHARTS}, {HEALTHY_SELF_REVIEWS, 201, DENIED}, {.path = NULL}};
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_OK);
    assert_printed(adj, "ok    rights         system:serviceaccount:adjoint-system:adjoint may do "
                        "all that the operator does\n");
    /* Its Lease is in its own namespace, where alone it has that right. */
    assert_non_null(strstr(test_adj_requests(adj),
                           "{\"namespace\":\"adjoint-system\",\"verb\":\"update\",\"group\":"
                           "\"coordination.k8s.io\",\"resource\":\"leases\",\"name\":"
                           "\"adjoint-operator\"}"));
    test_adj_free(adj);
}

static void who_may_not_ask_about_it_asks_about_themselves(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_DEPLOYMENTS, 200, CHARTS}, {HEALTHY_REVIEWS, 403, "{}"}, {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "ok    rights         you may do all that the operator does\n");
}

static void it_is_asked_once_whether_one_may_ask(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_SELF_REVIEWS, 404, "404 page not found\n", CLI_OK,
        "warn  rights         what the operator may do: cannot be looked at: the API server does "
        "not have it\n"
        "ok    cloudnativepg");
}

/* ---- nothing that is planned is forgotten ---- */

/* The first words of a line of a plan, and what they need. */
static const struct {
    const char *words, *verb, *subresource;
} PLANNED[] = {
    {"create ", "create", NULL},      {"dry-run ", "create", NULL}, {"expect-none ", "get", NULL},
    {"expect-some ", "create", NULL}, {"patch ", "patch", NULL},    {"status ", "patch", "status"},
    {"test-and-set ", "patch", NULL}, {"delete ", "delete", NULL},  {"read ", "get", NULL},
    {"events ", "list", NULL},
};

static void assert_asked(struct test_adj *adj, const char *verb, const char *subresource,
                         const char *kind)
{
    size_t at = 0;
    while (at < KIND_COUNT && !text_equal(kind_of((enum object_kind)at)->kind, kind)) {
        at++;
    }
    assert_true(at < KIND_COUNT);
    const struct kind *row = kind_of((enum object_kind)at);
    const char *slash = strchr(row->api_version, '/');
    cleanup_text struct text question;
    text_init(&question, 1024);
    text_print(&question, "{\"verb\":\"%s\",\"group\":\"%.*s\",\"resource\":\"%s\"%s%s%s}", verb,
               slash == NULL ? 0 : (int)(slash - row->api_version), row->api_version, row->plural,
               subresource == NULL ? "" : ",\"subresource\":\"",
               subresource == NULL ? "" : subresource, subresource == NULL ? "" : "\"");
    if (strstr(test_adj_requests(adj), question.bytes) == NULL) {
        fail_msg("plans %s a %s, and src/cli/doctor_rights.c does not ask whether that is allowed",
                 verb, kind);
    }
}

static size_t check_line(struct test_adj *adj, const char *line)
{
    for (size_t i = 0; i < sizeof(PLANNED) / sizeof(PLANNED[0]); i++) {
        if (text_starts_with(line, PLANNED[i].words)) {
            char kind[64];
            const char *from = line + strlen(PLANNED[i].words);
            snprintf(kind, sizeof(kind), "%.*s", (int)strcspn(from, " "), from);
            assert_asked(adj, PLANNED[i].verb, PLANNED[i].subresource, kind);
            return 1;
        }
    }
    return 0;
}

static void every_action_of_every_plan_is_asked_for(void **state)
{
    (void)state;
    glob_t plans;
    assert_int_equal(glob("tests/plans/*/plan.txt", 0, NULL, &plans), 0);
    struct test_adj *adj = healthy_cluster_new(NULL);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_OK);
    size_t checked_count = 0;
    for (size_t i = 0; i < plans.gl_pathc; i++) {
        char line[4096];
        FILE *file = fopen(plans.gl_pathv[i], "r");
        assert_non_null(file);
        while (fgets(line, sizeof(line), file) != NULL) {
            checked_count += check_line(adj, line);
        }
        fclose(file);
    }
    assert_true(checked_count > 100);
    globfree(&plans);
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_you_may_not_is_a_hint),
        cmocka_unit_test(what_the_operator_may_not_fails),
        cmocka_unit_test(the_charts_service_account_is_found),
        cmocka_unit_test(who_may_not_ask_about_it_asks_about_themselves),
        cmocka_unit_test(it_is_asked_once_whether_one_may_ask),
        cmocka_unit_test(every_action_of_every_plan_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
