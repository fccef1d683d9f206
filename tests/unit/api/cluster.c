/* SPDX-License-Identifier: Apache-2.0 */
#include "api/cluster.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void reads_a_clusters_status(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_CLUSTER, "{'metadata':{'name':'dev42'},'spec':{'instances':1,"
                      "'bootstrap':{'recovery':{'secret':{'name':'ours'}}},'postgresql':{"
                      "'parameters':{'synchronous_commit':'off','work_mem':'1MB'}}},'status':{"
                      "'phase':'Cluster in healthy state','phaseReason':'because',"
                      "'systemID':'7423456789012345678','currentPrimary':'dev42-1',"
                      "'readyInstances':1,'conditions':["
                      "{'type':'ConsistentSystemID','status':'True'},"
                      "{'type':'Ready','status':'True','message':'Cluster is Ready'}]}}");
    const struct cluster *cluster = object->cluster;
    assert_string_equal(cluster->phase, "Cluster in healthy state");
    assert_string_equal(cluster->phase_reason, "because");
    assert_string_equal(cluster->system_id, "7423456789012345678");
    assert_string_equal(cluster->current_primary, "dev42-1");
    assert_int_equal(cluster->ready_instances, 1);
    assert_true(cluster->ready);
    assert_null(cluster->problem);
    assert_string_equal(cluster->parameters[PARAMETER_SYNCHRONOUS_COMMIT], "off");
    assert_null(cluster->parameters[PARAMETER_FSYNC]);
    assert_string_equal(cluster->secret, "ours");
}

static void not_ready_says_why(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_CLUSTER, "{'metadata':{'name':'dev42'},'status':{'conditions':["
                                  "{'type':'Ready','status':'False','message':'no primary'}]}}");
    assert_false(object->cluster->ready);
    assert_string_equal(object->cluster->problem, "no primary");
}

static void a_new_cluster_is_not_ready(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_CLUSTER, "{'metadata':{'name':'dev42'}}");
    assert_false(object->cluster->ready);
    assert_null(object->cluster->problem);
    assert_null(object->cluster->secret);
    assert_null(object->cluster->system_id);
}

static void ready_is_found_behind_many_conditions(void **state)
{
    (void)state;
    cleanup_text struct text json;
    text_init(&json, 4096);
    text_append(&json, "{'metadata':{'name':'a'},'status':{'conditions':[");
    for (int i = 0; i < CONDITIONS_MAX + 1; i++) {
        text_print(&json, "{'type':'T%d','status':'False'},", i);
    }
    text_append(&json, "{'type':'Ready','status':'True'}]}}");
    cleanup_object struct object *object = object_from(KIND_CLUSTER, json.bytes);
    assert_true(object->cluster->ready);
}

static void a_job_knows_its_cluster(void **state)
{
    (void)state;
    cleanup_object struct object *object = object_from(
        KIND_JOB, "{'metadata':{'name':'dev42-1-initdb','labels':{'cnpg.io/cluster':'dev42'}}}");
    assert_string_equal(object->job->cluster, "dev42");
}

static void a_namespace_may_be_terminating(void **state)
{
    (void)state;
    cleanup_object struct object *active =
        object_from(KIND_NAMESPACE, "{'metadata':{'name':'a'},'status':{'phase':'Active'}}");
    cleanup_object struct object *going =
        object_from(KIND_NAMESPACE, "{'metadata':{'name':'a'},'status':{'phase':'Terminating'}}");
    assert_false(active->kube_namespace->terminating);
    assert_true(going->kube_namespace->terminating);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_clusters_status),
        cmocka_unit_test(not_ready_says_why),
        cmocka_unit_test(a_new_cluster_is_not_ready),
        cmocka_unit_test(ready_is_found_behind_many_conditions),
        cmocka_unit_test(a_job_knows_its_cluster),
        cmocka_unit_test(a_namespace_may_be_terminating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
