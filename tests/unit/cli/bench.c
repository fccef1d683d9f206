/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench_report.h"
#include "cli/command.h"
#include "support/said.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CLUSTER "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters/alice"
#define READY                                                                                      \
    TEST_ALICE_AT("5", "", "'phase':'Ready','connection':{'database':'it\\u0027s','host':'h'}")
#define DD(seconds)                                                                                \
    "10+0 records in\n10+0 records out\n15000 bytes (15 kB, 15 KiB) copied, " seconds              \
    " s, 11.5 MB/s\n"
#define THREE DD("0.02") DD("0.01") DD("5e-05")
#define ROUND(mode, tps)                                                                           \
    "synchronous_commit " mode "\ntps = " tps " (without initial connection time)\n"
#define BENCH "bench", "storage", "--instance", "alice"

static struct test_adj *with_alice(const char *instance)
{
    struct test_adj *adj = test_adj_with_alice(instance);
    test_adj_reply(adj, METHOD_GET, CLUSTER, 403, "{'kind':'Status','message':'no'}");
    return adj;
}

static void a_clone_is_measured_by_what_its_pod_has(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(READY);
    test_adj_executes(adj, 0, THREE);
    test_adj_executes(adj, 0,
                      ROUND("on", "150.25") ROUND("off", "900.0") ROUND("on", "250.25")
                          ROUND("off", "700.5"));
    assert_int_equal(test_adj_run(adj, BENCH, NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "WRITES   P50-MS   P95-MS   P99-MS   MAX-MS   WRITES/S\n"
        "30       1.000    1.900    1.980    2.000    998\n"
        "\npod dev/alice-1: writes of 1500 bytes to the end of a new file, each safe before the "
        "next (dd with oflag=dsync).\n"
        "dd tells no single write's time: a time is the mean of 10, so the slowest are not seen.\n"
        "\nDURABILITY   SYNCHRONOUS_COMMIT   TRANSACTIONS/S   ROUNDS\n"
        "Standard     on                   200.2            2\n"
        "Ordered      off                  800.2            2\n"
        "\nInserts of 1500 bytes, each a transaction, from one client in the pod (pgbench), on and "
        "off in turn.\nOrdered does 3.9 times as many: what spec.durability sets was set for the "
        "session\n");
    assert_says(test_adj_requests(adj),
                "EXECUTE /api/v1/namespaces/dev/pods/alice-1/exec?container=postgres&stdout=true&"
                "stderr=true&command=sh&command=-c&command=export%20LC_ALL%3DC");
    assert_says(test_adj_requests(adj), "PGDATABASE%3D%27it%27%5C%27%27s%27%20SECONDS_EACH%3D5%3B");
    test_adj_free(adj);
}

static void without_pgbench_the_writes_are_told(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(READY);
    test_adj_executes(adj, 0, THREE);
    test_adj_executes(adj, 0, "there is no pgbench in the image\n");
    test_adj_execution_fails(adj, "exit code 1");
    assert_int_equal(test_adj_run(adj, BENCH, NULL), CLI_OK);
    assert_says(test_adj_out(adj), "30       1.000");
    assert_says(test_adj_out(adj),
                "\npgbench did not run: there is no pgbench in the image (exit code 1)\n");
    test_adj_free(adj);
}

static void it_need_not_run(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(READY);
    test_adj_executes(adj, 0, THREE);
    assert_int_equal(test_adj_run(adj, BENCH, "--seconds", "0", "-o", "csv", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "what,value\nwrite_us,5\nwrite_us,1000\nwrite_us,2000\n");
    test_adj_free(adj);
}

static void writes_that_fail_are_told_with_dds_words(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(READY);
    test_adj_executes(adj, 0, "dd: error writing: No space left on device\n");
    test_adj_execution_fails(adj, "exit code 1");
    assert_int_equal(test_adj_run(adj, BENCH, NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "the writes in the pod failed: dd: error writing: No space left "
                                   "on device (exit code 1)");
    test_adj_free(adj);
}

static void the_right_that_lacks_is_named(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(READY);
    test_adj_executes(adj, 403,
                      "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"you "
                      "may not\"}");
    assert_int_equal(test_adj_run(adj, BENCH, NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "you may not: it takes the verbs get and create on pods/exec");
    test_adj_free(adj);
}

static void one_that_is_not_ready_is_not_measured(void **state)
{
    (void)state;
    struct test_adj *adj = with_alice(TEST_ALICE_AT("5", "", "'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, BENCH, NULL), CLI_INSTANCE_FAILED);
    assert_says(test_adj_err(adj), "Instance dev/alice is not ready: Waiting for a clone");
    test_adj_free(adj);
}

static void a_folder_needs_no_cluster(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, "bench", "storage", "--path", "/tmp", "-o", "json", NULL),
                     CLI_OK);
    assert_says(test_adj_out(adj), "\"writes\": 200,\n    \"writeBytes\": 1500,");
    assert_string_equal(test_adj_requests(adj), "");
    assert_int_equal(test_adj_run(adj, "bench", "storage", "--path", "/nowhere", NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "adj: --path: /nowhere: No such file or directory");
    test_adj_free(adj);
}

static void what_is_typed_wrongly_is_told(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, "bench", "storage", NULL), CLI_USAGE);
    assert_says(test_adj_err(adj), "say where: --path FOLDER here, or --instance NAME");
    assert_int_equal(test_adj_run(adj, BENCH, "--path", "/tmp", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "bench", "network", "--path", "/tmp", NULL), CLI_USAGE);
    test_adj_free(adj);
}

static void what_is_no_result_is_not_read_as_one(void **state)
{
    (void)state;
    static const char *const outputs[] = {
        "", "copied, s", "tps = ", ROUND("on", "1.0"), "synchronous_commit on\ntps = x\n", "\n\n"};
    struct error error;
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        struct bench_report report = {.per_sample = 10};
        assert_false(bench_read_writes(outputs[i], &report, &error));
        assert_false(bench_read_rounds(outputs[i], &report, &error));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clone_is_measured_by_what_its_pod_has),
        cmocka_unit_test(without_pgbench_the_writes_are_told),
        cmocka_unit_test(it_need_not_run),
        cmocka_unit_test(writes_that_fail_are_told_with_dds_words),
        cmocka_unit_test(the_right_that_lacks_is_named),
        cmocka_unit_test(one_that_is_not_ready_is_not_measured),
        cmocka_unit_test(a_folder_needs_no_cluster),
        cmocka_unit_test(what_is_typed_wrongly_is_told),
        cmocka_unit_test(what_is_no_result_is_not_read_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
