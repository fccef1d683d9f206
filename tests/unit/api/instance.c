/* SPDX-License-Identifier: Apache-2.0 */
#include "api/instance.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void reads_the_whole_spec(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'dev42'},'spec':{"
                                   "'pool':{'name':'orders','namespace':'adjoint-pools'},"
                                   "'deletionPolicy':'Retain','durability':'Ordered',"
                                   "'cluster':{'resources':{'limits':{'cpu':1.10}},"
                                   "'postgresql':{'parameters':{'jit':'off','work_mem':'1MB'}},"
                                   "'labels':{'team':'shop'}}}}");
    const struct instance *instance = object->instance;
    assert_string_equal(instance->pool, "orders");
    assert_string_equal(instance->pool_namespace, "adjoint-pools");
    assert_int_equal(instance->deletion_policy, DELETION_RETAIN);
    assert_int_equal(instance->durability, DURABILITY_ORDERED);
    assert_string_equal(instance->resources, "{\"limits\":{\"cpu\":1.10}}");
    assert_int_equal(instance->parameter_count, 2);
    assert_string_equal(instance->parameters[1].key, "work_mem");
    assert_string_equal(instance->parameters[1].value, "1MB");
    assert_int_equal(instance->cluster_label_count, 1);
    assert_string_equal(instance->cluster_labels[0].value, "shop");
}

static void a_new_instance_has_no_status(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'dev42'},'spec':{}}");
    const struct instance *instance = object->instance;
    assert_int_equal(instance->deletion_policy, DELETION_DELETE);
    assert_int_equal(instance->durability, DURABILITY_STANDARD);
    assert_false(instance_is_special(instance));
    assert_int_equal(instance->phase, PHASE_PENDING);
    assert_int_equal(instance->conditions.count, 0);
    assert_null(instance->volume);
    assert_null(instance->holding_uid);
    assert_null(instance->golden);
    assert_null(instance->connection_host);
    assert_int_equal(instance->queue_position, 0);
    for (size_t step = 0; step < STEP_COUNT; step++) {
        assert_int_equal(instance->steps[step], 0);
    }
}

static void reads_the_whole_status(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_INSTANCE,
        "{'metadata':{'name':'dev42'},'status':{'phase':'Starting','observedGeneration':2,"
        "'conditions':[{'type':'Eligible','status':'True'}],"
        "'volume':{'name':'pv-1','handle':'fsvol-1','holdingClaimUID':'h1'},"
        "'golden':{'name':'golden-1','uid':'g1','systemID':'7423456789012345678'},"
        "'queue':{'position':3},"
        "'cluster':{'uid':'c1','generation':4,'edited':true,'parameters':{'fsync':'on',"
        "'full_page_writes':'on','synchronous_commit':'off'}},"
        "'connection':{'host':'dev42-rw.dev.svc','port':5432,'database':'app','user':'clerk',"
        "'secret':'dev42-app'},'binding':{'name':'dev42-adjoint'},"
        "'timings':{'chosenAt':'1970-01-01T00:00:00.001Z',"
        "'claimCreatedAt':'1970-01-01T00:00:00.002Z',"
        "'volumeClaimedAt':'1970-01-01T00:00:00.003Z','boundAt':'1970-01-01T00:00:00.004Z',"
        "'clusterCreatedAt':'1970-01-01T00:00:00.005Z','readyAt':'1970-01-01T00:00:00.006Z'}}}");
    const struct instance *instance = object->instance;
    assert_int_equal(instance->phase, PHASE_STARTING);
    assert_int_equal(instance->observed_generation, 2);
    assert_non_null(conditions_find(&instance->conditions, INSTANCE_CONDITION_ELIGIBLE));
    assert_string_equal(instance->volume, "pv-1");
    assert_string_equal(instance->volume_handle, "fsvol-1");
    assert_string_equal(instance->holding_uid, "h1");
    assert_string_equal(instance->golden, "golden-1");
    assert_string_equal(instance->golden_uid, "g1");
    assert_string_equal(instance->system_id, "7423456789012345678");
    assert_int_equal(instance->queue_position, 3);
    assert_string_equal(instance->cluster_uid, "c1");
    assert_int_equal(instance->cluster_generation, 4);
    assert_true(instance->cluster_edited);
    assert_string_equal(instance->parameters_in_force[PARAMETER_SYNCHRONOUS_COMMIT], "off");
    assert_string_equal(instance->connection_host, "dev42-rw.dev.svc");
    assert_string_equal(instance->connection_database, "app");
    assert_string_equal(instance->connection_user, "clerk");
    assert_string_equal(instance->connection_secret, "dev42-app");
    assert_string_equal(instance->binding_secret, "dev42-adjoint");
    for (size_t step = 0; step < STEP_COUNT; step++) {
        assert_int_equal(instance->steps[step], step + 1);
    }
}

static void every_phase_is_read_by_its_name(void **state)
{
    (void)state;
    for (enum instance_phase phase = 0; phase < PHASE_COUNT; phase++) {
        cleanup_text struct text json;
        text_init(&json, 1000);
        text_print(&json, "{'metadata':{'name':'a'},'status':{'phase':'%s'}}",
                   instance_phase_name(phase));
        cleanup_object struct object *object = object_from(KIND_INSTANCE, json.bytes);
        assert_int_equal(object->instance->phase, phase);
    }
}

static void a_phase_of_a_newer_version_reads_as_pending(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_INSTANCE, "{'metadata':{'name':'a'},'status':{'phase':'Hibernating'}}");
    assert_int_equal(object->instance->phase, PHASE_PENDING);
}

static void a_deletion_policy_of_a_newer_version_is_refused(void **state)
{
    (void)state;
    assert_object_refused(KIND_INSTANCE,
                          "{'metadata':{'name':'a'},'spec':{'deletionPolicy':'Archive'}}",
                          "deletionPolicy has a value");
}

static void steps_are_named_as_in_timings(void **state)
{
    (void)state;
    assert_string_equal(claim_step_name(STEP_CHOSEN), "chosenAt");
    assert_string_equal(claim_step_name(STEP_READY), "readyAt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_whole_spec),
        cmocka_unit_test(a_new_instance_has_no_status),
        cmocka_unit_test(reads_the_whole_status),
        cmocka_unit_test(every_phase_is_read_by_its_name),
        cmocka_unit_test(a_phase_of_a_newer_version_reads_as_pending),
        cmocka_unit_test(a_deletion_policy_of_a_newer_version_is_refused),
        cmocka_unit_test(steps_are_named_as_in_timings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
