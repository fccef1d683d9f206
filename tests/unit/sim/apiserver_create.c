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

static void the_server_sets_the_systems_metadata(void **state)
{
    struct simulated_api *api = *state;
    struct outcome outcome =
        api_post(api, CLAIMS, "dev",
                 "{'metadata':{'name':'a','uid':'mine','creationTimestamp':null,"
                 "'deletionTimestamp':'2020-01-01T00:00:00Z','managedFields':[]}," CLAIM_SPEC "}");
    assert_int_equal(outcome.http_status, 201);
    assert_has(outcome.record,
               "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a',"
               "'namespace':'dev','creationTimestamp':'2026-01-01T00:00:00Z',"
               "'deletionTimestamp':null,'managedFields':null,"
               "'finalizers':['kubernetes.io/pvc-protection']},"
               "'spec':{'volumeMode':'Filesystem'},'status':{'phase':'Pending'}}");
    assert_int_equal(strlen(outcome.record->uid), 36);
    assert_int_equal(outcome.record->uid[14], '4');
    assert_int_equal(value_int64(outcome.record->value, -1, "metadata", "generation", NULL), -1);
    assert_int_equal(outcome.record->revision, objects_revision(apiserver_objects(api->server)));
    outcome_release(&outcome);
}

static void a_name_can_be_taken_once(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_refused(api_post(api, CLAIMS, "dev", CLAIM("a")), 409, "AlreadyExists",
                   "persistentvolumeclaims \"a\" already exists");
    assert_created(
        api_post(api, &resource_secrets, "dev", "{'metadata':{'name':'a','finalizers':['a/b']}}"));
    assert_fine(api_delete(api, &resource_secrets, "dev", "a"));
    assert_refused(api_post(api, &resource_secrets, "dev", "{'metadata':{'name':'a'}}"), 409,
                   "AlreadyExists", "object is being deleted: secrets \"a\" already exists");
    assert_created(api_post(api, CLAIMS, "default", CLAIM("a")));
}

static void names_are_generated(void **state)
{
    struct simulated_api *api = *state;
    struct outcome first =
        api_post(api, CLAIMS, "dev", "{'metadata':{'generateName':'a-'}," CLAIM_SPEC "}");
    struct outcome second =
        api_post(api, CLAIMS, "dev", "{'metadata':{'generateName':'a-'}," CLAIM_SPEC "}");
    assert_int_equal(first.http_status, 201);
    assert_int_equal(strlen(first.record->name), 7);
    assert_memory_equal(first.record->name, "a-", 2);
    assert_string_not_equal(first.record->name, second.record->name);
    outcome_release(&first);
    outcome_release(&second);
}

static void names_follow_their_kinds_rules(void **state)
{
    struct simulated_api *api = *state;
    assert_refused_like(
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'generateName':'Ab-'}}"), 422,
        "Invalid", "ConfigMap \"Ab-");
    struct outcome outcome =
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'generateName':'Ab-'}}");
    assert_non_null(strstr(outcome.message, "metadata.generateName: Invalid value: \"Ab-\""));
    outcome_release(&outcome);
    assert_refused(api_post(api, CLAIMS, "dev", CLAIM("A_b")), 422, "Invalid",
                   "PersistentVolumeClaim \"A_b\" is invalid: metadata.name: Invalid value: "
                   "\"A_b\": a lowercase RFC 1123 subdomain must consist of lower case "
                   "alphanumeric characters, '-' or '.', and must start and end with an "
                   "alphanumeric character (e.g. 'example.com', regex used for validation is "
                   "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a.b")));
    assert_refused_like(api_post(api, CLAIMS, "dev", CLAIM("a..b")), 422, "Invalid", "");
    assert_refused_like(api_post(api, CLAIMS, "dev", CLAIM("a.-b")), 422, "Invalid", "");
    assert_refused_like(
        api_post(api, &resource_namespaces, NULL, "{'metadata':{'name':'a.b'}}"), 422, "Invalid",
        "Namespace \"a.b\" is invalid: metadata.name: Invalid value: \"a.b\": must not "
        "contain dots");
    assert_refused_like(api_post(api, &resource_services, "dev",
                                 "{'metadata':{'name':'1a'},'spec':{'ports':[{'port':1}]}}"),
                        422, "Invalid",
                        "Service \"1a\" is invalid: metadata.name: Invalid value: \"1a\": a "
                        "DNS-1035 label");
    assert_refused(api_post(api, CLAIMS, "dev", "{'metadata':{}," CLAIM_SPEC "}"), 422, "Invalid",
                   "PersistentVolumeClaim \"\" is invalid: metadata.name: Required value: name or "
                   "generateName is required");
}

static void labels_finalizers_and_owners_are_judged(void **state)
{
    struct simulated_api *api = *state;
    assert_refused(
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a','finalizers':['x']}}"),
        422, "Invalid",
        "ConfigMap \"a\" is invalid: metadata.finalizers: Invalid value: \"x\": name is neither a "
        "standard finalizer name nor is it fully qualified");
    assert_refused_like(api_post(api, &resource_config_maps, "dev",
                                 "{'metadata':{'name':'a','labels':{'a/b/c':'x'}}}"),
                        422, "Invalid",
                        "ConfigMap \"a\" is invalid: metadata.labels: Invalid value: \"a/b/c\"");
    assert_refused_like(
        api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a','labels':{'a':'-'}}}"),
        422, "Invalid", "ConfigMap \"a\" is invalid: metadata.labels: Invalid value: \"-\"");
    assert_refused_like(api_post(api, &resource_config_maps, "dev",
                                 "{'metadata':{'name':'a','finalizers':['a b']}}"),
                        422, "Invalid",
                        "ConfigMap \"a\" is invalid: [metadata.finalizers: Invalid value: \"a b\"");
    assert_refused_like(api_post(api, &resource_config_maps, "dev",
                                 "{'metadata':{'name':'a','ownerReferences':[{'apiVersion':'v1',"
                                 "'kind':'Pod','name':'p'}]}}"),
                        422, "Invalid",
                        "ConfigMap \"a\" is invalid: metadata.ownerReferences.uid: Invalid value: "
                        "\"\": must not be empty");
}

static void the_namespace_must_be_there_and_not_end(void **state)
{
    struct simulated_api *api = *state;
    assert_refused(api_post(api, CLAIMS, "nowhere", CLAIM("a")), 404, "NotFound",
                   "namespaces \"nowhere\" not found");
    assert_refused(api_post(api, CLAIMS, "dev",
                            "{'metadata':{'name':'a','namespace':'other'}," CLAIM_SPEC "}"),
                   400, "BadRequest",
                   "the namespace of the provided object does not match the namespace sent on the "
                   "request");
    assert_fine(api_delete(api, &resource_namespaces, NULL, "dev"));
    struct outcome outcome = api_post(api, CLAIMS, "dev", CLAIM("a"));
    assert_non_null(outcome.causes);
    assert_non_null(strstr(outcome.causes, "\"reason\":\"NamespaceTerminating\""));
    assert_non_null(strstr(outcome.causes, "\"field\":\"metadata.namespace\""));
    assert_refused(outcome, 403, "Forbidden",
                   "persistentvolumeclaims \"a\" is forbidden: unable to create new content in "
                   "namespace dev because it is being terminated");
}

static void the_body_must_be_of_the_resource(void **state)
{
    struct simulated_api *api = *state;
    assert_refused(api_post(api, CLAIMS, "dev", "{'apiVersion':'v2','kind':'X'}"), 400,
                   "BadRequest",
                   "the API version in the data (v2) does not match the expected API version (v1)");
    assert_refused(api_post(api, CLAIMS, "dev", "{'apiVersion':'v1','kind':'Pod'}"), 400,
                   "BadRequest",
                   "Pod in version \"v1\" cannot be handled as a PersistentVolumeClaim");
    assert_refused_like(api_post(api, CLAIMS, "dev", "[]"), 400, "BadRequest", "");
    /* A custom resource must say what it is. */
    assert_refused_like(api_post(api, &resource_clusters, "dev", "{'metadata':{'name':'a'}}"), 400,
                        "BadRequest",
                        "Object 'Kind' is missing in '{\"metadata\":{\"name\":\"a\"}}'");
    assert_refused(api_post(api, CLAIMS, "dev",
                            "{'metadata':{'name':'a','resourceVersion':'5'}," CLAIM_SPEC "}"),
                   500, "", "resourceVersion should not be set on objects to be created");
}

static void claims_and_volumes_are_validated(void **state)
{
    struct simulated_api *api = *state;
    assert_refused(api_post(api, CLAIMS, "dev", "{'metadata':{'name':'a'},'spec':{}}"), 422,
                   "Invalid",
                   "PersistentVolumeClaim \"a\" is invalid: [spec.accessModes: Required value: at "
                   "least 1 access mode is required, spec.resources[storage]: Required value]");
    assert_refused_like(
        api_post(api, CLAIMS, "dev",
                 "{'metadata':{'name':'a'},'spec':{'accessModes':["
                 "'ReadWriteOncePod','ReadWriteOnce'],'resources':{'requests':{"
                 "'storage':'0'}}}}"),
        422, "Invalid",
        "PersistentVolumeClaim \"a\" is invalid: [spec.accessModes: Forbidden: may "
        "not use ReadWriteOncePod with other access modes, "
        "spec.resources[storage]: Invalid value: \"0\": must be greater than zero]");
    assert_refused(api_post(api, VOLUMES, NULL,
                            "{'metadata':{'name':'v'},'spec':{'accessModes':['ReadWriteOnce'],"
                            "'capacity':{'storage':'1Gi'}}}"),
                   422, "Invalid",
                   "PersistentVolume \"v\" is invalid: spec: Required value: must specify a volume "
                   "type");
    struct outcome volume = api_post(api, VOLUMES, NULL, VOLUME("v"));
    assert_has(volume.record, "{'metadata':{'finalizers':['kubernetes.io/pv-protection']},"
                              "'spec':{'volumeMode':'Filesystem'},'status':{'phase':'Pending',"
                              "'lastPhaseTransitionTime':'2026-01-01T00:00:00Z'}}");
    outcome_release(&volume);
}

static void the_default_class_is_for_claims_that_name_none(void **state)
{
    struct simulated_api *api = *state;
    static const char BARE[] = "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
                               "'resources':{'requests':{'storage':'1Gi'}}}}";
    struct outcome before = api_post(api, CLAIMS, "default", BARE);
    assert_has(before.record, "{'spec':{'storageClassName':null}}");
    outcome_release(&before);
    assert_created(api_post(api, &resource_storage_classes, NULL,
                            "{'metadata':{'name':'standard','annotations':{"
                            "'storageclass.kubernetes.io/is-default-class':'true'}},"
                            "'provisioner':'x'}"));
    struct outcome bare = api_post(api, CLAIMS, "dev", BARE);
    assert_has(bare.record, "{'spec':{'storageClassName':'standard'}}");
    outcome_release(&bare);
    struct outcome none =
        api_post(api, CLAIMS, "dev",
                 "{'metadata':{'name':'b'},'spec':{'storageClassName':'','accessModes':["
                 "'ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    assert_has(none.record, "{'spec':{'storageClassName':''}}");
    outcome_release(&none);
}

static void kinds_get_their_defaults(void **state)
{
    struct simulated_api *api = *state;
    struct outcome service = api_post(api, &resource_services, "dev",
                                      "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}");
    assert_has(service.record, "{'spec':{'clusterIP':'10.96.0.1','clusterIPs':['10.96.0.1'],"
                               "'type':'ClusterIP','ports':[{'port':80,'protocol':'TCP',"
                               "'targetPort':80}]}}");
    outcome_release(&service);
    struct outcome secret =
        api_post(api, &resource_secrets, "dev",
                 "{'metadata':{'name':'s'},'stringData':{'a':'b'},'data':{'c':'ZA=='}}");
    assert_has(secret.record, "{'type':'Opaque','stringData':null,'data':{'a':'Yg==','c':'ZA=='}}");
    outcome_release(&secret);
    struct outcome pod = api_post(api, &resource_pods, "dev", POD("p", ""));
    assert_has(pod.record, "{'metadata':{'generation':1},'spec':{'restartPolicy':'Always',"
                           "'terminationGracePeriodSeconds':30},'status':{'phase':'Pending'}}");
    outcome_release(&pod);
    struct outcome namespace = api_get(api, &resource_namespaces, NULL, "dev");
    assert_has(namespace.record, "{'metadata':{'labels':{'kubernetes.io/metadata.name':'dev'}},"
                                 "'spec':{'finalizers':['kubernetes']},"
                                 "'status':{'phase':'Active'}}");
    outcome_release(&namespace);
}

static void a_create_brings_no_status(void **state)
{
    struct simulated_api *api = *state;
    struct outcome cluster = api_post(api, &resource_clusters, "dev",
                                      "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                                      "'metadata':{'name':'c'},'spec':{'instances':1},"
                                      "'status':{'phase':'x'}}");
    assert_has(cluster.record, "{'metadata':{'generation':1},'status':null}");
    outcome_release(&cluster);
}

static void a_dry_run_commits_nothing(void **state)
{
    struct simulated_api *api = *state;
    uint64_t revision = objects_revision(apiserver_objects(api->server));
    api->options.dry_run = true;
    struct outcome outcome = api_post(api, CLAIMS, "dev", CLAIM("a"));
    assert_int_equal(outcome.http_status, 201);
    assert_int_equal(outcome.record->revision, 0);
    assert_has(outcome.record, "{'metadata':{'resourceVersion':null},"
                               "'status':{'phase':'Pending'}}");
    outcome_release(&outcome);
    assert_refused_like(api_get(api, CLAIMS, "dev", "a"), 404, "NotFound", "");
    assert_int_equal(objects_revision(apiserver_objects(api->server)), revision);
    api->options.dry_run = false;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    api->options.dry_run = true;
    assert_refused_like(api_post(api, CLAIMS, "dev", CLAIM("a")), 409, "AlreadyExists", "");
}

static void a_pod_is_bound_once(void **state)
{
    struct simulated_api *api = *state;
    static const char BINDING[] = "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}";
    assert_created(api_post(api, &resource_pods, "dev", POD("p", "")));
    api->options.subresource = "binding";
    assert_created(api_post(api, &resource_pods, "dev", BINDING));
    assert_refused(api_post(api, &resource_pods, "dev", BINDING), 409, "Conflict",
                   "Operation cannot be fulfilled on pods \"p\": pod p is already assigned to node "
                   "\"n\"");
    assert_refused_like(
        api_post(api, &resource_pods, "dev", "{'metadata':{'name':'q'},'target':{'name':'n'}}"),
        404, "NotFound", "pods \"q\" not found");
    struct outcome pod = api_get(api, &resource_pods, "dev", "p");
    assert_has(pod.record, "{'spec':{'nodeName':'n'}}");
    outcome_release(&pod);
}

struct told {
    int count;
    char verb[16], name[64];
    int http_status;
};

static void note(void *self, const struct write_seen *write)
{
    struct told *told = self;
    told->count++;
    (void)snprintf(told->verb, sizeof(told->verb), "%s", write->verb);
    (void)snprintf(told->name, sizeof(told->name), "%s", write->name);
    told->http_status = write->outcome->http_status;
}

static void each_write_is_told_of(void **state)
{
    struct simulated_api *api = *state;
    struct told told = {0};
    apiserver_on_write(api->server, note, &told);
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_int_equal(told.count, 1);
    assert_string_equal(told.verb, "create");
    assert_string_equal(told.name, "a");
    assert_refused_like(api_post(api, CLAIMS, "dev", CLAIM("a")), 409, "AlreadyExists", "");
    assert_int_equal(told.http_status, 409);
    assert_fine(api_delete(api, CLAIMS, "dev", "a"));
    assert_string_equal(told.verb, "delete");
    assert_int_equal(told.count, 3);
}

static void events_lie_beside_what_they_are_about(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_events, "dev",
                            "{'metadata':{'name':'a'},'involvedObject':{'namespace':'dev'}}"));
    assert_created(api_post(api, &resource_events, "default",
                            "{'metadata':{'name':'a'},'involvedObject':{'kind':'Node'}}"));
    assert_refused_like(
        api_post(api, &resource_events, "dev", "{'metadata':{'name':'b'},'involvedObject':{}}"),
        422, "Invalid", "Event \"b\" is invalid: involvedObject.namespace: Invalid value");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, simulated_api_set_up, simulated_api_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_server_sets_the_systems_metadata),
        TEST(a_name_can_be_taken_once),
        TEST(names_are_generated),
        TEST(names_follow_their_kinds_rules),
        TEST(labels_finalizers_and_owners_are_judged),
        TEST(the_namespace_must_be_there_and_not_end),
        TEST(the_body_must_be_of_the_resource),
        TEST(claims_and_volumes_are_validated),
        TEST(the_default_class_is_for_claims_that_name_none),
        TEST(kinds_get_their_defaults),
        TEST(a_create_brings_no_status),
        TEST(a_dry_run_commits_nothing),
        TEST(a_pod_is_bound_once),
        TEST(each_write_is_told_of),
        TEST(events_lie_beside_what_they_are_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
