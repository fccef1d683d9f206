/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cnpg.h"

#include "base/base64.h"
#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"
#include "support/instance_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SECOND_MS = 1000, LONG_MS = 60000 };

static const struct resource *const PVC = &resource_persistent_volume_claims;

static int set_up(void **state)
{
    static struct instance_world here;
    instance_world_init(&here, true);
    *state = &here;
    return 0;
}

static int tear_down(void **state)
{
    instance_world_release(*state);
    return 0;
}

static int owners_of(const struct instance_world *here, const char *claim)
{
    return cJSON_GetArraySize(
        value_at(instance_world_get(here, PVC, claim), "metadata", "ownerReferences", NULL));
}

/* ---- bootstrap ---- */

static void a_guarded_bootstrap_makes_nothing_and_adopts_what_comes(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_false(instance_world_has_any(here, PVC));
    assert_false(instance_world_has_any(here, &resource_jobs));
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_pass(here, 15 * SECOND_MS);
    assert_true(instance_world_is_ready(here));
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

/* The next look is the one that the guard asked for, 5 s after the first. */
static void an_arriving_pvc_wakes_nobody(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, SECOND_MS);
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_pass(here, 3 * SECOND_MS);
    assert_int_equal(owners_of(here, "alice-1"), 0);
    instance_world_pass(here, 3 * SECOND_MS);
    assert_int_equal(owners_of(here, "alice-1"), 1);
}

static void an_unguarded_bootstrap_makes_an_empty_database(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_cluster(here, "");
    instance_world_pass(here, SECOND_MS);
    const cJSON *claim = instance_world_get(here, PVC, "alice-1");
    assert_non_null(claim);
    assert_true(value_equal_text(claim, "clone", "spec", "storageClassName", NULL));
    assert_non_null(instance_world_get(here, &resource_jobs, "alice-1-initdb"));
    (void)instance_world_bind(here, "alice-1", "");
    instance_world_pass(here, 2 * LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_non_null(instance_world_text(here, "systemID"));
    assert_string_not_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
    assert_false(instance_world_has_any(here, &resource_jobs));
}

/* Our PVC is there, and the cache does not show it yet. */
static void meets_a_pvc_that_its_cache_does_not_show(struct instance_world *here)
{
    cnpg_set_lag(here->cnpg, PVC, (struct span){.least_ms = 3000, .most_ms = 3000});
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, "");
    instance_world_pass(here, 2 * LONG_MS);
    assert_true(instance_world_is_ready(here));
}

static void a_late_cache_runs_initdb_on_our_pvc(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.cnpg_swallows_exists = true;
    meets_a_pvc_that_its_cache_does_not_show(here);
    assert_string_not_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

static void a_late_cache_only_delays_later_versions(void **state)
{
    struct instance_world *here = *state;
    meets_a_pvc_that_its_cache_does_not_show(here);
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

static void the_guard_holds_against_a_late_cache(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.cnpg_swallows_exists = true;
    cnpg_set_lag(here->cnpg, PVC, (struct span){.least_ms = 3000, .most_ms = 3000});
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

static void fills_in_a_bootstrap(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_cluster(here, "");
    instance_world_pass(here, SECOND_MS);
    const cJSON *cluster = instance_world_get(here, &resource_clusters, "alice");
    assert_true(value_equal_text(cluster, "app", "spec", "bootstrap", "initdb", "database", NULL));
    assert_true(value_equal_text(cluster, "app", "spec", "bootstrap", "initdb", "owner", NULL));
}

/* ---- what a Cluster has ---- */

static void makes_credentials_for_the_goldens_owner(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    const cJSON *secret = instance_world_get(here, &resource_secrets, "alice-app");
    assert_non_null(secret);
    cleanup_text struct text expected;
    text_init(&expected, 64);
    base64_append(&expected, "clerk", 5);
    assert_true(value_equal_text(secret, expected.bytes, "data", "username", NULL));
    text_clear(&expected);
    base64_append(&expected, "shop", 4);
    assert_true(value_equal_text(secret, expected.bytes, "data", "dbname", NULL));
    assert_non_null(value_controller(secret));
    assert_non_null(instance_world_get(here, &resource_services, "alice-rw"));
    assert_non_null(instance_world_get(here, &resource_services, "alice-ro"));
    assert_non_null(instance_world_get(here, &resource_services, "alice-r"));
}

static void takes_the_credentials_it_is_given(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here,
                                "'bootstrap':{'recovery':{'database':'shop','owner':'clerk',"
                                "'secret':{'name':'mine'},'volumeSnapshots':{'storage':{'apiGroup':"
                                "'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'never'}"
                                "}}}");
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_false(instance_world_has_any(here, &resource_secrets));
}

static void a_deleted_pod_comes_back(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    instance_world_delete(here, &resource_pods, "alice-1", -1);
    instance_world_pass(here, SECOND_MS);
    assert_false(instance_world_is_ready(here));
    assert_string_equal(instance_world_text(here, "phase"),
                        "Waiting for the instances to become active");
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

static void hibernates_and_wakes(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    instance_world_patch(here, &resource_clusters, "alice", NULL,
                         draft("{'metadata':{'annotations':{'cnpg.io/hibernation':'on'}}}", NULL));
    instance_world_pass(here, LONG_MS);
    assert_false(instance_world_has_any(here, &resource_pods));
    assert_true(condition_is_true(instance_world_status(here), "cnpg.io/hibernation"));
    assert_non_null(instance_world_get(here, PVC, "alice-1"));
    instance_world_patch(here, &resource_clusters, "alice", NULL,
                         draft("{'metadata':{'annotations':{'cnpg.io/hibernation':'off'}}}", NULL));
    instance_world_pass(here, LONG_MS);
    assert_non_null(instance_world_get(here, &resource_pods, "alice-1"));
    assert_true(instance_world_is_ready(here));
}

static void leaves_a_disabled_cluster_alone(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_create(
        here, &resource_clusters,
        draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':"
              "'alice','annotations':{'cnpg.io/"
              "reconciliationLoop':'disabled'}},'spec':{'instances':1,'storage':{'size':'1Gi'}}}",
              NULL));
    instance_world_pass(here, LONG_MS);
    assert_null(instance_world_status(here));
    assert_int_equal(owners_of(here, "alice-1"), 0);
    instance_world_patch(
        here, &resource_clusters, "alice", NULL,
        draft("{'metadata':{'annotations':{'cnpg.io/reconciliationLoop':null}}}", NULL));
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
}

static void a_restart_in_peace_changes_nothing(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    uint64_t revision = objects_revision(apiserver_objects(here->server));
    cnpg_restart(here->cnpg);
    instance_world_pass(here, LONG_MS);
    assert_int_equal(objects_revision(apiserver_objects(here->server)), revision);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_guarded_bootstrap_makes_nothing_and_adopts_what_comes),
        TEST(an_arriving_pvc_wakes_nobody),
        TEST(an_unguarded_bootstrap_makes_an_empty_database),
        TEST(a_late_cache_runs_initdb_on_our_pvc),
        TEST(a_late_cache_only_delays_later_versions),
        TEST(the_guard_holds_against_a_late_cache),
        TEST(fills_in_a_bootstrap),
        TEST(makes_credentials_for_the_goldens_owner),
        TEST(takes_the_credentials_it_is_given),
        TEST(a_deleted_pod_comes_back),
        TEST(hibernates_and_wakes),
        TEST(leaves_a_disabled_cluster_alone),
        TEST(a_restart_in_peace_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
