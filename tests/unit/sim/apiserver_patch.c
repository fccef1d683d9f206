/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/apiserver.h"

#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CLAIMS (&resource_persistent_volume_claims)
#define VOLUMES (&resource_persistent_volumes)
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, simulated_api_set_up, simulated_api_tear_down)

/* The commit point of a claim: all of it or nothing. */
static void a_json_patch_tests_what_it_needs(void **state)
{
    struct simulated_api *api = *state;
    static const char PATCH[] =
        "[{'op':'test','path':'/metadata/deletionTimestamp','value':null},"
        "{'op':'test','path':'/status/phase','value':'Pending'},"
        "{'op':'test','path':'/metadata/labels/adjoint.dev~1state','value':'warm'},"
        "{'op':'replace','path':'/metadata/labels/adjoint.dev~1state','value':'claimed'},"
        "{'op':'replace','path':'/spec/persistentVolumeReclaimPolicy','value':'Retain'},"
        "{'op':'replace','path':'/spec/claimRef','value':{'namespace':'dev','name':'a',"
        "'uid':'u'}}]";
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused(api_patch(api, VOLUMES, NULL, "v", PATCH_JSON, PATCH), 422, "Invalid",
                   "the server rejected our request due to an error in our request");
    assert_fine(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                          "{'metadata':{'labels':{'adjoint.dev/state':'warm'}}}"));
    struct outcome won = api_patch(api, VOLUMES, NULL, "v", PATCH_JSON, PATCH);
    assert_has(won.record,
               "{'metadata':{'labels':{'adjoint.dev/state':'claimed'}},"
               "'spec':{'persistentVolumeReclaimPolicy':'Retain','claimRef':{'uid':'u'}}}");
    outcome_release(&won);
    struct outcome lost = api_patch(api, VOLUMES, NULL, "v", PATCH_JSON, PATCH);
    assert_null(lost.causes);
    assert_refused(lost, 422, "Invalid",
                   "the server rejected our request due to an error in our request");
}

static void a_patched_version_is_a_precondition(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused_like(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                                  "{'metadata':{'resourceVersion':'1','labels':{'a':'b'}}}"),
                        409, "Conflict",
                        "Operation cannot be fulfilled on persistentvolumes \"v\"");
    assert_refused_like(
        api_patch(api, VOLUMES, NULL, "v", PATCH_JSON,
                  "[{'op':'replace','path':'/metadata/resourceVersion','value':'1'}]"),
        409, "Conflict", "");
    char patch[128];
    struct outcome outcome = api_get(api, VOLUMES, NULL, "v");
    snprintf(patch, sizeof(patch), "{'metadata':{'resourceVersion':'%d','labels':{'a':'b'}}}",
             (int)outcome.record->revision);
    outcome_release(&outcome);
    assert_fine(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, patch));
}

static void another_uid_is_invalid(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused(
        api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'metadata':{'uid':'x'}}"), 422, "Invalid",
        "PersistentVolume \"v\" is invalid: metadata.uid: Invalid value: \"x\": field is "
        "immutable");
}

static void a_patch_keeps_the_objects_name(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'metadata':{'name':'w'}}"),
                   400, "BadRequest",
                   "the name of the object (w) does not match the name on the URL (v)");
}

static void what_is_no_patch_is_a_bad_request(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused_like(api_patch(api, VOLUMES, NULL, "v", PATCH_JSON, "{}"), 400, "BadRequest",
                        "");
    assert_refused_like(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "[]"), 400, "BadRequest",
                        "");
    assert_refused_like(api_patch(api, VOLUMES, NULL, "v", PATCH_STRATEGIC, "{'$x':1}"), 400,
                        "BadRequest", "unknown directive");
    assert_refused_like(api_patch(api, VOLUMES, NULL, "w", PATCH_MERGE, "{}"), 404, "NotFound",
                        "persistentvolumes \"w\" not found");
}

static void custom_resources_know_no_strategic_merge(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_clusters, "dev",
                            "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                            "'metadata':{'name':'c'},'spec':{'instances':1}}"));
    assert_refused_like(api_patch(api, &resource_clusters, "dev", "c", PATCH_STRATEGIC, "{}"), 415,
                        "UnsupportedMediaType", "the body of the request was in an unknown format");
}

static void a_terminating_object_gets_no_new_finalizers(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_fine(api_delete(api, VOLUMES, NULL, "v"));
    assert_refused(
        api_patch(api, VOLUMES, NULL, "v", PATCH_STRATEGIC, "{'metadata':{'finalizers':['a/b']}}"),
        422, "Invalid",
        "PersistentVolume \"v\" is invalid: metadata.finalizers: Forbidden: no new "
        "finalizers can be added if the object is being deleted, found new finalizers "
        "[]string{\"a/b\"}");
    assert_fine(
        api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'metadata':{'labels':{'a':'b'}}}"));
}

static void a_scale_is_a_number_of_the_object(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_clusters, "dev",
                            "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                            "'metadata':{'name':'c'},'spec':{'instances':1}}"));
    api->options.subresource = "status";
    assert_fine(
        api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE, "{'status':{'instances':1}}"));
    struct outcome scale = apiserver_get_scale(api->server, &resource_clusters, "dev", "c");
    assert_has(scale.record, "{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'c',"
                             "'namespace':'dev'},'spec':{'replicas':1},'status':{'replicas':1}}");
    outcome_release(&scale);
    api->options.subresource = "scale";
    scale = api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE, "{'spec':{'replicas':3}}");
    assert_has(scale.record, "{'kind':'Scale','spec':{'replicas':3}}");
    outcome_release(&scale);
    scale = api_put(api, &resource_clusters, "dev", "c",
                    "{'metadata':{'name':'c'},'spec':{'replicas':4}}");
    assert_has(scale.record, "{'kind':'Scale','spec':{'replicas':4}}");
    outcome_release(&scale);
    assert_refused_like(api_put(api, &resource_clusters, "dev", "c",
                                "{'metadata':{'resourceVersion':'1'},'spec':{'replicas':5}}"),
                        409, "Conflict", "");
    assert_refused(
        api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE, "{'spec':{'replicas':-1}}"),
        422, "Invalid",
        "Scale.autoscaling \"c\" is invalid: spec.replicas: Invalid value: -1: should be a "
        "non-negative integer");
    struct outcome cluster = api_get(api, &resource_clusters, "dev", "c");
    assert_has(cluster.record, "{'kind':'Cluster','metadata':{'generation':3},"
                               "'spec':{'instances':4}}");
    outcome_release(&cluster);
    assert_refused_like(apiserver_get_scale(api->server, CLAIMS, "dev", "c"), 404, "NotFound",
                        "the server could not find");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_json_patch_tests_what_it_needs),
        TEST(a_patched_version_is_a_precondition),
        TEST(another_uid_is_invalid),
        TEST(a_patch_keeps_the_objects_name),
        TEST(what_is_no_patch_is_a_bad_request),
        TEST(custom_resources_know_no_strategic_merge),
        TEST(a_terminating_object_gets_no_new_finalizers),
        TEST(a_scale_is_a_number_of_the_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
