/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/namespaces.h"

#include "sim/condition.h"
#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAPS (&resource_config_maps)
#define SPACES (&resource_namespaces)

static void start(struct storage_world *storage)
{
    storage->namespaces = namespaces_new(storage->server, &storage->pace);
}

static void make_map(struct storage_world *storage, const char *name, const char *finalizers)
{
    cJSON *value = draft("{'metadata':{'name':'$1'}}", name, NULL);
    if (finalizers != NULL) {
        value_set(value_at(value, "metadata", NULL), "finalizers", draft(finalizers, NULL));
    }
    record_release(storage_world_make(storage, MAPS, value));
}

static void an_empty_namespace_goes_after_five_seconds(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    storage_world_delete(storage, SPACES, "dev");
    storage_world_run(storage, 4900);
    assert_string_equal(storage_world_phase(storage, SPACES, "dev"), "Terminating");
    storage_world_run(storage, 500);
    assert_null(storage_world_get(storage, SPACES, "dev"));
}

static void what_is_in_it_goes_first_and_what_is_elsewhere_stays(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_map(storage, "a", NULL);
    record_release(storage_world_make(
        storage, &resource_clusters,
        draft("{'metadata':{'name':'c'},'spec':{'instances':1,'storage':{'size':'1Gi'}}}", NULL)));
    storage_world_delete(storage, SPACES, "dev");
    assert_true(objects_next(apiserver_objects(storage->server), SPACES, NULL, NULL) != NULL);
    storage_world_run(storage, 30 * SECOND_MS);
    assert_null(storage_world_get(storage, SPACES, "dev"));
    assert_null(storage_world_get(storage, MAPS, "a"));
    assert_null(storage_world_get(storage, &resource_clusters, "c"));
    assert_non_null(storage_world_get(storage, SPACES, "default"));
    assert_non_null(storage_world_get(storage, &resource_storage_classes, "clones"));
}

static void a_finalizer_holds_it_and_the_conditions_say_so(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_map(storage, "a", "['x.y/held']");
    make_map(storage, "b", "['x.y/held']");
    storage_world_delete(storage, SPACES, "dev");
    storage_world_run(storage, MINUTE_MS);
    const struct record *namespace = storage_world_get(storage, SPACES, "dev");
    const cJSON *status = value_at(namespace->value, "status", NULL);
    static const struct {
        const char *type, *reason, *message;
        bool is_true;
    } ROWS[] = {
        {"NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered",
         "All resources successfully discovered", false},
        {"NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions",
         "All legacy kube types successfully parsed", false},
        {"NamespaceDeletionContentFailure", "ContentDeleted",
         "All content successfully deleted, may be waiting on finalization", false},
        {"NamespaceContentRemaining", "SomeResourcesRemain",
         "Some resources are remaining: configmaps. has 2 resource instances", true},
        {"NamespaceFinalizersRemaining", "SomeFinalizersRemain",
         "Some content in the namespace has finalizers remaining: x.y/held in 2 resource instances",
         true},
    };
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        const cJSON *condition = condition_find(status, ROWS[i].type);
        assert_true(value_equal_text(condition, ROWS[i].reason, "reason", NULL));
        assert_string_equal(value_text(condition, "message", NULL), ROWS[i].message);
        assert_int_equal(condition_is_true(status, ROWS[i].type), ROWS[i].is_true);
    }
    int writes = storage->writes;
    storage_world_change(storage, MAPS, "a", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_change(storage, MAPS, "b", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_run(storage, 9 * SECOND_MS); /* looked at again after 8 s */
    assert_null(storage_world_get(storage, SPACES, "dev"));
    assert_true(storage->writes > writes);
}

static void pods_go_before_the_rest(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_map(storage, "a", NULL);
    record_release(storage_world_make(
        storage, &resource_pods,
        draft("{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'a',"
              "'image':'b'}]}}",
              NULL)));
    storage_world_delete(storage, SPACES, "dev");
    storage_world_run(storage, MINUTE_MS);
    assert_true(value_is_deleting(storage_world_get(storage, &resource_pods, "p")->value));
    assert_false(value_is_deleting(storage_world_get(storage, MAPS, "a")->value));
    const struct preconditions now = {.grace_s = 0};
    assert_fine(apiserver_delete(storage->server, &resource_pods, "dev", "p", &now,
                                 &storage->api->options));
    storage_world_run(storage, MINUTE_MS);
    assert_null(storage_world_get(storage, SPACES, "dev"));
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(an_empty_namespace_goes_after_five_seconds),
        STORAGE_TEST(what_is_in_it_goes_first_and_what_is_elsewhere_stays),
        STORAGE_TEST(a_finalizer_holds_it_and_the_conditions_say_so),
        STORAGE_TEST(pods_go_before_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
