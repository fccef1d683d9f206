/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define WITH(parameters) LIST_OF(HEALTHY_CLASS(parameters) "," HEALTHY_HANDOFF)

static void assert_class_says(const char *class, int exit_code, const char *part)
{
    assert_doctor_says_of(HEALTHY_CLASSES "/fsx", 200, class, exit_code, part);
}

static void a_copy_is_no_clone(void **state)
{
    (void)state;
    assert_class_says(
        HEALTHY_CLASS(HEALTHY_PARAMETERS("{\\'CopyStrategy\\':\\'FULL_COPY\\'}",
                                         HEALTHY_EXPORTS(HEALTHY_OPTIONS))),
        CLI_UNHEALTHY,
        "FAIL  classes        StorageClass fsx: OriginSnapshot has the CopyStrategy FULL_COPY: ");
    assert_class_says(
        HEALTHY_CLASS(HEALTHY_PARAMETERS("CLONE", HEALTHY_EXPORTS(HEALTHY_OPTIONS))), CLI_UNHEALTHY,
        "FAIL  classes        StorageClass fsx: its parameter OriginSnapshot is no JSON");
}

static void postgres_has_to_be_let_write(void **state)
{
    (void)state;
    assert_class_says(
        HEALTHY_CLASS(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, HEALTHY_EXPORTS("\\'ro\\'"))),
        CLI_UNHEALTHY, "FAIL  classes        StorageClass fsx: NfsExports lets nobody write");
    assert_class_says(HEALTHY_CLASS(HEALTHY_PARAMETERS(
                          HEALTHY_ORIGIN, HEALTHY_EXPORTS("\\'rw\\',\\'all_squash\\'"))),
                      CLI_UNHEALTHY,
                      "FAIL  classes        StorageClass fsx: NfsExports has all_squash");
    assert_class_says(
        HEALTHY_CLASS(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, HEALTHY_EXPORTS("\\'rw\\'"))), CLI_OK,
        "warn  classes        StorageClass fsx: NfsExports has no no_root_squash");
    assert_class_says(HEALTHY_CLASS("'OriginSnapshot':'" HEALTHY_ORIGIN "'"), CLI_OK,
                      "warn  classes        StorageClass fsx: has no NfsExports");
}

static void a_file_systems_type_changes_owners(void **state)
{
    (void)state;
    assert_class_says(HEALTHY_CLASS("'csi.storage.k8s.io/fstype':'nfs'," HEALTHY_PARAMETERS(
                          HEALTHY_ORIGIN, HEALTHY_EXPORTS(HEALTHY_OPTIONS))),
                      CLI_OK,
                      "warn  classes        StorageClass fsx: sets csi.storage.k8s.io/fstype");
}

static void the_class_of_the_hand_over_has_to_be_inert(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_CLASSES, 200, LIST_OF(HEALTHY_CLASS(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, "[]"))),
        CLI_UNHEALTHY, "FAIL  classes        StorageClass adjoint-handoff: is not there");
    assert_doctor_says_of(
        HEALTHY_CLASSES, 200,
        LIST_OF(HEALTHY_CLASS(HEALTHY_PARAMETERS(
            HEALTHY_ORIGIN,
            "[]")) ",{'metadata':{'name':"
                   "'adjoint-handoff'},'provisioner':'ebs.csi.aws.com','volumeBindingMode':"
                   "'WaitForFirstConsumer'}"),
        CLI_UNHEALTHY, "FAIL  classes        StorageClass adjoint-handoff: is not the inert one");
}

static void other_drivers_have_no_rules(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_CLASSES, 200,
        LIST_OF("{'metadata':{'name':'fsx'},'provisioner':'zfs.example'}," HEALTHY_HANDOFF),
        CLI_UNHEALTHY, /* DriverMismatch */
        "ok    classes        StorageClass fsx: is of zfs.example");
}

/* As the operator judges it, in its words. */
static void a_golden_is_judged_as_the_operator_does(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_CLASSES, 200,
        WITH(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, "[]") ",'OptionsOnDeletion':'[]'"), CLI_UNHEALTHY,
        "FAIL  goldens        Pool golden/main: OptionsOnDeletion: StorageClass fsx sets ");
    assert_doctor_says_of(HEALTHY_SNAPSHOTS, 200, LIST_OF(""), CLI_UNHEALTHY,
                          "FAIL  goldens        Pool golden/main: SnapshotNotFound: ");
}

static void a_golden_is_to_be_retained(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_CONTENTS "/content", 200,
         HEALTHY_CONTENT("Delete", ",'volumeSnapshotClassName':'sc'")},
        {HEALTHY_SNAPSHOT_CLASSES "/sc", 200, "{'deletionPolicy':'Delete'}"},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  goldens        VolumeSnapshotContent content: its deletionPolicy is "
                       "Delete: who deletes its VolumeSnapshot destroys the golden");
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  goldens        VolumeSnapshotClass sc: its deletionPolicy is Delete");
    assert_doctor_says_of(
        HEALTHY_VOLUMES, 200,
        LIST_OF(HEALTHY_WARM_VOLUME "," HEALTHY_ALICES_VOLUME "," HEALTHY_VOLUME(
            "pv-golden", "fsvol-g", "", "Delete", "Bound",
            ",'claimRef':{'namespace':'golden','name':'production-1','uid':'ug'}")),
        CLI_OK,
        "warn  goldens        PersistentVolume pv-golden: the golden is on it, and who deletes its "
        "PVC destroys it: kubectl patch pv pv-golden -p");
}

/* What would take every clone along. */
static void a_goldens_own_class_may_not_take_clones(void **state)
{
    (void)state;
    static const struct healthy_reply deleted[] = {
        {HEALTHY_CLASSES, 200,
         WITH(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, "[]") ",'OptionsOnDeletion':'[]'")},
        {HEALTHY_VOLUMES, 200,
         LIST_OF(HEALTHY_WARM_VOLUME "," HEALTHY_ALICES_VOLUME "," HEALTHY_VOLUME(
             "pv-golden", "fsvol-g", "", "Delete", "Bound", ""))},
        {.path = NULL}};
    assert_doctor_says(deleted, NULL, CLI_UNHEALTHY,
                       "FAIL  goldens        PersistentVolume pv-golden: the golden is on it, and "
                       "who deletes its PVC destroys it with every clone of it, claimed databases "
                       "too (OptionsOnDeletion of its class): ");
    assert_doctor_says_of(
        HEALTHY_CLASSES, 200,
        WITH(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, "[]") ",'OptionsOnDeletion':'[]'"), CLI_UNHEALTHY,
        "warn  goldens        PersistentVolume pv-golden: the golden is on it, and its class fsx "
        "has OptionsOnDeletion");
}

static void classes_are_judged_before_there_is_a_pool(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {
        {HEALTHY_POOLS, 200, LIST_OF("")},
        {HEALTHY_INSTANCES, 200, LIST_OF("")},
        {HEALTHY_VOLUMES, 200, LIST_OF("")},
        {HEALTHY_CLAIMS, 200, LIST_OF("")},
        {HEALTHY_CLASSES, 200,
         LIST_OF("{'metadata':{'name':'none-of-ours'},'provisioner':'zfs.example'}," HEALTHY_CLASS(
             HEALTHY_PARAMETERS(HEALTHY_ORIGIN, "[]") ",'OptionsOnDeletion':'[]'"))},
        {HEALTHY_CLASSES "/fsx", 200,
         HEALTHY_CLASS(HEALTHY_PARAMETERS(HEALTHY_ORIGIN, HEALTHY_EXPORTS("\\'ro\\'")))},
        {HEALTHY_SNAPSHOT_CLASSES, 200,
         LIST_OF("{'metadata':{'name':'sc'},'driver':'fsx.openzfs.csi.aws.com','deletionPolicy':"
                 "'Delete'},{'metadata':{'name':'x'},'driver':'zfs.example','deletionPolicy':"
                 "'Delete'}")},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_UNHEALTHY,
                       "FAIL  classes        StorageClass fsx: OptionsOnDeletion: StorageClass fsx "
                       "sets OptionsOnDeletion");
    assert_doctor_says(other, NULL, CLI_UNHEALTHY,
                       "FAIL  classes        StorageClass fsx: NfsExports lets nobody write");
    assert_doctor_says(other, NULL, CLI_UNHEALTHY,
                       "FAIL  classes        StorageClass adjoint-handoff: is not there");
    assert_doctor_says(other, NULL, CLI_UNHEALTHY,
                       "warn  goldens        VolumeSnapshotClass sc: its deletionPolicy is Delete");
    struct test_adj *adj = healthy_cluster_new(other);
    assert_int_equal(test_adj_run(adj, "doctor", NULL), CLI_UNHEALTHY);
    assert_null(strstr(test_adj_out(adj), "none-of-ours"));
    assert_null(strstr(test_adj_out(adj), "VolumeSnapshotClass x"));
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_no_clone),
        cmocka_unit_test(postgres_has_to_be_let_write),
        cmocka_unit_test(a_file_systems_type_changes_owners),
        cmocka_unit_test(the_class_of_the_hand_over_has_to_be_inert),
        cmocka_unit_test(other_drivers_have_no_rules),
        cmocka_unit_test(a_golden_is_judged_as_the_operator_does),
        cmocka_unit_test(a_golden_is_to_be_retained),
        cmocka_unit_test(classes_are_judged_before_there_is_a_pool),
        cmocka_unit_test(a_goldens_own_class_may_not_take_clones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
