/* SPDX-License-Identifier: Apache-2.0 */
/* Adoption. */
#include "sim/cnpg.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"
#include "support/instance_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static void adopts_a_pvc_that_nobody_owns(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_string_equal(instance_world_text(here, "phase"), "Cluster in healthy state");
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
    assert_string_equal(instance_world_text(here, "currentPrimary"), "alice-1");
    assert_string_equal(instance_world_text(here, "targetPrimary"), "alice-1");
    assert_true(condition_is_true(instance_world_status(here), "Initialized"));
    assert_true(condition_is_true(instance_world_status(here), "ConsistentSystemID"));
    assert_true(
        value_list_has(value_at(instance_world_status(here), "healthyPVC", NULL), "alice-1"));
    assert_int_equal(value_int64(instance_world_status(here), 0, "instances", NULL), 1);
    assert_int_equal(value_int64(instance_world_status(here), 0, "readyInstances", NULL), 1);
    const cJSON *owner = value_controller(instance_world_get(here, PVC, "alice-1"));
    assert_true(value_equal_text(
        owner, value_uid(instance_world_get(here, &resource_clusters, "alice")), "uid", NULL));
    assert_false(instance_world_has_any(here, &resource_jobs));
}

static void the_system_id_is_known_only_once_postgres_runs(void **state)
{
    struct instance_world *here = *state;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, SECOND_MS);
    assert_non_null(instance_world_get(here, &resource_pods, "alice-1"));
    assert_null(instance_world_text(here, "systemID"));
    assert_false(condition_is_true(instance_world_status(here), "ConsistentSystemID"));
}

/* It is posted, guarded, with this PVC, which it must not adopt. */
static void assert_is_not_adopted(struct instance_world *here, cJSON *claim)
{
    instance_world_make_claim(here, claim);
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_false(condition_is_true(instance_world_status(here), "Initialized"));
    assert_false(instance_world_has_any(here, &resource_pods));
    assert_false(instance_world_has_any(here, &resource_jobs));
}

/* And it goes on without. */
static void assert_is_skipped(struct instance_world *here, cJSON *claim)
{
    assert_is_not_adopted(here, claim);
    assert_true(instance_world_has_any(here, &resource_services));
}

static void skips_a_pvc_that_has_any_owner(void **state)
{
    cJSON *claim = instance_world_alices_claim();
    value_set(value_at(claim, "metadata", NULL), "ownerReferences",
              draft("[{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','name':'alice',"
                    "'uid':'1'}]",
                    NULL));
    assert_is_skipped(*state, claim);
}

static void skips_a_pvc_without_a_serial(void **state)
{
    cJSON *claim = instance_world_alices_claim();
    value_set_text(value_at(claim, "metadata", "annotations", NULL), "cnpg.io/nodeSerial", NULL);
    assert_is_skipped(*state, claim);
}

static void skips_a_pvc_of_another_cluster(void **state)
{
    cJSON *claim = instance_world_alices_claim();
    value_set_text(value_at(claim, "metadata", "labels", NULL), "cnpg.io/cluster", "bob");
    assert_is_skipped(*state, claim);
}

static void a_serial_that_is_no_number_is_an_error_for_ever(void **state)
{
    cJSON *claim = instance_world_alices_claim();
    value_set_text(value_at(claim, "metadata", "annotations", NULL), "cnpg.io/nodeSerial", "one");
    assert_is_not_adopted(*state, claim);
    assert_false(instance_world_has_any(*state, &resource_services));
}

/* A label is not asked for twice: these are put right. */
static void puts_the_labels_of_a_pvc_right(void **state)
{
    struct instance_world *here = *state;
    cJSON *claim = instance_world_alices_claim();
    cJSON *labels = value_at(claim, "metadata", "labels", NULL);
    value_set_text(labels, "cnpg.io/instanceName", NULL);
    value_set_text(labels, "cnpg.io/pvcRole", NULL);
    instance_world_make_claim(here, claim);
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    const cJSON *now = instance_world_get(here, PVC, "alice-1");
    assert_string_equal(value_label(now, "cnpg.io/instanceName"), "alice-1");
    assert_string_equal(value_label(now, "cnpg.io/pvcRole"), "PG_DATA");
}

static void a_pvc_of_another_name_is_unusable(void **state)
{
    struct instance_world *here = *state;
    cJSON *claim = instance_world_alices_claim();
    value_set_text(value_at(claim, "metadata", NULL), "name", "data");
    instance_world_create(here, PVC, claim);
    (void)instance_world_bind(here, "data", INSTANCE_WORLD_GOLDEN);
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_true(value_list_has(value_at(instance_world_status(here), "unusablePVC", NULL), "data"));
    assert_false(instance_world_is_ready(here));
}

static void services_that_nobody_owns_go(void **state)
{
    struct instance_world *here = *state;
    instance_world_create(
        here, &resource_services,
        draft("{'metadata':{'name':'alice-rw'},'spec':{'ports':[{'port':1}]}}", NULL));
    cleanup_text struct text uid;
    text_init(&uid, 64);
    text_append(&uid, value_uid(instance_world_get(here, &resource_services, "alice-rw")));
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_string_not_equal(value_uid(instance_world_get(here, &resource_services, "alice-rw")),
                            uid.bytes);
}

static void a_service_of_somebody_else_stops_the_adoption(void **state)
{
    struct instance_world *here = *state;
    instance_world_create(
        here, &resource_services,
        draft("{'metadata':{'name':'alice-r','ownerReferences':[{'apiVersion':'v1','kind':"
              "'Pod','name':'x','uid':'1'}]},'spec':{'ports':[{'port':1}]}}",
              NULL));
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_int_equal(owners_of(here, "alice-1"), 0);
    assert_false(condition_is_true(instance_world_status(here), "Initialized"));
}

static void dies_between_the_two_writes_of_an_adoption(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.cnpg_restarts = true;
    instance_world_make_claim(here, instance_world_alices_claim());
    instance_world_make_cluster(here, INSTANCE_WORLD_GUARD);
    instance_world_pass(here, LONG_MS);
    assert_true(condition_is_true(instance_world_status(here), "Initialized"));
    assert_string_equal(instance_world_text(here, "targetPrimary"), "alice-1");
    assert_int_equal(owners_of(here, "alice-1"), 0);
    assert_string_equal(instance_world_text(here, "phase"),
                        "Cluster is unrecoverable and needs manual intervention");
}

static void an_owner_reference_repairs_a_half_done_adoption(void **state)
{
    struct instance_world *here = *state;
    dies_between_the_two_writes_of_an_adoption(state);
    instance_world_patch(
        here, PVC, "alice-1", NULL,
        draft("{'metadata':{'ownerReferences':[{'apiVersion':'postgresql.cnpg.io/v1','kind':"
              "'Cluster','name':'alice','uid':'$1','controller':true}]}}",
              value_uid(instance_world_get(here, &resource_clusters, "alice")), NULL));
    instance_world_pass(here, LONG_MS);
    assert_true(instance_world_is_ready(here));
    assert_string_equal(instance_world_text(here, "systemID"), INSTANCE_WORLD_GOLDEN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(adopts_a_pvc_that_nobody_owns),
        TEST(the_system_id_is_known_only_once_postgres_runs),
        TEST(skips_a_pvc_that_has_any_owner),
        TEST(skips_a_pvc_without_a_serial),
        TEST(skips_a_pvc_of_another_cluster),
        TEST(a_serial_that_is_no_number_is_an_error_for_ever),
        TEST(puts_the_labels_of_a_pvc_right),
        TEST(a_pvc_of_another_name_is_unusable),
        TEST(services_that_nobody_owns_go),
        TEST(a_service_of_somebody_else_stops_the_adoption),
        TEST(dies_between_the_two_writes_of_an_adoption),
        TEST(an_owner_reference_repairs_a_half_done_adoption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
