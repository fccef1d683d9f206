/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NOT_FOUND "{'kind':'Status','reason':'NotFound','message':'not found','code':404}"
#define BOB                                                                                        \
    HEALTHY_OF_POOL ",'adjoint.dev/instance':'bob','adjoint.dev/instance-namespace':'dev',"        \
                    "'adjoint.dev/instance-uid':'ub'"
#define BOBS "/apis/adjoint.dev/v1alpha1/namespaces/dev/instances/bob"

static void assert_volume_says(const char *volumes, int exit_code, const char *part)
{
    const struct healthy_reply other[] = {
        {HEALTHY_VOLUMES, 200, volumes}, {BOBS, 404, NOT_FOUND}, {.path = NULL}};
    assert_doctor_says(other, NULL, exit_code, part);
}

static void one_volume_with_two_pvs_fails(void **state)
{
    (void)state;
    assert_volume_says(LIST_OF(HEALTHY_ALL_VOLUMES "," HEALTHY_VOLUME("by-hand", "fsvol-1", "",
                                                                      "Delete", "Available", "")),
                       CLI_UNHEALTHY,
                       "FAIL  volumes        fsvol-1: is one volume with two PersistentVolumes, "
                       "by-hand and pv-1: ");
}

/* Other people's twins are not ours to judge. */
static void twins_of_others_are_left_alone(void **state)
{
    (void)state;
    assert_volume_says(LIST_OF(HEALTHY_ALL_VOLUMES "," HEALTHY_VOLUME(
                           "a", "fsvol-x", "", "Delete", "Available",
                           "") "," HEALTHY_VOLUME("b", "fsvol-x", "", "Delete", "Available", "")),
                       CLI_OK, "ok    volumes        3 of Adjoint's");
}

static void a_released_volume_of_an_instance_can_be_adopted(void **state)
{
    (void)state;
    assert_volume_says(
        LIST_OF(HEALTHY_WARM_VOLUME "," HEALTHY_GOLDENS_VOLUME "," HEALTHY_VOLUME(
            "pv-1", "fsvol-1", HEALTHY_OF_ALICE, "Retain", "Released", "")),
        CLI_OK,
        "warn  volumes        PersistentVolume pv-1: is Released: somebody deleted the PVC of "
        "Instance dev/alice; its data is kept: adj adopt alice -n dev\n");
}

static void data_without_retain_fails(void **state)
{
    (void)state;
    assert_volume_says(
        LIST_OF(HEALTHY_WARM_VOLUME "," HEALTHY_GOLDENS_VOLUME "," HEALTHY_VOLUME(
            "pv-1", "fsvol-1", HEALTHY_OF_ALICE, "Delete", "Bound", "")),
        CLI_UNHEALTHY,
        "FAIL  volumes        PersistentVolume pv-1: has an Instance's data and not the policy "
        "Retain: ");
    assert_volume_says(LIST_OF(HEALTHY_WARM_VOLUME "," HEALTHY_GOLDENS_VOLUME "," HEALTHY_VOLUME(
                           "pv-1", "fsvol-1", HEALTHY_OF_ALICE, "Retain", "Failed", "")),
                       CLI_UNHEALTHY, "FAIL  volumes        PersistentVolume pv-1: is Failed: ");
}

static void a_holding_claim_that_hangs_is_told(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_CLAIMS, 200,
        LIST_OF(HEALTHY_HOLDING(",'deletionTimestamp':'2026-07-01T11:50:00Z','finalizers':["
                                "'kubernetes.io/pvc-protection']")),
        CLI_OK,
        "warn  volumes        PersistentVolumeClaim golden/main-0: has been held in its deletion "
        "for 10m by kubernetes.io/pvc-protection: a pod that uses it (even a finished one) keeps "
        "it: kubectl describe pvc main-0 -n golden\n");
    assert_doctor_says_of(HEALTHY_CLAIMS, 200,
                          LIST_OF(HEALTHY_HOLDING(",'deletionTimestamp':'2026-07-01T11:59:30Z'")),
                          CLI_OK, "ok    volumes        3 of Adjoint's");
}

static void a_disposal_that_is_stuck_fails(void **state)
{
    (void)state;
    assert_volume_says(
        LIST_OF(HEALTHY_ALL_VOLUMES ",{'metadata':{'name':'pv-2','labels':{'adjoint.dev/state':"
                                    "'disposing'," BOB "},'annotations':{'adjoint.dev/at':"
                                    "'2026-07-01T11:00:00Z'}},'spec':{"
                                    "'persistentVolumeReclaimPolicy':'Delete','csi':{'driver':'d',"
                                    "'volumeHandle':'fsvol-2'}},'status':{'phase':'Released'}}"),
        CLI_UNHEALTHY,
        "FAIL  owners         PersistentVolume pv-2: DisposalStuck: its provisioner does not "
        "destroy fsvol-2.");
}

/* The operator asks before it takes an owner for gone, and so does this. */
static void a_volume_whose_instance_is_gone_is_told(void **state)
{
    (void)state;
    const char *volumes = LIST_OF(HEALTHY_ALL_VOLUMES "," HEALTHY_VOLUME(
        "pv-2", "fsvol-2", "'adjoint.dev/state':'claimed'," BOB, "Retain", "Released", ""));
    assert_volume_says(volumes, CLI_OK,
                       "warn  owners         PersistentVolume pv-2: InstanceGone: its Instance is "
                       "gone without its finalizer's work; deletionPolicy unknown, so Retain is "
                       "carried out: ");
    const struct healthy_reply back[] = {
        {HEALTHY_VOLUMES, 200, volumes},
        {BOBS, 200, "{'metadata':{'name':'bob','namespace':'dev','uid':'ub'}}"},
        {.path = NULL}};
    assert_doctor_says(back, NULL, CLI_OK, "ok    owners         all 6 volumes");
    const struct healthy_reply another[] = {
        {HEALTHY_VOLUMES, 200, volumes},
        {BOBS, 200, "{'metadata':{'name':'bob','namespace':'dev','uid':'new'}}"},
        {.path = NULL}};
    assert_doctor_says(another, NULL, CLI_OK, "PersistentVolume pv-2: InstanceGone: ");
}

static void a_volume_that_names_no_owner_fails(void **state)
{
    (void)state;
    assert_volume_says(
        LIST_OF(HEALTHY_ALL_VOLUMES "," HEALTHY_VOLUME(
            "pv-2", "fsvol-2", "'adjoint.dev/state':'claimed'", "Retain", "Bound", "")),
        CLI_UNHEALTHY, "FAIL  owners         PersistentVolume pv-2: OwnerUnknown: ");
}

static void a_clone_whose_pool_is_gone_is_told(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {
        {HEALTHY_POOLS, 200, LIST_OF("")},
        {HEALTHY_INSTANCES, 200, LIST_OF("")},
        {HEALTHY_CLAIMS, 200, LIST_OF("")},
        {HEALTHY_VOLUMES, 200, LIST_OF(HEALTHY_WARM_VOLUME)},
        {"/apis/adjoint.dev/v1alpha1/namespaces/golden/pools/main", 404, NOT_FOUND},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  owners         PersistentVolume pv-0: its Pool is gone: the operator "
                       "puts that right; if it stays so, see the check \"operator\"\n");
}

#define BOBS_CLUSTER                                                                               \
    LIST_OF("{'metadata':{'name':'bob','namespace':'dev','uid':'uk','labels':{"                    \
            "'adjoint.dev/role':'data','adjoint.dev/instance':'bob',"                              \
            "'adjoint.dev/instance-uid':'ub'}}}")

static void a_claim_without_its_instance_is_told(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {
        {HEALTHY_CLAIMS, 200,
         LIST_OF(HEALTHY_HOLDING("") "," HEALTHY_DATA_CLAIM("bob-1", "bob", "ub", ""))},
        {HEALTHY_CLUSTERS, 200, BOBS_CLUSTER},
        {BOBS, 404, NOT_FOUND},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  owners         PersistentVolumeClaim dev/bob-1: its Instance is gone "
                       "and it never got a volume: the operator puts that right");
}

static void a_cluster_without_its_instance_is_told(void **state)
{
    (void)state;
    const struct healthy_reply other[] = {
        {HEALTHY_CLUSTERS, 200, BOBS_CLUSTER},
        {BOBS, 404, NOT_FOUND},
        {"/api/v1/namespaces/dev/persistentvolumeclaims/bob-1", 404, NOT_FOUND},
        {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  owners         Cluster dev/bob: it stays, and is nobody's but its "
                       "user's: the operator puts that right");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_volume_with_two_pvs_fails),
        cmocka_unit_test(twins_of_others_are_left_alone),
        cmocka_unit_test(a_released_volume_of_an_instance_can_be_adopted),
        cmocka_unit_test(data_without_retain_fails),
        cmocka_unit_test(a_holding_claim_that_hangs_is_told),
        cmocka_unit_test(a_disposal_that_is_stuck_fails),
        cmocka_unit_test(a_volume_whose_instance_is_gone_is_told),
        cmocka_unit_test(a_volume_that_names_no_owner_fails),
        cmocka_unit_test(a_clone_whose_pool_is_gone_is_told),
        cmocka_unit_test(a_claim_without_its_instance_is_told),
        cmocka_unit_test(a_cluster_without_its_instance_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
