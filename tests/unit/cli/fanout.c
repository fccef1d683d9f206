/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/said.h"
#include "support/test_adj.h"
#include "support/test_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CLAIMS "/api/v1/namespaces/golden/persistentvolumeclaims"
#define VOLUMES "/api/v1/persistentvolumes"
#define CLASS "/apis/storage.k8s.io/v1/storageclasses/fsx"
#define SNAPSHOT "/apis/snapshot.storage.k8s.io/v1/namespaces/golden/volumesnapshots/snap"
#define NONE "{'metadata':{'resourceVersion':'1'},'items':[]}"
#define STATUS(reason, message) "{'kind':'Status','reason':'" reason "','message':'" message "'}"
#define GONE STATUS("NotFound", "not found")
#define CLASS_WITH(policy, binding)                                                                \
    "{'metadata':{'name':'fsx','uid':'c'},'provisioner':'fsx.openzfs.csi.aws.com',"                \
    "'reclaimPolicy':'" policy "','volumeBindingMode':'" binding "'}"
#define SNAPSHOT_WITH(ready)                                                                       \
    "{'metadata':{'name':'snap','namespace':'golden','uid':'s'},'status':{'readyToUse':" ready     \
    ",'restoreSize':'3Gi'}}"
#define RUN "gqzs7"
#define CLAIM(number) "adj-fanout-" RUN "-" number
#define CLAIM_EVENT(kind, number, version, phase)                                                  \
    "{'type':'" kind "','object':{'kind':'PersistentVolumeClaim','apiVersion':'v1','metadata':{"   \
    "'name':'" CLAIM(number) "','namespace':'golden','uid':'u" number                              \
                             "','resourceVersion':'" version                                       \
                             "'},'spec':{},'status':{'phase':'" phase "'}}}"

#define WORDS "fanout", "--snapshot", "golden/snap", "--storage-class", "fsx"

static struct test_adj *in_a_cluster(void)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/adj-not-there", 404, GONE);
    test_adj_reply(adj, METHOD_GET, CLASS, 200, CLASS_WITH("Delete", "Immediate"));
    test_adj_reply(adj, METHOD_GET, SNAPSHOT, 200, SNAPSHOT_WITH("true"));
    test_adj_reply(adj, METHOD_GET, VOLUMES, 200, NONE);
    return adj;
}

static int setup(void **state)
{
    struct test_adj *adj = in_a_cluster();
    test_adj_reply(adj, METHOD_GET, CLAIMS, 200, NONE);
    test_adj_reply(adj, METHOD_POST, CLAIMS, 201, "{}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("1"), 200, "{}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("2"), 200, "{}");
    *state = adj;
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

static void tell_of_two(struct test_adj *adj)
{
    test_adj_event(adj, CLAIMS, 100, CLAIM_EVENT("ADDED", "1", "2", "Pending"));
    test_adj_event(adj, CLAIMS, 0, CLAIM_EVENT("ADDED", "2", "3", "Pending"));
    test_adj_event(adj, CLAIMS, 110000, CLAIM_EVENT("MODIFIED", "2", "4", "Bound"));
    test_adj_event(adj, CLAIMS, 67000, CLAIM_EVENT("MODIFIED", "1", "5", "Bound"));
    test_adj_event(adj, CLAIMS, 100, CLAIM_EVENT("DELETED", "1", "6", "Bound"));
    test_adj_event(adj, CLAIMS, 0, CLAIM_EVENT("DELETED", "2", "7", "Bound"));
}

static void all_come_and_go(void **state)
{
    struct test_adj *adj = *state;
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "2", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "PLACE   CLONE                BOUND-S   GAP-S\n"
        "1       " CLAIM(
            "2") "   110.1     -\n"
                 "2       " CLAIM(
                     "1") "   177.1     67.0\n"
                          "\n2 of 2 clones of golden/snap with StorageClass fsx, asked for at "
                          "once:\n"
                          "  first 110.1 s, p50 143.6 s, p95 173.7 s, last 177.1 s\n"
                          "  gap 67.0 s (median), from 67.0 s to 67.0 s\n"
                          "  amplification 1.6: the last took so many times as long as the first\n"
                          "  fewer than 4: whether they stand in a queue cannot be told\n");
    assert_says(
        test_adj_requests(adj),
        "POST " CLAIMS "\n    application/json: {\"apiVersion\":\"v1\",\"kind\":"
        "\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"" CLAIM(
            "2") "\","
                 "\"namespace\":\"golden\",\"labels\":{\"adjoint.dev/field-test\":\"fanout\","
                 "\"adjoint.dev/field-test-run\":\"" RUN "\"}},\"spec\":{\"accessModes\":"
                 "[\"ReadWriteOnce\"],\"storageClassName\":\"fsx\",\"resources\":{\"requests\":"
                 "{\"storage\":\"3Gi\"}},\"dataSource\":{\"apiGroup\":"
                 "\"snapshot.storage.k8s.io\",\"kind\":\"VolumeSnapshot\",\"name\":\"snap\"}}}\n");
}

static void as_json_and_as_csv(void **state)
{
    struct test_adj *adj = *state;
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "2", "-o", "csv", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "place,clone,bound_ms,gap_ms\n"
                                           "1," CLAIM("2") ",110100,\n"
                                                           "2," CLAIM("1") ",177100,67000\n");
}

static void it_is_drawn(void **state)
{
    struct test_adj *adj = *state;
    struct test_folder folder;
    test_folder_init(&folder);
    const char *path = test_folder_path(&folder, "x.svg");
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "2", "--svg", path, "-o", "json", NULL),
                     CLI_OK);
    assert_says(test_adj_out(adj), "\"p50Milliseconds\": 143600");
    const char *drawn = test_folder_read(&folder, "x.svg");
    assert_memory_equal(drawn, "<svg ", 5);
    assert_says(drawn, "p50 143.6 s, p95 173.7 s, gap 67.0 s");
    assert_says(drawn, "</svg>\n");
    test_folder_release(&folder);
}

static void a_picture_that_cannot_be_written_is_told_before_all_else(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, WORDS, "--svg", "/nowhere/x.svg", NULL), CLI_ERROR);
    assert_null(strstr(test_adj_requests(adj), "POST"));
    assert_says(test_adj_err(adj), "adj: --svg: /nowhere/x.svg: No such file");
}

static void an_interruption_deletes_what_was_made(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, CLAIMS, 100, CLAIM_EVENT("ADDED", "1", "2", "Pending"));
    test_adj_event(adj, CLAIMS, 0, CLAIM_EVENT("ADDED", "2", "3", "Pending"));
    test_adj_event(adj, CLAIMS, 60000, CLAIM_EVENT("DELETED", "1", "4", "Pending"));
    test_adj_event(adj, CLAIMS, 0, CLAIM_EVENT("DELETED", "2", "5", "Pending"));
    test_adj_interrupts(adj, 30000);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "2", NULL), CLI_ERROR);
    assert_says(test_adj_requests(adj), "DELETE " CLAIMS "/" CLAIM("1") "\n");
    assert_says(test_adj_requests(adj), "DELETE " CLAIMS "/" CLAIM("2") "\n");
    assert_says(test_adj_err(adj), "interrupted: what was made is deleted again");
    assert_says(test_adj_err(adj), "a run before that stands in line behind it");
}

static void a_timeout_deletes_what_was_made(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, CLAIMS, 100, CLAIM_EVENT("ADDED", "1", "2", "Pending"));
    test_adj_event(adj, CLAIMS, 60000, CLAIM_EVENT("DELETED", "1", "4", "Pending"));
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "1", "--timeout", "50s", NULL), CLI_TIMED_OUT);
    assert_says(test_adj_requests(adj), "DELETE " CLAIMS "/" CLAIM("1") "\n");
}

static void what_stays_is_named(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, CLAIMS, 100, CLAIM_EVENT("ADDED", "1", "2", "Pending"));
    test_adj_event(adj, CLAIMS, 1000, CLAIM_EVENT("MODIFIED", "1", "3", "Bound"));
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "1", NULL), CLI_UNHEALTHY);
    assert_says(test_adj_err(adj),
                "1 are left in namespace golden: PersistentVolumeClaim " CLAIM("1"));
}

/* A lost reply, and nothing is seen: so it is deleted until there is surely nothing. */
static void what_may_be_there_is_deleted_too(void **state)
{
    (void)state;
    struct test_adj *adj = in_a_cluster();
    test_adj_reply(adj, METHOD_GET, CLAIMS, 200, NONE);
    test_adj_fail(adj, METHOD_POST, CLAIMS, ERROR_TIMEOUT);
    test_adj_reply(adj, METHOD_POST, CLAIMS, 403, STATUS("Forbidden", "exceeded quota"));
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("1"), 200, "{}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("1"), 404, GONE);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "1", NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "exceeded quota");
    assert_says(test_adj_requests(adj),
                "DELETE " CLAIMS "/" CLAIM("1") "\nDELETE " CLAIMS "/" CLAIM("1") "\n");
    test_adj_free(adj);
}

static void rights_that_lack_are_told_before_anything_is_made(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/adj-not-there", 403,
                   STATUS("Forbidden", "user cannot delete resource"));
    assert_int_equal(test_adj_run(adj, WORDS, NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "user cannot delete resource: ask whoever runs the cluster");
    assert_null(strstr(test_adj_requests(adj), "POST"));
    test_adj_free(adj);
}

static void who_may_not_see_volumes_is_told_so(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/adj-not-there", 404, GONE);
    test_adj_reply(adj, METHOD_GET, CLASS, 200, CLASS_WITH("Delete", "Immediate"));
    test_adj_reply(adj, METHOD_GET, SNAPSHOT, 200, SNAPSHOT_WITH("true"));
    test_adj_reply(adj, METHOD_GET, VOLUMES, 403, STATUS("Forbidden", "not the volumes"));
    test_adj_reply(adj, METHOD_GET, CLAIMS, 200, NONE);
    test_adj_reply(adj, METHOD_POST, CLAIMS, 201, "{}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("1"), 200, "{}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/" CLAIM("2"), 200, "{}");
    tell_of_two(adj);
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "2", NULL), CLI_OK);
    assert_says(test_adj_err(adj), "Whether the volumes are gone is not seen: not the volumes");
    test_adj_free(adj);
}

static void what_an_earlier_run_has_left_is_named_and_cleaned(void **state)
{
    (void)state;
    struct test_adj *adj = in_a_cluster();
    test_adj_reply(adj, METHOD_GET, CLAIMS, 200,
                   "{'metadata':{'resourceVersion':'9'},'items':[{'metadata':{'name':"
                   "'adj-fanout-old-7','namespace':'golden','uid':'o','resourceVersion':'8'},"
                   "'spec':{},'status':{'phase':'Bound'}}]}");
    test_adj_reply(adj, METHOD_DELETE, CLAIMS "/adj-fanout-old-7", 200, "{}");
    test_adj_event(adj, CLAIMS, 500,
                   "{'type':'DELETED','object':{'kind':'PersistentVolumeClaim','apiVersion':'v1',"
                   "'metadata':{'name':'adj-fanout-old-7','namespace':'golden','uid':'o',"
                   "'resourceVersion':'10'},'spec':{},'status':{}}}");
    assert_int_equal(test_adj_run(adj, WORDS, NULL), CLI_ERROR);
    assert_says(test_adj_err(adj), "namespace golden has 1 persistentvolumeclaims of an earlier or "
                                   "another run of this test: adj-fanout-old-7.");
    assert_null(strstr(test_adj_requests(adj), "POST"));
    assert_int_equal(test_adj_run(adj, WORDS, "--clean", NULL), CLI_OK);
    assert_says(test_adj_requests(adj), "DELETE " CLAIMS "/adj-fanout-old-7\n");
    test_adj_free(adj);
}

static void classes_and_snapshots_that_cannot_work_are_refused(void **state)
{
    static const struct {
        const char *class, *snapshot, *said;
    } cases[] = {
        {CLASS_WITH("Retain", "Immediate"), SNAPSHOT_WITH("true"), "would leave its volumes"},
        {CLASS_WITH("Delete", "WaitForFirstConsumer"), SNAPSHOT_WITH("true"), "waits for a pod"},
        {CLASS_WITH("Delete", "Immediate"), SNAPSHOT_WITH("false"), "is not readyToUse"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct test_adj *adj = test_adj_new();
        test_adj_reply(adj, METHOD_DELETE, CLAIMS "/adj-not-there", 404, GONE);
        test_adj_reply(adj, METHOD_GET, CLAIMS, 200, NONE);
        test_adj_reply(adj, METHOD_GET, CLASS, 200, cases[i].class);
        test_adj_reply(adj, METHOD_GET, SNAPSHOT, 200, cases[i].snapshot);
        assert_int_equal(test_adj_run(adj, WORDS, NULL), CLI_ERROR);
        assert_says(test_adj_err(adj), cases[i].said);
        test_adj_free(adj);
    }
}

static void what_is_typed_wrongly_is_told(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "fanout", NULL), CLI_USAGE);
    assert_says(test_adj_err(adj), "fanout needs --snapshot NAMESPACE/NAME and --storage-class");
    assert_int_equal(test_adj_run(adj, "fanout", "--snapshot", "x", "--storage-class", "fsx", NULL),
                     CLI_USAGE);
    assert_says(test_adj_err(adj), "\"x\" has no namespace");
    assert_int_equal(test_adj_run(adj, WORDS, "-k", "0", NULL), CLI_USAGE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_come_and_go),
        TEST(as_json_and_as_csv),
        TEST(it_is_drawn),
        TEST(a_picture_that_cannot_be_written_is_told_before_all_else),
        TEST(an_interruption_deletes_what_was_made),
        TEST(a_timeout_deletes_what_was_made),
        TEST(what_stays_is_named),
        cmocka_unit_test(what_may_be_there_is_deleted_too),
        cmocka_unit_test(rights_that_lack_are_told_before_anything_is_made),
        cmocka_unit_test(who_may_not_see_volumes_is_told_so),
        cmocka_unit_test(what_an_earlier_run_has_left_is_named_and_cleaned),
        cmocka_unit_test(classes_and_snapshots_that_cannot_work_are_refused),
        TEST(what_is_typed_wrongly_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
