/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/apiserver.h"

#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CLAIMS (&resource_persistent_volume_claims)
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, simulated_api_set_up, simulated_api_tear_down)

static bool is_there(struct simulated_api *api, const struct resource *resource,
                     const char *namespace, const char *name)
{
    return objects_get(apiserver_objects(api->server), resource, namespace, name) != NULL;
}

static struct outcome delete_with(struct simulated_api *api, const struct resource *resource,
                                  const char *name, struct preconditions preconditions)
{
    return apiserver_delete(api->server, resource, resource->is_namespaced ? "dev" : NULL, name,
                            &preconditions, &api->options);
}

static void what_has_no_finalizers_goes_at_once(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}"));
    uint64_t revision = objects_revision(apiserver_objects(api->server));
    struct outcome outcome = api_delete(api, &resource_config_maps, "dev", "a");
    assert_int_equal(outcome.http_status, 200);
    assert_true(outcome.is_gone);
    assert_has(outcome.record, "{'metadata':{'name':'a','deletionTimestamp':null}}");
    assert_int_equal(outcome.record->revision, revision + 1);
    outcome_release(&outcome);
    assert_refused(api_delete(api, &resource_config_maps, "dev", "a"), 404, "NotFound",
                   "configmaps \"a\" not found");
}

static void finalizers_hold_until_the_last_is_removed(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev",
                            "{'metadata':{'name':'a','finalizers':['adjoint.dev/x']}," CLAIM_SPEC
                            "}"));
    (void)world_run_next(api->world, 3000);
    struct outcome outcome = api_delete(api, CLAIMS, "dev", "a");
    assert_false(outcome.is_gone);
    assert_has(outcome.record, "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:03Z',"
                               "'deletionGracePeriodSeconds':0}}");
    uint64_t revision = outcome.record->revision;
    outcome_release(&outcome);
    /* Again: nothing changes. */
    (void)world_run_next(api->world, 9000);
    outcome = api_delete(api, CLAIMS, "dev", "a");
    assert_int_equal(outcome.record->revision, revision);
    outcome_release(&outcome);
    assert_fine(api_patch(api, CLAIMS, "dev", "a", PATCH_STRATEGIC,
                          "{'metadata':{'$deleteFromPrimitiveList/finalizers':"
                          "['adjoint.dev/x']}}"));
    assert_true(is_there(api, CLAIMS, "dev", "a"));
    outcome = api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'finalizers':null}}");
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    assert_false(is_there(api, CLAIMS, "dev", "a"));
}

static void a_deletion_cannot_be_taken_back(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_fine(api_delete(api, CLAIMS, "dev", "a"));
    struct outcome outcome =
        api_patch(api, CLAIMS, "dev", "a", PATCH_MERGE, "{'metadata':{'deletionTimestamp':null}}");
    assert_has(outcome.record, "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}");
    outcome_release(&outcome);
}

static void a_deletion_counts_as_a_generation(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_clusters, "dev",
                            "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                            "'metadata':{'name':'c','finalizers':['a/b']},'spec':{}}"));
    assert_fine(api_delete(api, &resource_clusters, "dev", "c"));
    struct outcome outcome = api_delete(api, &resource_clusters, "dev", "c");
    assert_has(outcome.record, "{'metadata':{'generation':2}}");
    outcome_release(&outcome);
}

static void preconditions_are_compared(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    struct outcome present = api_get(api, CLAIMS, "dev", "a");
    struct outcome outcome =
        delete_with(api, CLAIMS, "a", (struct preconditions){.uid = "x", .grace_s = -1});
    assert_non_null(
        strstr(outcome.message, "The object might have been deleted and then recreated"));
    assert_refused_like(outcome, 409, "Conflict",
                        "Operation cannot be fulfilled on PersistentVolumeClaim \"a\": the UID in "
                        "the precondition (x) does not match the UID in record (");
    assert_refused_like(
        delete_with(api, CLAIMS, "a",
                    (struct preconditions){.resource_version = "1", .grace_s = -1}),
        409, "Conflict",
        "Operation cannot be fulfilled on PersistentVolumeClaim \"a\": the ResourceVersion in the "
        "precondition (1) does not match the ResourceVersion in record (");
    assert_fine(delete_with(api, CLAIMS, "a",
                            (struct preconditions){.uid = present.record->uid, .grace_s = -1}));
    outcome_release(&present);
}

static void propagation_puts_the_collectors_finalizers(void **state)
{
    struct simulated_api *api = *state;
    static const char *const ROWS[][2] = {
        {"Foreground", "{'metadata':{'finalizers':['foregroundDeletion']}}"},
        {"Orphan", "{'metadata':{'finalizers':['orphan']}}"},
        {"Background", NULL},
    };
    for (size_t i = 0; i < 3; i++) {
        assert_created(api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}"));
        struct outcome outcome =
            delete_with(api, &resource_config_maps, "a",
                        (struct preconditions){.propagation = ROWS[i][0], .grace_s = -1});
        assert_int_equal(outcome.is_gone, ROWS[i][1] == NULL);
        if (ROWS[i][1] != NULL) {
            assert_has(outcome.record, ROWS[i][1]);
            assert_fine(api_patch(api, &resource_config_maps, "dev", "a", PATCH_MERGE,
                                  "{'metadata':{'finalizers':[]}}"));
        }
        outcome_release(&outcome);
        assert_false(is_there(api, &resource_config_maps, "dev", "a"));
    }
}

static void a_background_delete_takes_a_foreground_one_over(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}"));
    assert_fine(delete_with(api, &resource_config_maps, "a",
                            (struct preconditions){.propagation = "Foreground", .grace_s = -1}));
    struct outcome outcome =
        delete_with(api, &resource_config_maps, "a",
                    (struct preconditions){.propagation = "Background", .grace_s = -1});
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
}

static void jobs_orphan_unless_told_otherwise(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_jobs, "dev",
                            "{'metadata':{'name':'j'},'spec':{'template':{'spec':{}}}}"));
    struct outcome outcome = api_delete(api, &resource_jobs, "dev", "j");
    assert_has(outcome.record, "{'metadata':{'finalizers':['orphan']}}");
    outcome_release(&outcome);
}

static void a_bound_pod_waits_for_its_kubelet(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_pods, "dev", POD("p", "'nodeName':'n',")));
    struct outcome outcome = api_delete(api, &resource_pods, "dev", "p");
    assert_false(outcome.is_gone);
    assert_has(outcome.record, "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:30Z',"
                               "'deletionGracePeriodSeconds':30,'generation':2}}");
    outcome_release(&outcome);
    /* Only a shorter time is taken. */
    outcome = delete_with(api, &resource_pods, "p", (struct preconditions){.grace_s = 60});
    assert_has(outcome.record, "{'metadata':{'deletionGracePeriodSeconds':30}}");
    outcome_release(&outcome);
    outcome = delete_with(api, &resource_pods, "p", (struct preconditions){.grace_s = 10});
    assert_has(outcome.record, "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:10Z',"
                               "'deletionGracePeriodSeconds':10}}");
    outcome_release(&outcome);
    uint64_t revision = objects_revision(apiserver_objects(api->server));
    outcome = delete_with(api, &resource_pods, "p", (struct preconditions){.grace_s = 0});
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    /* Seen to end, then gone. */
    assert_int_equal(objects_revision(apiserver_objects(api->server)), revision + 2);
    assert_false(is_there(api, &resource_pods, "dev", "p"));
}

static void a_pod_without_a_node_goes_at_once(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, &resource_pods, "dev", POD("p", "")));
    struct outcome outcome = api_delete(api, &resource_pods, "dev", "p");
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    assert_created(api_post(api, &resource_pods, "dev", POD("q", "'nodeName':'n',")));
    api->options.subresource = "status";
    assert_fine(api_patch(api, &resource_pods, "dev", "q", PATCH_MERGE,
                          "{'status':{'phase':'Succeeded'}}"));
    api->options.subresource = NULL;
    outcome = api_delete(api, &resource_pods, "dev", "q");
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
}

static void a_namespace_is_finished_by_its_controller(void **state)
{
    struct simulated_api *api = *state;
    assert_fine(api_delete(api, &resource_namespaces, NULL, "dev"));
    struct outcome outcome = api_get(api, &resource_namespaces, NULL, "dev");
    assert_has(outcome.record, "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'},"
                               "'spec':{'finalizers':['kubernetes']},"
                               "'status':{'phase':'Terminating'}}");
    outcome_release(&outcome);
    /* Not through the object itself. */
    assert_fine(api_patch(api, &resource_namespaces, NULL, "dev", PATCH_MERGE,
                          "{'spec':{'finalizers':[]}}"));
    assert_true(is_there(api, &resource_namespaces, NULL, "dev"));
    api->options.subresource = "finalize";
    outcome = api_put(api, &resource_namespaces, NULL, "dev",
                      "{'metadata':{'name':'dev'},'spec':{'finalizers':[]}}");
    assert_int_equal(outcome.http_status, 200);
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    assert_false(is_there(api, &resource_namespaces, NULL, "dev"));
    api->options.subresource = NULL;
    assert_refused(api_delete(api, &resource_namespaces, NULL, "default"), 403, "Forbidden",
                   "namespaces \"default\" is forbidden: this namespace may not be deleted");
}

static void a_dry_run_deletes_nothing(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, CLAIMS, "dev", CLAIM("a")));
    assert_created(api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}"));
    uint64_t revision = objects_revision(apiserver_objects(api->server));
    api->options.dry_run = true;
    struct outcome outcome = api_delete(api, CLAIMS, "dev", "a");
    assert_has(outcome.record, "{'metadata':{'deletionGracePeriodSeconds':0}}");
    outcome_release(&outcome);
    outcome = api_delete(api, &resource_config_maps, "dev", "a");
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    assert_int_equal(objects_revision(apiserver_objects(api->server)), revision);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_has_no_finalizers_goes_at_once),
        TEST(finalizers_hold_until_the_last_is_removed),
        TEST(a_deletion_cannot_be_taken_back),
        TEST(a_deletion_counts_as_a_generation),
        TEST(preconditions_are_compared),
        TEST(propagation_puts_the_collectors_finalizers),
        TEST(a_background_delete_takes_a_foreground_one_over),
        TEST(jobs_orphan_unless_told_otherwise),
        TEST(a_bound_pod_waits_for_its_kubelet),
        TEST(a_pod_without_a_node_goes_at_once),
        TEST(a_namespace_is_finished_by_its_controller),
        TEST(a_dry_run_deletes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
