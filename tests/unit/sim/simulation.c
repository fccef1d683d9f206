/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/simulation.h"

#include "base/text.h"
#include "sim/apiserver.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SYSTEM_ID "7423456789012345678"

enum { SECOND_MS = 1000, MINUTE_MS = 60000 };

static const struct golden_options GOLDEN = {.namespace = "pools",
                                             .snapshot = "orders",
                                             .clone_class = "fsx-clone",
                                             .system_id = SYSTEM_ID,
                                             .database = "shop",
                                             .owner = "clerk"};
static const struct verb_options PERSON = {.actor = "person"};

struct fixture {
    struct simulation *simulation;
    struct world *world;
    struct apiserver *server;
};

static struct fixture begin(uint64_t seed)
{
    struct simulation_options options = {.seed = seed, .wall_ms = INT64_C(1790000000000)};
    simulation_pace(&options.pace);
    struct fixture fixture = {.simulation = simulation_new(&options)};
    fixture.world = simulation_world(fixture.simulation);
    fixture.server = simulation_apiserver(fixture.simulation);
    simulation_make_golden(fixture.simulation, &GOLDEN);
    return fixture;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = begin(1);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    simulation_free(fixture->simulation);
    return 0;
}

static int64_t now_ms(const struct fixture *fixture)
{
    return world_now(fixture->world).mono_ms;
}

static void pass(struct fixture *fixture, int64_t ms)
{
    int64_t until_ms = now_ms(fixture) + ms;
    while (world_run_next(fixture->world, until_ms)) {
    }
}

static void create(struct fixture *fixture, const struct resource *resource, const char *namespace,
                   cJSON *value)
{
    cleanup_outcome struct outcome outcome =
        apiserver_create(fixture->server, resource, namespace, value, &PERSON);
    assert_string_equal(outcome.message, "");
    assert_true(outcome_ok(&outcome));
}

static void destroy(struct fixture *fixture, const struct resource *resource, const char *namespace,
                    const char *name)
{
    const struct preconditions none = {.propagation = "Background", .grace_s = -1};
    cleanup_outcome struct outcome outcome =
        apiserver_delete(fixture->server, resource, namespace, name, &none, &PERSON);
    assert_true(outcome_ok(&outcome));
}

static const struct record *get(const struct fixture *fixture, const struct resource *resource,
                                const char *namespace, const char *name)
{
    return objects_get(apiserver_objects(fixture->server), resource, namespace, name);
}

/* ---- a pool by hand ---- */

static void ask_for_clones(struct fixture *fixture, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "orders-%d", i);
        create(fixture, &resource_persistent_volume_claims, "pools",
               draft("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'$1'},"
                     "'spec':{'accessModes':['ReadWriteOncePod'],'storageClassName':'fsx-clone',"
                     "'resources':{'requests':{'storage':'1Gi'}},'dataSource':{'apiGroup':"
                     "'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'orders'}}}",
                     name, NULL));
    }
}

static int count_bound(const struct fixture *fixture)
{
    int count = 0;
    const struct record *claim = NULL;
    while ((claim = objects_next(apiserver_objects(fixture->server),
                                 &resource_persistent_volume_claims, "pools", claim)) != NULL) {
        count += value_equal_text(claim->value, "Bound", "status", "phase", NULL);
    }
    return count;
}

/* The swap: the warm clone's volume to a PVC of hers, then her Cluster. */
static void swap(struct fixture *fixture, const char *policy)
{
    create(fixture, &resource_persistent_volume_claims, "dev",
           draft("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'alice-1',"
                 "'labels':{'cnpg.io/cluster':'alice','cnpg.io/instanceName':'alice-1',"
                 "'cnpg.io/pvcRole':'PG_DATA','cnpg.io/instanceRole':'primary','role':'primary'},"
                 "'annotations':{'cnpg.io/nodeSerial':'1','cnpg.io/pvcStatus':'ready'}},'spec':{"
                 "'accessModes':['ReadWriteOncePod'],'storageClassName':'adjoint-handoff',"
                 "'resources':{'requests':{'storage':'1Gi'}}}}",
                 NULL));
    const struct record *claim = get(fixture, &resource_persistent_volume_claims, "dev", "alice-1");
    const struct record *warm =
        get(fixture, &resource_persistent_volume_claims, "pools", "orders-0");
    cJSON *patch =
        draft("{'spec':{'persistentVolumeReclaimPolicy':'$1','claimRef':{'apiVersion':'v1',"
              "'kind':'PersistentVolumeClaim','namespace':'dev','name':'alice-1','uid':'$2'}}}",
              policy, claim->uid, NULL);
    cleanup_outcome struct outcome outcome = apiserver_patch(
        fixture->server, &resource_persistent_volumes, NULL,
        value_text(warm->value, "spec", "volumeName", NULL), PATCH_MERGE, patch, &PERSON);
    cJSON_Delete(patch);
    assert_true(outcome_ok(&outcome));
}

static void make_cluster(struct fixture *fixture, const char *probes)
{
    cJSON *cluster =
        draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':'alice'},"
              "'spec':{'instances':1,'storage':{'size':'1Gi','storageClass':'fsx-clone'},"
              "'smartShutdownTimeout':1,'stopDelay':30,'bootstrap':{'recovery':{'database':'shop',"
              "'owner':'clerk','volumeSnapshots':{'storage':{'apiGroup':'snapshot.storage.k8s.io',"
              "'kind':'VolumeSnapshot','name':'never'}}}}}}",
              NULL);
    if (probes != NULL) {
        value_set(value_at(cluster, "spec", NULL), "probes", draft(probes, NULL));
    }
    create(fixture, &resource_clusters, "dev", cluster);
}

static bool is_ready(const struct fixture *fixture)
{
    const struct record *cluster = get(fixture, &resource_clusters, "dev", "alice");
    return cluster != NULL && condition_is_true(value_at(cluster->value, "status", NULL), "Ready");
}

static int64_t wait_until_ready(struct fixture *fixture, int64_t at_most_ms)
{
    int64_t began_ms = now_ms(fixture);
    while (!is_ready(fixture) && world_run_next(fixture->world, began_ms + at_most_ms)) {
    }
    assert_true(is_ready(fixture));
    return now_ms(fixture) - began_ms;
}

static void make_developer(struct fixture *fixture)
{
    create(fixture, &resource_namespaces, NULL, draft("{'metadata':{'name':'dev'}}", NULL));
}

#define FAST_PROBES "{'startup':{'periodSeconds':1},'readiness':{'periodSeconds':1}}"

/* ---- tests ---- */

static void a_pool_of_three_fills_in_five_minutes(void **state)
{
    struct fixture *fixture = *state;
    ask_for_clones(fixture, 3);
    pass(fixture, 2 * MINUTE_MS - 10 * SECOND_MS);
    assert_int_equal(count_bound(fixture), 0);
    pass(fixture, 3 * MINUTE_MS);
    assert_int_equal(count_bound(fixture), 3);
    assert_int_equal(simulation_fsx_counts(fixture->simulation).creates, 3);
}

static void a_swap_is_ready_in_four_seconds_and_makes_no_volume(void **state)
{
    struct fixture *fixture = *state;
    ask_for_clones(fixture, 1);
    pass(fixture, 3 * MINUTE_MS);
    make_developer(fixture);
    swap(fixture, "Retain");
    make_cluster(fixture, FAST_PROBES);
    assert_in_range(wait_until_ready(fixture, MINUTE_MS), 3000, 5000);
    const struct record *cluster = get(fixture, &resource_clusters, "dev", "alice");
    assert_true(value_equal_text(cluster->value, SYSTEM_ID, "status", "systemID", NULL));
    assert_int_equal(simulation_fsx_counts(fixture->simulation).creates, 1);
    assert_null(objects_next(apiserver_objects(fixture->server), &resource_jobs, "dev", NULL));
}

static void a_swap_with_the_default_probes_takes_eleven_seconds(void **state)
{
    struct fixture *fixture = *state;
    ask_for_clones(fixture, 1);
    pass(fixture, 3 * MINUTE_MS);
    make_developer(fixture);
    swap(fixture, "Retain");
    make_cluster(fixture, NULL);
    assert_in_range(wait_until_ready(fixture, MINUTE_MS), 10500, 12500);
}

static int count_volumes(struct fixture *fixture)
{
    const struct fsx_counts counts = simulation_fsx_counts(fixture->simulation);
    return (int)counts.created - (int)counts.deleted;
}

static void claim_a_clone(struct fixture *fixture, const char *policy)
{
    ask_for_clones(fixture, 1);
    pass(fixture, 3 * MINUTE_MS);
    make_developer(fixture);
    swap(fixture, policy);
    make_cluster(fixture, FAST_PROBES);
    (void)wait_until_ready(fixture, MINUTE_MS);
}

/* Pod and PVC within 9 s, the volume a little later. */
static void a_deleted_cluster_takes_its_volume_along(void **state)
{
    struct fixture *fixture = *state;
    claim_a_clone(fixture, "Delete");
    destroy(fixture, &resource_clusters, "dev", "alice");
    pass(fixture, 8 * SECOND_MS);
    assert_non_null(get(fixture, &resource_persistent_volume_claims, "dev", "alice-1"));
    pass(fixture, 2 * SECOND_MS);
    assert_null(get(fixture, &resource_persistent_volume_claims, "dev", "alice-1"));
    assert_null(objects_next(apiserver_objects(fixture->server), &resource_pods, "dev", NULL));
    assert_null(get(fixture, &resource_secrets, "dev", "alice-app"));
    pass(fixture, MINUTE_MS);
    assert_null(
        objects_next(apiserver_objects(fixture->server), &resource_persistent_volumes, "", NULL));
    assert_int_equal(count_volumes(fixture), 0);
}

static void a_retained_volume_outlives_its_namespace(void **state)
{
    struct fixture *fixture = *state;
    claim_a_clone(fixture, "Retain");
    destroy(fixture, &resource_namespaces, NULL, "dev");
    pass(fixture, 2 * MINUTE_MS);
    assert_null(get(fixture, &resource_namespaces, "", "dev"));
    const struct record *volume =
        objects_next(apiserver_objects(fixture->server), &resource_persistent_volumes, "", NULL);
    assert_non_null(volume);
    assert_true(value_equal_text(volume->value, "Released", "status", "phase", NULL));
    assert_int_equal(count_volumes(fixture), 1);
}

static void a_name_of_more_than_fifty_characters_is_refused(void **state)
{
    struct fixture *fixture = *state;
    make_developer(fixture);
    cJSON *cluster =
        draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':"
              "'a23456789012345678901234567890123456789012345678901'},'spec':{'storage':{'size':"
              "'1Gi'}}}",
              NULL);
    cleanup_outcome struct outcome outcome =
        apiserver_create(fixture->server, &resource_clusters, "dev", cluster, &PERSON);
    assert_int_equal(outcome.http_status, 422);
    assert_string_equal(outcome.reason, "Invalid");
    assert_non_null(strstr(outcome.message, "50 characters"));
}

static void a_seed_is_a_history(void **state)
{
    struct fixture *fixture = *state;
    struct fixture same = begin(1);
    struct fixture other = begin(2);
    struct fixture *const fixtures[] = {fixture, &same, &other};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        claim_a_clone(fixtures[i], "Delete");
    }
    assert_true(world_trace_hash(fixture->world) == world_trace_hash(same.world));
    assert_false(world_trace_hash(fixture->world) == world_trace_hash(other.world));
    simulation_free(same.simulation);
    simulation_free(other.simulation);
}

static void a_settled_world_writes_nothing(void **state)
{
    struct fixture *fixture = *state;
    claim_a_clone(fixture, "Retain");
    pass(fixture, 2 * MINUTE_MS);
    uint64_t revision = objects_revision(apiserver_objects(fixture->server));
    pass(fixture, 60 * MINUTE_MS);
    assert_int_equal(objects_revision(apiserver_objects(fixture->server)), revision);
}

static void late_caches_delay_a_claim_and_no_more(void **state)
{
    struct fixture *fixture = *state;
    const struct misfortune misfortune = {.view_lag_most_ms = 5000};
    simulation_set_misfortune(fixture->simulation, &misfortune);
    ask_for_clones(fixture, 1);
    pass(fixture, 4 * MINUTE_MS);
    make_developer(fixture);
    swap(fixture, "Retain");
    make_cluster(fixture, FAST_PROBES);
    assert_in_range(wait_until_ready(fixture, 5 * MINUTE_MS), 5000, 5 * MINUTE_MS);
    const struct record *cluster = get(fixture, &resource_clusters, "dev", "alice");
    assert_true(value_equal_text(cluster->value, SYSTEM_ID, "status", "systemID", NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pool_of_three_fills_in_five_minutes),
        TEST(a_swap_is_ready_in_four_seconds_and_makes_no_volume),
        TEST(a_swap_with_the_default_probes_takes_eleven_seconds),
        TEST(a_deleted_cluster_takes_its_volume_along),
        TEST(a_retained_volume_outlives_its_namespace),
        TEST(a_name_of_more_than_fifty_characters_is_refused),
        TEST(a_seed_is_a_history),
        TEST(a_settled_world_writes_nothing),
        TEST(late_caches_delay_a_claim_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
