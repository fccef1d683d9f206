/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the file is read as zlib unpacks it: tar keeps bytes as they are. */
#include "cli/command.h"
#include "support/healthy_cluster.h"
#include "support/test_folder.h"

#include <zlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES_MAX = 1024 * 1024 };

/* Whatever stands for a secret below. */
#define SECRET "hunter2"
#define OPERATOR "/api/v1/namespaces/adjoint-system/pods/op-1"
#define POD                                                                                        \
    "{'metadata':{'name':'op-1','namespace':'adjoint-system','resourceVersion':'2','uid':'o1'},"   \
    "'spec':{'containers':[{'name':'operator','args':['--token','" SECRET "','--log-level=info',"  \
    "'--password=" SECRET "'],'env':[{'name':'AWS_SECRET_ACCESS_KEY','value':'" SECRET "'}],"      \
    "'ports':[{'name':'metrics','containerPort':8080}]}]}}"
#define SECRETIVE                                                                                  \
    ",'annotations':{'kubectl.kubernetes.io/last-applied-configuration':"                          \
    "'{\\'spec\\':{\\'sanitize\\':{\\'sql\\':\\'" SECRET "\\'}}}'}"
#define EVENT(namespace, note)                                                                     \
    "{'metadata':{'name':'e','namespace':'" namespace "'},'reason':'R','message':'" note "'}"
#define FORBIDDEN "{'kind':'Status','reason':'Forbidden','message':'may not, said the server'}"

static const struct healthy_reply PLANTED[] = {
    {"/api/v1/pods", 200, LIST_OF(POD)},
    {HEALTHY_POOLS, 200, LIST_OF(HEALTHY_POOL(SECRETIVE, HEALTHY_POOL_READY))},
    {"/api/v1/events", 200,
     LIST_OF(EVENT("dev", "postgres://u:" SECRET "@db is not there") "," EVENT("foreign", "mine"))},
    {OPERATOR "/log", 200, "started\nAuthorization: Bearer " SECRET "\n"},
    {OPERATOR "%3A8080/proxy/metrics", 200, "adjoint_warm 1\n"},
    {OPERATOR "%3A8080/proxy/debug/state", 200, "{'leading':true}"},
    {OPERATOR "%3A8080/proxy/healthz", 403, FORBIDDEN},
    {OPERATOR "%3A8080/proxy/readyz", 200, "ok\n"},
    {.path = NULL},
};

struct outcome {
    struct test_folder folder;
    struct test_adj *adj;
    int code;
    char bytes[BYTES_MAX];
};

static int setup(void **state)
{
    struct outcome *outcome = test_calloc(1, sizeof(*outcome));
    test_folder_init(&outcome->folder);
    outcome->adj = healthy_cluster_new(PLANTED);
    *state = outcome;
    return 0;
}

static int teardown(void **state)
{
    struct outcome *outcome = *state;
    test_adj_free(outcome->adj);
    test_folder_release(&outcome->folder);
    test_free(outcome);
    return 0;
}

static void run(struct outcome *outcome, const char *word)
{
    const char *path = test_folder_path(&outcome->folder, "r.tar.gz");
    outcome->code = test_adj_run(outcome->adj, "report", "--file", path, word, NULL);
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    int byte_count = gzread(file, outcome->bytes, sizeof(outcome->bytes));
    assert_in_range(byte_count, 1, sizeof(outcome->bytes) - 1);
    for (int i = 0; i < byte_count; i++) { /* tar's padding */
        outcome->bytes[i] = outcome->bytes[i] == '\0' ? '\n' : outcome->bytes[i];
    }
    gzclose(file);
}

static bool has(const struct outcome *outcome, const char *part)
{
    return strstr(outcome->bytes, part) != NULL;
}

static void it_has_what_a_bug_report_needs(void **state)
{
    struct outcome *outcome = *state;
    run(outcome, NULL);
    static const char *const parts[] = {
        "pools.json",
        "\"name\": \"main\"",
        "\"name\": \"alice\"",
        "\"name\": \"pv-1\"",
        "op-1/operator.log",
        "started\n",
        "adjoint_warm 1\n",
        "leading",
        "ok    operator       Lease adjoint/adjoint-operator: op-1 leads",
        "persistentvolumes.json                   3\n",
        "of Kubernetes v1.36.3. Left out:",
    };
    assert_int_equal(outcome->code, CLI_OK);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!has(outcome, parts[i])) {
            fail_msg("%s is not in it", parts[i]);
        }
    }
    assert_true(text_ends_with(test_adj_out(outcome->adj), "/r.tar.gz\n"));
    /* CloudNativePG's pods, which have no label of ours */
    assert_non_null(strstr(test_adj_requests(outcome->adj),
                           "GET /api/v1/pods?labelSelector=cnpg.io%2Fcluster"));
}

static void no_secret_is_in_it_and_none_is_asked_for(void **state)
{
    struct outcome *outcome = *state;
    run(outcome, NULL);
    assert_false(has(outcome, SECRET));
    assert_true(has(outcome, "REDACTED"));
    assert_null(strstr(test_adj_requests(outcome->adj), "/secrets"));
    assert_true(has(outcome, "--log-level=info"));
}

static void others_objects_are_left_out(void **state)
{
    struct outcome *outcome = *state;
    run(outcome, NULL);
    assert_true(has(outcome, "is not there"));
    assert_false(has(outcome, "foreign"));
}

static void what_could_not_be_read_is_listed(void **state)
{
    struct outcome *outcome = *state;
    run(outcome, NULL);
    assert_true(has(outcome, "healthz.txt                NOT READ: may not, said the server\n"));
    assert_non_null(strstr(test_adj_err(outcome->adj),
                           "Not read: operator/op-1/healthz.txt: may not, said the server\n"));
    assert_non_null(strstr(test_adj_err(outcome->adj), "1 parts were not read"));
}

static void who_may_read_one_namespace_sends_that(void **state)
{
    (void)state;
    struct outcome *outcome = *state;
    test_adj_free(outcome->adj);
    const struct healthy_reply narrow[] = {
        {HEALTHY_INSTANCES, 403, FORBIDDEN},
        {TEST_INSTANCES, 200, LIST_OF(HEALTHY_ALICE("", HEALTHY_ALICE_READY))},
        {HEALTHY_CLASSES, 403, FORBIDDEN},
        {"/api/v1/pods", 200, LIST_OF("")},
        {"/api/v1/events", 200, LIST_OF("")},
        {.path = NULL},
    };
    outcome->adj = healthy_cluster_new(narrow);
    run(outcome, NULL);
    assert_int_equal(outcome->code, CLI_OK);
    assert_true(
        has(outcome, "instances.json                           1, of namespace dev alone\n"));
    assert_true(has(outcome, "storageclasses.json                      NOT READ: may not"));
    assert_non_null(strstr(test_adj_err(outcome->adj), "no pod has the label"));
}

static void one_elsewhere_is_asked_too(void **state)
{
    struct outcome *outcome = *state;
    test_adj_reply(outcome->adj, METHOD_GET, "/metrics", 200, "elsewhere 1\n");
    test_adj_reply(outcome->adj, METHOD_GET, "/debug/state", 200, "{}");
    test_adj_reply(outcome->adj, METHOD_GET, "/healthz", 200, "ok\n");
    test_adj_reply(outcome->adj, METHOD_GET, "/readyz", 200, "ok\n");
    run(outcome, "--operator-url=http://localhost:1");
    assert_true(has(outcome, "elsewhere 1\n"));
    assert_non_null(strstr(test_adj_requests(outcome->adj), "at http://localhost:1: GET /metrics"));
}

static void a_file_that_is_there_is_left_alone(void **state)
{
    struct outcome *outcome = *state;
    test_folder_write(&outcome->folder, "r.tar.gz", "mine");
    const char *path = test_folder_path(&outcome->folder, "r.tar.gz");
    assert_int_equal(test_adj_run(outcome->adj, "report", "-f", path, NULL), CLI_ERROR);
    assert_string_equal(test_folder_read(&outcome->folder, "r.tar.gz"), "mine");
    assert_non_null(strstr(test_adj_err(outcome->adj), "File exists"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_has_what_a_bug_report_needs, setup, teardown),
        cmocka_unit_test_setup_teardown(no_secret_is_in_it_and_none_is_asked_for, setup, teardown),
        cmocka_unit_test_setup_teardown(others_objects_are_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(what_could_not_be_read_is_listed, setup, teardown),
        cmocka_unit_test_setup_teardown(who_may_read_one_namespace_sends_that, setup, teardown),
        cmocka_unit_test_setup_teardown(one_elsewhere_is_asked_too, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_is_there_is_left_alone, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
