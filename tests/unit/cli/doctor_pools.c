/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/healthy_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CONDITION(type, reason)                                                                    \
    "{'type':'" type "','status':'False','reason':'" reason                                        \
    "','message':'do this','observedGeneration':1,'lastTransitionTime':'2026-07-01T11:00:00Z'}"

static void what_a_pool_says_of_itself_is_repeated(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_POOLS, 200,
        LIST_OF(HEALTHY_POOL("", CONDITION("RefillHealthy", "FillStuck") "," HEALTHY_POOL_READY)),
        CLI_UNHEALTHY,
        "FAIL  pools          Pool golden/main: RefillHealthy is False: FillStuck: do this\n");
    assert_doctor_says_of(
        HEALTHY_POOLS, 200,
        LIST_OF(HEALTHY_POOL("", "{'type':'RefillHealthy','status':'True','reason':'LaneConflict',"
                                 "'message':'make them alike','observedGeneration':1,"
                                 "'lastTransitionTime':'2026-07-01T11:00:00Z'}")),
        CLI_OK, "warn  pools          Pool golden/main: LaneConflict: make them alike\n");
    assert_doctor_says_of(HEALTHY_POOLS, 200, LIST_OF(HEALTHY_POOL("", "")), CLI_OK,
                          "warn  pools          Pool golden/main: the operator has not looked at "
                          "it yet: see the check \"operator\"\n");
}

static void no_pool_is_said(void **state)
{
    (void)state;
    static const struct healthy_reply other[] = {{HEALTHY_POOLS, 200, LIST_OF("")},
                                                 {HEALTHY_INSTANCES, 200, LIST_OF("")},
                                                 {HEALTHY_VOLUMES, 200, LIST_OF("")},
                                                 {HEALTHY_CLAIMS, 200, LIST_OF("")},
                                                 {.path = NULL}};
    assert_doctor_says(other, NULL, CLI_OK,
                       "warn  pools          there is none: make one beside its golden "
                       "VolumeSnapshot (deploy/examples/pool.yaml)\n"
                       "ok    instances      there is none\n"
                       "ok    volumes        there is none of Adjoint's\n"
                       "ok    owners         nothing is there that could lack one\n");
}

static void an_instance_that_needs_a_person_is_told(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_INSTANCES, 200,
        LIST_OF(HEALTHY_ALICE("", "'phase':'Failed','volume':{'name':'pv-1','handle':'fsvol-1'},"
                                  "'conditions':[" CONDITION("Ready", "VolumeReleased") "]")),
        CLI_UNHEALTHY,
        "FAIL  instances      Instance dev/alice: Failed: VolumeReleased: do this\n");
}

static void what_hangs_in_its_deletion_is_told_after_a_while(void **state)
{
    (void)state;
    assert_doctor_says_of(
        HEALTHY_POOLS, 200,
        LIST_OF(HEALTHY_POOL(",'deletionTimestamp':'2026-07-01T11:30:00Z'", HEALTHY_POOL_READY)),
        CLI_OK,
        "warn  pools          Pool golden/main: has been in its deletion for 30m: a claim would be "
        "served at once. If the operator is gone for good: adj doctor --remove-finalizers\n");
    assert_doctor_says_of(
        HEALTHY_INSTANCES, 200,
        LIST_OF(HEALTHY_ALICE(",'deletionTimestamp':'2026-07-01T11:30:00Z'", HEALTHY_ALICE_READY)),
        CLI_OK,
        "warn  instances      Instance dev/alice: has been in its deletion for 30m: m. If ");
    assert_doctor_says_of(
        HEALTHY_INSTANCES, 200,
        LIST_OF(HEALTHY_ALICE(",'deletionTimestamp':'2026-07-01T11:59:00Z'", HEALTHY_ALICE_READY)),
        CLI_OK, "ok    instances      none of 1 needs a person\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_pool_says_of_itself_is_repeated),
        cmocka_unit_test(no_pool_is_said),
        cmocka_unit_test(an_instance_that_needs_a_person_is_told),
        cmocka_unit_test(what_hangs_in_its_deletion_is_told_after_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
