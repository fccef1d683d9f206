/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/protection.h"

#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PVC (&resource_persistent_volume_claims)
#define PV (&resource_persistent_volumes)
#define PODS (&resource_pods)

static void start(struct storage_world *storage)
{
    storage->protection = protection_new(storage->server, &storage->pace);
}

static void make_pod(struct storage_world *storage, const char *node, const char *phase)
{
    cJSON *pod = draft("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a','image':'b'}],"
                       "'volumes':[{'name':'d','persistentVolumeClaim':{'claimName':'c'}}]},"
                       "'status':{'phase':'$1'}}",
                       phase, NULL);
    value_set_text(value_at(pod, "spec", NULL), "nodeName", node);
    record_release(storage_world_make(storage, PODS, pod));
}

static void remove_pod(struct storage_world *storage)
{
    const struct preconditions now = {.grace_s = 0};
    assert_fine(apiserver_delete(storage->server, PODS, "dev", "p", &now, &storage->api->options));
}

static void a_claim_that_nobody_uses_goes_at_once(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_delete(storage, PVC, "c");
    assert_non_null(storage_world_get(storage, PVC, "c"));
    storage_world_run(storage, 100);
    assert_null(storage_world_get(storage, PVC, "c"));
}

static void a_claim_stays_as_long_as_a_pod_of_a_node_names_it(void **state)
{
    static const struct {
        const char *node, *phase;
        bool stays;
    } ROWS[] = {{"n", "Running", true},
                {"n", "Pending", true},
                {"n", "Succeeded", true},
                {"n", "Failed", true},
                {NULL, "Pending", false}};
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        void *own = NULL;
        storage_world_set_up(&own);
        struct storage_world *storage = own;
        start(storage);
        record_release(storage_world_make_claim(storage, "c", ""));
        make_pod(storage, ROWS[i].node, ROWS[i].phase);
        storage_world_delete(storage, PVC, "c");
        storage_world_run(storage, SECOND_MS);
        assert_int_equal(storage_world_get(storage, PVC, "c") != NULL, ROWS[i].stays);
        remove_pod(storage);
        storage_world_run(storage, SECOND_MS);
        assert_null(storage_world_get(storage, PVC, "c"));
        storage_world_tear_down(&own);
    }
}

static void a_pod_that_no_cache_shows_is_asked_for(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    view_stall(protection_view(storage->protection), PODS, MINUTE_MS);
    record_release(storage_world_make_claim(storage, "c", ""));
    make_pod(storage, "n", "Running");
    storage_world_delete(storage, PVC, "c");
    storage_world_run(storage, SECOND_MS);
    assert_non_null(storage_world_get(storage, PVC, "c"));
}

static void a_finalizer_that_was_taken_off_comes_back(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_change(storage, PVC, "c", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_run(storage, SECOND_MS);
    assert_has(storage_world_get(storage, PVC, "c"),
               "{'metadata':{'finalizers':['kubernetes.io/pvc-protection']}}");
}

static void a_volume_stays_while_it_is_bound(void **state)
{
    static const struct {
        const char *phase;
        bool stays;
    } ROWS[] = {{"Bound", true}, {"Available", false}, {"Released", false}, {"Failed", false}};
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        void *own = NULL;
        storage_world_set_up(&own);
        struct storage_world *storage = own;
        start(storage);
        record_release(storage_world_make(
            storage, PV,
            draft("{'metadata':{'name':'v'},'spec':{'accessModes':['ReadWriteOnce'],"
                  "'capacity':{'storage':'1Gi'},'csi':{'driver':'d','volumeHandle':'h'}},"
                  "'status':{'phase':'$1'}}",
                  ROWS[i].phase, NULL)));
        storage_world_delete(storage, PV, "v");
        storage_world_run(storage, SECOND_MS);
        assert_int_equal(storage_world_get(storage, PV, "v") != NULL, ROWS[i].stays);
        storage_world_tear_down(&own);
    }
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(a_claim_that_nobody_uses_goes_at_once),
        cmocka_unit_test(a_claim_stays_as_long_as_a_pod_of_a_node_names_it),
        STORAGE_TEST(a_pod_that_no_cache_shows_is_asked_for),
        STORAGE_TEST(a_finalizer_that_was_taken_off_comes_back),
        cmocka_unit_test(a_volume_stays_while_it_is_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
