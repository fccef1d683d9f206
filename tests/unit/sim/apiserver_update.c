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

static uint64_t revision_of(struct simulated_api *api, const struct resource *resource,
                            const char *namespace, const char *name)
{
    const struct record *record =
        objects_get(apiserver_objects(api->server), resource, namespace, name);
    return record == NULL ? 0 : record->revision;
}

static void a_stale_version_is_a_conflict(void **state)
{
    struct simulated_api *api = *state;
    char body[512];
    struct outcome first =
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'},'data':{'k':'1'}}");
    uint64_t revision = first.record->revision;
    outcome_release(&first);
    snprintf(body, sizeof(body),
             "{'metadata':{'name':'a','resourceVersion':'%d'},'data':{'k':'2'}}", (int)revision);
    assert_fine(api_put(api, &resource_config_maps, "dev", "a", body));
    assert_refused(api_put(api, &resource_config_maps, "dev", "a", body), 409, "Conflict",
                   "Operation cannot be fulfilled on configmaps \"a\": the object has been "
                   "modified; please apply your changes to the latest version and try again");
    /* Without one, the last write wins. */
    assert_fine(api_put(api, &resource_config_maps, "dev", "a",
                        "{'metadata':{'name':'a'},'data':{'k':'3'}}"));
    assert_refused(api_put(api, &resource_config_maps, "dev", "a", "{}"), 400, "BadRequest",
                   "the name of the object (a based on URL) was undeterminable: name must be "
                   "provided");
    assert_refused_like(api_put(api, &resource_config_maps, "dev", "b", "{}"), 404, "NotFound",
                        "configmaps \"b\" not found");
}

static void custom_resources_need_a_version_to_be_put(void **state)
{
    struct simulated_api *api = *state;
    static const char BODY[] = "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                               "'metadata':{'name':'c'},'spec':{'instances':1}}";
    assert_created(api_post(api, &resource_clusters, "dev", BODY));
    assert_refused(
        api_put(api, &resource_clusters, "dev", "c", BODY), 422, "Invalid",
        "clusters.postgresql.cnpg.io \"c\" is invalid: metadata.resourceVersion: Invalid "
        "value: 0: must be specified for an update");
}

static void another_uid_is_a_conflict(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    struct outcome outcome =
        api_put(api, CLAIMS, "dev", "a", "{'metadata':{'name':'a','uid':'other'}," CLAIM_SPEC "}");
    assert_non_null(strstr(outcome.message, "Precondition failed: UID in precondition: other"));
    assert_refused_like(outcome, 409, "Conflict",
                        "Operation cannot be fulfilled on persistentvolumeclaims \"a\": ");
}

static void the_systems_metadata_stays(void **state)
{
    struct simulated_api *api = *state;
    struct outcome before =
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}");
    struct outcome after =
        api_put(api, &resource_config_maps, "dev", "a",
                "{'metadata':{'name':'a','creationTimestamp':'2020-01-01T00:00:00Z',"
                "'generation':7,'labels':{'x':'y'}}}");
    assert_string_equal(before.record->uid, after.record->uid);
    assert_has(after.record, "{'metadata':{'creationTimestamp':'2026-01-01T00:00:00Z',"
                             "'generation':null,'labels':{'x':'y'}}}");
    outcome_release(&before);
    outcome_release(&after);
    assert_refused_like(api_put(api, &resource_config_maps, "dev", "a",
                                "{'metadata':{'name':'a','deletionTimestamp':"
                                "'2020-01-01T00:00:00Z'}}"),
                        422, "Invalid",
                        "ConfigMap \"a\" is invalid: metadata.deletionTimestamp: Invalid value: "
                        "\"2020-01-01T00:00:00Z\": field is immutable");
    assert_refused(api_put(api, &resource_config_maps, "dev", "a", "{'metadata':{'name':'b'}}"),
                   400, "BadRequest",
                   "the name of the object (b) does not match the name on the URL (a)");
}

static void a_write_that_changes_nothing_is_none(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    uint64_t revision = revision_of(api, CLAIMS, "dev", "a");
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{}"));
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_JSON,
                          "[{'op':'test','path':'/spec/volumeName','value':null}]"));
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_STRATEGIC,
                          "{'metadata':{'finalizers':['kubernetes.io/pvc-protection']}}"));
    assert_int_equal(revision_of(api, CLAIMS, "dev", "a"), revision);
    assert_fine(
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'labels':{'x':'y'}}}"));
    assert_true(revision_of(api, CLAIMS, "dev", "a") > revision);
}

static void generation_counts_changes_of_the_spec(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_clusters, "dev",
                            "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                            "'metadata':{'name':'c'},'spec':{'instances':1}}"));
    assert_fine(api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE,
                          "{'metadata':{'labels':{'a':'b'}}}"));
    api->options.subresource = "status";
    assert_fine(
        api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE, "{'status':{'phase':'x'}}"));
    api->options.subresource = NULL;
    struct outcome outcome = api_get(api, &resource_clusters, "dev", "c");
    assert_has(outcome.record, "{'metadata':{'generation':1},'status':{'phase':'x'}}");
    outcome_release(&outcome);
    outcome =
        api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE, "{'spec':{'instances':2}}");
    assert_has(outcome.record, "{'metadata':{'generation':2}}");
    outcome_release(&outcome);
}

static void status_and_the_rest_are_written_apart(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    struct outcome main = api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                                    "{'metadata':{'labels':{'a':'b'}},"
                                    "'status':{'phase':'Bound'}}");
    assert_has(main.record, "{'metadata':{'labels':{'a':'b'}},'status':{'phase':'Pending'}}");
    outcome_release(&main);
    api->options.subresource = "status";
    struct outcome status =
        api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                  "{'spec':{'storageClassName':'x'},'status':{'phase':'Available'}}");
    assert_has(status.record,
               "{'spec':{'storageClassName':'clones'},'status':{'phase':'Available'}}");
    outcome_release(&status);
    assert_refused_like(api_patch(api, &resource_config_maps, "dev", "v", PATCH_MERGE, "{}"), 404,
                        "NotFound", "the server could not find the requested resource");
    api->options.subresource = NULL;
    assert_created(api_post(api, &resource_clusters, "dev",
                            "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                            "'metadata':{'name':'c'},'spec':{'instances':1}}"));
    api->options.subresource = "status";
    /* Of a custom resource, not even the labels. */
    status = api_patch(api, &resource_clusters, "dev", "c", PATCH_MERGE,
                       "{'metadata':{'labels':{'a':'b'}},'status':{'phase':'x'}}");
    assert_has(status.record, "{'metadata':{'labels':null},'status':{'phase':'x'}}");
    outcome_release(&status);
}

static void a_claims_spec_is_immutable_but_for_its_volume(void **state)
{
    struct simulated_api *api = *state;
    static const char WORDS[] =
        "PersistentVolumeClaim \"a\" is invalid: spec: Forbidden: spec is immutable after creation "
        "except resources.requests and volumeAttributesClassName for bound claims";
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_refused(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                             "{'spec':{'accessModes':['ReadWriteMany']}}"),
                   422, "Invalid", WORDS);
    assert_refused(
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'spec':{'storageClassName':'other'}}"),
        422, "Invalid", WORDS);
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'spec':{'volumeName':'v'}}"));
    assert_refused(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'spec':{'volumeName':'w'}}"),
                   422, "Invalid", WORDS);
    assert_refused(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'spec':{'volumeName':null}}"),
                   422, "Invalid", WORDS);
    /* The same amount in other words. */
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                          "{'spec':{'resources':{'requests':{'storage':'1024Mi'}}}}"));
}

static void a_bound_claim_grows_where_its_class_lets_it(void **state)
{
    struct simulated_api *api = *state;
    static const char GROWN[] = "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}";
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_refused_like(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, GROWN), 422, "Invalid",
                        "PersistentVolumeClaim \"a\" is invalid: spec: Forbidden");
    api->options.subresource = "status";
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                          "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}"));
    api->options.subresource = NULL;
    assert_refused(
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, GROWN), 403, "Forbidden",
        "persistentvolumeclaims \"a\" is forbidden: only dynamically provisioned pvc can "
        "be resized and the storageclass that provisions the pvc must support resize");
    assert_created(api_post(api, &resource_storage_classes, NULL,
                            "{'metadata':{'name':'clones'},'provisioner':'x',"
                            "'allowVolumeExpansion':true}"));
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, GROWN));
    assert_refused_like(api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE,
                                  "{'spec':{'resources':{'requests':{'storage':'1Gi'}}}}"),
                        422, "Invalid",
                        "PersistentVolumeClaim \"a\" is invalid: spec.resources.requests.storage: "
                        "Forbidden: field can not be less than status.capacity");
}

static void a_volumes_source_is_immutable_and_the_rest_is_not(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    assert_refused(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                             "{'spec':{'csi':{'volumeHandle':'fsvol-2'}}}"),
                   422, "Invalid",
                   "PersistentVolume \"v\" is invalid: spec.persistentvolumesource: Forbidden: "
                   "spec.persistentvolumesource is immutable after creation");
    assert_refused_like(
        api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'spec':{'volumeMode':'Block'}}"), 422,
        "Invalid", "PersistentVolume \"v\" is invalid: spec.volumeMode: Invalid value: \"Block\"");
    assert_fine(api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE,
                          "{'metadata':{'labels':{'a':'b'}},'spec':{'storageClassName':'other',"
                          "'persistentVolumeReclaimPolicy':'Retain','accessModes':["
                          "'ReadWriteMany'],'capacity':{'storage':'2Gi'},'mountOptions':['a'],"
                          "'claimRef':{'namespace':'no such','name':'_warm_'}}}"));
}

static void a_storage_class_is_immutable(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_storage_classes, NULL,
                            "{'metadata':{'name':'c'},'provisioner':'x','parameters':{'a':'b'}}"));
    assert_refused(
        api_patch(api, &resource_storage_classes, NULL, "c", PATCH_MERGE,
                  "{'parameters':{'a':'c'}}"),
        422, "Invalid",
        "StorageClass.storage.k8s.io \"c\" is invalid: parameters: Forbidden: updates to "
        "parameters are forbidden.");
    assert_refused_like(api_patch(api, &resource_storage_classes, NULL, "c", PATCH_MERGE,
                                  "{'volumeBindingMode':'WaitForFirstConsumer'}"),
                        422, "Invalid",
                        "StorageClass.storage.k8s.io \"c\" is invalid: volumeBindingMode: Invalid");
    assert_fine(api_patch(api, &resource_storage_classes, NULL, "c", PATCH_MERGE,
                          "{'allowVolumeExpansion':true}"));
}

static void other_things_that_do_not_change(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_pods, "dev", POD("p", "'nodeName':'n',")));
    assert_refused_like(
        api_patch(api, &resource_pods, "dev", "p", PATCH_MERGE, "{'spec':{'nodeName':'m'}}"), 422,
        "Invalid", "Pod \"p\" is invalid: spec: Forbidden: pod updates may not");
    assert_fine(api_patch(api, &resource_pods, "dev", "p", PATCH_STRATEGIC,
                          "{'spec':{'containers':[{'name':'a','image':'c'}]}}"));
    assert_created(api_post(api, &resource_services, "dev",
                            "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1}]}}"));
    assert_refused_like(api_patch(api, &resource_services, "dev", "s", PATCH_MERGE,
                                  "{'spec':{'clusterIP':'10.1.1.1'}}"),
                        422, "Invalid",
                        "Service \"s\" is invalid: spec.clusterIPs[0]: Invalid value");
    struct outcome service = api_put(api, &resource_services, "dev", "s",
                                     "{'metadata':{'name':'s'},'spec':{'ports':[{'port':2}]}}");
    assert_has(service.record, "{'spec':{'clusterIP':'10.96.0.1'}}");
    outcome_release(&service);
    assert_created(api_post(api, &resource_secrets, "dev",
                            "{'metadata':{'name':'x'},'immutable':true,'data':{'a':'Yg=='}}"));
    assert_refused_like(
        api_patch(api, &resource_secrets, "dev", "x", PATCH_MERGE, "{'data':{'a':null}}"), 422,
        "Invalid", "Secret \"x\" is invalid: data: Forbidden: field is immutable when `immutable`");
}

static void a_dry_run_says_what_would_be(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    api->options.dry_run = true;
    struct outcome outcome =
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'labels':{'x':'y'}}}");
    assert_has(outcome.record, "{'metadata':{'labels':{'x':'y'}}}");
    assert_int_equal(outcome.record->revision, revision_of(api, CLAIMS, "dev", "a"));
    outcome_release(&outcome);
    outcome = api_get(api, CLAIMS, "dev", "a");
    assert_has(outcome.record, "{'metadata':{'labels':null}}");
    outcome_release(&outcome);
}

static void a_phase_has_its_time(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, VOLUMES, NULL, VOLUME("v")));
    (void)world_run_next(api->world, 5000);
    assert_fine(
        api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'metadata':{'labels':{'a':'b'}}}"));
    struct outcome outcome = api_get(api, VOLUMES, NULL, "v");
    assert_has(outcome.record, "{'status':{'lastPhaseTransitionTime':'2026-01-01T00:00:00Z'}}");
    outcome_release(&outcome);
    api->options.subresource = "status";
    outcome = api_patch(api, VOLUMES, NULL, "v", PATCH_MERGE, "{'status':{'phase':'Available'}}");
    assert_has(outcome.record, "{'status':{'lastPhaseTransitionTime':'2026-01-01T00:00:05Z'}}");
    outcome_release(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_stale_version_is_a_conflict),
        TEST(custom_resources_need_a_version_to_be_put),
        TEST(another_uid_is_a_conflict),
        TEST(the_systems_metadata_stays),
        TEST(a_write_that_changes_nothing_is_none),
        TEST(generation_counts_changes_of_the_spec),
        TEST(status_and_the_rest_are_written_apart),
        TEST(a_claims_spec_is_immutable_but_for_its_volume),
        TEST(a_bound_claim_grows_where_its_class_lets_it),
        TEST(a_volumes_source_is_immutable_and_the_rest_is_not),
        TEST(a_storage_class_is_immutable),
        TEST(other_things_that_do_not_change),
        TEST(a_dry_run_says_what_would_be),
        TEST(a_phase_has_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
