/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* `adj doctor --fsx` before a stand-in for FSx on loopback, which gives an answer a connection. */
enum { ANSWERS_MAX = 4 };

#define VOLUME(id, name, lifecycle, system)                                                        \
    "{\"VolumeId\":\"" id "\",\"Name\":\"" name "\",\"Lifecycle\":\"" lifecycle                    \
    "\",\"FileSystemId\":\"" system "\",\"CreationTime\":1782903600.25,\"Tags\":[{\"Key\":"        \
    "\"fsx.openzfs.csi.aws.com/cluster\",\"Value\":\"true\"}]}"
#define KNOWN                                                                                      \
    VOLUME("fsvol-0", "pvc-uh", "AVAILABLE", "fs-1")                                               \
    "," VOLUME("fsvol-1", "pvc-x", "AVAILABLE", "fs-1") ",{\"VolumeId\":\"fsvol-root\",\"Name\":"  \
                                                        "\"fsx\",\"Lifecycle\":\"AVAILABLE\"}"
#define LEAKED VOLUME("fsvol-9", "pvc-gone", "AVAILABLE", "fs-1")
#define PAGE(volumes) "{\"Volumes\":[" volumes "]}"
#define PAGE_BEFORE(token, volumes) "{\"NextToken\":\"" token "\",\"Volumes\":[" volumes "]}"

struct stand_in {
    struct test_step steps[ANSWERS_MAX][3];
    const struct test_step *scripts[ANSWERS_MAX + 1];
    struct test_server *server;
    struct test_adj *adj;
};

/* The last answer is given for ever. */
static void stand_in_init(struct stand_in *stand_in, const char *const *answers,
                          const struct healthy_reply *other)
{
    *stand_in = (struct stand_in){.adj = healthy_cluster_new(other)};
    for (size_t i = 0; answers[i] != NULL; i++) {
        assert_true(i < ANSWERS_MAX);
        stand_in->steps[i][0] = (struct test_step){.kind = TEST_READ};
        stand_in->steps[i][1] = (struct test_step){.kind = TEST_ANSWER, .text = answers[i]};
        stand_in->scripts[i] = stand_in->steps[i];
    }
    struct test_server_options options = {.scripts = stand_in->scripts};
    stand_in->server = test_server_new(&options);
    setenv("AWS_REGION", "eu-west-1", 1);
    setenv("AWS_ACCESS_KEY_ID", "key", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    setenv("AWS_ENDPOINT_URL_FSX", test_server_url(stand_in->server), 1);
}

static void stand_in_release(struct stand_in *stand_in)
{
    test_server_free(stand_in->server);
    test_adj_free(stand_in->adj);
}

static void assert_fsx_says(const char *const *answers, const struct healthy_reply *other,
                            int exit_code, const char *part)
{
    struct stand_in stand_in;
    stand_in_init(&stand_in, answers, other);
    assert_int_equal(test_adj_run(stand_in.adj, "doctor", "--fsx", NULL), exit_code);
    assert_printed(stand_in.adj, part);
    for (int i = 0; i < test_server_request_count(stand_in.server); i++) {
        assert_true(test_server_request_has(stand_in.server, i, ".DescribeVolumes\r\n"));
    }
    stand_in_release(&stand_in);
}

static void all_that_have_a_volume_are_well(void **state)
{
    (void)state;
    static const char *const answers[] = {PAGE(KNOWN), NULL};
    assert_fsx_says(answers, NULL, CLI_OK,
                    "ok    fsx            3 volumes in eu-west-1; those that the driver made have "
                    "a PersistentVolume\n");
}

static void one_that_nobody_names_is_told_with_the_way_to_delete_it(void **state)
{
    (void)state;
    static const char *const answers[] = {PAGE(KNOWN "," LEAKED), NULL};
    assert_fsx_says(answers, NULL, CLI_UNHEALTHY,
                    "FAIL  fsx            fsvol-9: (pvc-gone, 60m, AVAILABLE, on fs-1) has no "
                    "PersistentVolume and no PVC in this cluster. If no other cluster uses that "
                    "file system, nobody has it: aws fsx delete-volume --region eu-west-1 "
                    "--volume-id fsvol-9\n");
}

static void all_pages_are_read(void **state)
{
    (void)state;
    static const char *const answers[] = {PAGE_BEFORE("t1", KNOWN), PAGE_BEFORE("t2", ""),
                                          PAGE(LEAKED), PAGE(KNOWN "," LEAKED)};
    const char *const list[] = {answers[0], answers[1], answers[2], answers[3], NULL};
    struct stand_in stand_in;
    stand_in_init(&stand_in, list, NULL);
    assert_int_equal(test_adj_run(stand_in.adj, "doctor", "--fsx", NULL), CLI_UNHEALTHY);
    assert_printed(stand_in.adj, "FAIL  fsx            fsvol-9: ");
    assert_true(test_server_request_has(stand_in.server, 0, "{\"MaxResults\":100}"));
    assert_true(
        test_server_request_has(stand_in.server, 1, "{\"MaxResults\":100,\"NextToken\":\"t1\"}"));
    assert_true(test_server_request_has(stand_in.server, 2, "\"NextToken\":\"t2\"}"));
    stand_in_release(&stand_in);
}

static void pages_without_end_are_an_error(void **state)
{
    (void)state;
    static const char *const answers[] = {PAGE_BEFORE("t", ""), NULL};
    struct stand_in stand_in;
    stand_in_init(&stand_in, answers, NULL);
    stand_in.steps[0][0] = (struct test_step){.kind = TEST_SERVE, .text = answers[0]};
    assert_int_equal(test_adj_run(stand_in.adj, "doctor", "--fsx", NULL), CLI_UNHEALTHY);
    assert_printed(stand_in.adj, "has more than 200 pages of volumes");
    stand_in_release(&stand_in);
}

/* In between it may have been destroyed. */
static void it_is_looked_for_once_more(void **state)
{
    (void)state;
    static const char *const gone[] = {PAGE(KNOWN "," LEAKED), PAGE(KNOWN), NULL};
    assert_fsx_says(gone, NULL, CLI_OK, "ok    fsx            4 volumes");
    static const char *const going[] = {
        PAGE(KNOWN "," LEAKED), PAGE(VOLUME("fsvol-9", "pvc-gone", "DELETING", "fs-1")), NULL};
    assert_fsx_says(going, NULL, CLI_OK, "ok    fsx            4 volumes");
}

static void one_that_is_being_made_for_a_claim_is_well(void **state)
{
    (void)state;
    static const char *const answers[] = {
        PAGE(KNOWN "," VOLUME("fsvol-9", "pvc-uc", "CREATING", "fs-1")), NULL};
    assert_fsx_says(answers, NULL, CLI_OK, "ok    fsx            4 volumes");
}

static void one_that_is_being_made_for_nobody_may_become_nobodys(void **state)
{
    (void)state;
    static const char *const answers[] = {
        PAGE(KNOWN "," VOLUME("fsvol-9", "pvc-gone", "CREATING", "fs-1")), NULL};
    assert_fsx_says(answers, NULL, CLI_OK,
                    "warn  fsx            fsvol-9: (pvc-gone, 60m) is CREATING, and its PVC is "
                    "gone: if it is still there in some minutes, nobody will delete it\n");
}

static void one_that_failed_is_told_with_its_claim(void **state)
{
    (void)state;
    static const char *const answers[] = {
        PAGE(KNOWN "," VOLUME("fsvol-9", "pvc-uc", "FAILED", "fs-1")), NULL};
    assert_fsx_says(answers, NULL, CLI_UNHEALTHY,
                    "FAIL  fsx            fsvol-9: (pvc-uc, 60m) is FAILED, and its PVC "
                    "dev/alice-1 will ask for it for ever: delete that PVC, then: aws fsx "
                    "delete-volume --region eu-west-1 --volume-id fsvol-9\n");
}

/* The driver's tag says of no volume whose cluster's it is. */
static void another_clusters_file_systems_are_left_out(void **state)
{
    (void)state;
    static const char *const answers[] = {
        PAGE(KNOWN "," VOLUME("fsvol-9", "pvc-gone", "AVAILABLE", "fs-2")), NULL};
    assert_fsx_says(answers, NULL, CLI_OK,
                    "ok    fsx            1 volumes of the driver's are on file systems where this "
                    "cluster has none: they were left out, another cluster's doctor has to look\n");
}

static void without_any_volume_of_ours_all_are_looked_at(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {{HEALTHY_VOLUMES, 200, LIST_OF("")},
                                                 {HEALTHY_CLAIMS, 200, LIST_OF("")},
                                                 {HEALTHY_INSTANCES, 200, LIST_OF("")},
                                                 {.path = NULL}};
    static const char *const answers[] = {PAGE(LEAKED), NULL};
    assert_fsx_says(answers, other, CLI_UNHEALTHY, "FAIL  fsx            fsvol-9: ");
}

static void what_the_driver_did_not_make_is_not_judged(void **state)
{
    (void)state;
    static const char *const answers[] = {
        PAGE(KNOWN ",{\"VolumeId\":\"fsvol-9\",\"Name\":\"pvc-x\",\"FileSystemId\":\"fs-1\","
                   "\"Lifecycle\":\"AVAILABLE\",\"Tags\":[{\"Key\":\"Name\"}]}"),
        NULL};
    assert_fsx_says(answers, NULL, CLI_OK, "ok    fsx            4 volumes");
}

static void where_fsx_cannot_be_seen_it_says_so(void **state)
{
    (void)state;
    static const char *const answers[] = {"nothing", NULL};
    assert_fsx_says(answers, NULL, CLI_UNHEALTHY, "FAIL  fsx            FSx cannot be looked at: ");
    struct test_adj *adj = healthy_cluster_new(NULL);
    unsetenv("AWS_SECRET_ACCESS_KEY");
    assert_int_equal(test_adj_run(adj, "doctor", "--fsx", NULL), CLI_UNHEALTHY);
    assert_printed(adj, "FAIL  fsx            FSx cannot be looked at: set AWS_ACCESS_KEY_ID and "
                        "AWS_SECRET_ACCESS_KEY (");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_have_a_volume_are_well),
        cmocka_unit_test(one_that_nobody_names_is_told_with_the_way_to_delete_it),
        cmocka_unit_test(all_pages_are_read),
        cmocka_unit_test(pages_without_end_are_an_error),
        cmocka_unit_test(it_is_looked_for_once_more),
        cmocka_unit_test(one_that_is_being_made_for_a_claim_is_well),
        cmocka_unit_test(one_that_is_being_made_for_nobody_may_become_nobodys),
        cmocka_unit_test(one_that_failed_is_told_with_its_claim),
        cmocka_unit_test(another_clusters_file_systems_are_left_out),
        cmocka_unit_test(without_any_volume_of_ours_all_are_looked_at),
        cmocka_unit_test(what_the_driver_did_not_make_is_not_judged),
        cmocka_unit_test(where_fsx_cannot_be_seen_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
