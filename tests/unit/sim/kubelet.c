/* SPDX-License-Identifier: Apache-2.0 */
/* The kubelet with the scheduler before it and what runs in its pods; CloudNativePG's part is
   played by the test. */
#include "sim/kubelet.h"

#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/value.h"
#include "support/instance_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SECOND_MS = 1000, LONG_MS = 60000 };

static const cJSON *pod(const struct instance_world *here, const char *name)
{
    return instance_world_get(here, &resource_pods, name);
}

static int64_t pass_until_ready(struct instance_world *here, const char *name)
{
    int64_t began_ms = world_now(here->world).mono_ms;
    while (!pod_is_ready(pod(here, name)) && world_run_next(here->world, began_ms + LONG_MS)) {
    }
    assert_true(pod_is_ready(pod(here, name)));
    return world_now(here->world).mono_ms - began_ms;
}

static void see(void *self, const struct fsx_volume_seen *volume)
{
    *(struct fsx_volume_seen *)self = *volume;
}

/* The one that there is. */
static struct fsx_volume_seen volume(const struct instance_world *here)
{
    struct fsx_volume_seen seen = {0};
    fsx_volumes(here->fsx, see, &seen);
    return seen;
}

static void make_claim(struct instance_world *here)
{
    instance_world_create(here, &resource_persistent_volume_claims,
                          draft("{'metadata':{'name':'data'},'spec':{'accessModes':["
                                "'ReadWriteOncePod'],'storageClassName':'inert','resources':{"
                                "'requests':{'storage':'1Gi'}}}}",
                                NULL));
}

static void make_cluster(struct instance_world *here, const char *target)
{
    instance_world_create(
        here, &resource_clusters,
        draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':"
              "'alice'},'spec':{'smartShutdownTimeout':15,'storage':{'size':'1Gi'}}}",
              NULL));
    instance_world_patch(here, &resource_clusters, "alice", "status",
                         draft("{'status':{'targetPrimary':'$1'}}", target, NULL));
}

static void make_instance(struct instance_world *here, const char *name, int64_t period_s)
{
    cJSON *made =
        draft("{'metadata':{'name':'$1','labels':{'cnpg.io/cluster':'alice','cnpg.io/podRole':"
              "'instance'}},'spec':{'containers':[{'name':'postgres','image':'x'}],'volumes':["
              "{'name':'pgdata','persistentVolumeClaim':{'claimName':'data'}}]}}",
              name, NULL);
    cJSON *container = value_at(made, "spec", "containers", NULL)->child;
    value_set_int64(value_make(container, "startupProbe", NULL), "periodSeconds", period_s);
    instance_world_create(here, &resource_pods, made);
}

static int set_up(void **state)
{
    static struct instance_world here;
    instance_world_init(&here, false);
    make_claim(&here);
    *state = &here;
    return 0;
}

static int set_up_bound(void **state)
{
    (void)set_up(state);
    (void)instance_world_bind(*state, "data", INSTANCE_WORLD_GOLDEN);
    make_cluster(*state, "alice-1");
    return 0;
}

static int tear_down(void **state)
{
    instance_world_release(*state);
    return 0;
}

/* ---- scheduling ---- */

static void a_pod_waits_until_its_pvc_is_bound(void **state)
{
    struct instance_world *here = *state;
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, LONG_MS);
    assert_string_equal(pod_node(pod(here, "alice-1")), "");
    assert_true(value_equal_text(
        condition_find(value_at(pod(here, "alice-1"), "status", NULL), "PodScheduled"),
        "Unschedulable", "reason", NULL));
    (void)instance_world_bind(here, "data", INSTANCE_WORLD_GOLDEN);
    instance_world_pass(here, SECOND_MS);
    assert_string_equal(pod_node(pod(here, "alice-1")), "node-1");
}

static void a_pvc_for_one_pod_is_not_given_to_a_second(void **state)
{
    struct instance_world *here = *state;
    make_instance(here, "alice-1", 1);
    (void)pass_until_ready(here, "alice-1");
    make_instance(here, "other", 1);
    instance_world_pass(here, LONG_MS);
    assert_string_equal(pod_node(pod(here, "other")), "");
    assert_int_equal(volume(here).mounted_by, 1);
    instance_world_delete(here, &resource_pods, "alice-1", -1);
    instance_world_pass(here, 15 * SECOND_MS);
    assert_string_equal(pod_node(pod(here, "other")), "node-1");
    assert_int_equal(volume(here).mounted_by, 1);
}

static void a_late_schedule_takes_ten_seconds_and_more(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.schedule_late = 1000;
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, 10 * SECOND_MS);
    assert_string_equal(pod_node(pod(here, "alice-1")), "");
    instance_world_pass(here, LONG_MS);
    assert_string_equal(pod_node(pod(here, "alice-1")), "node-1");
}

/* ---- starting ---- */

static void readiness_comes_with_a_probe(void **state)
{
    struct instance_world *here = *state;
    here->pace.container_start = (struct span){1000, 1000};
    here->pace.recovery = (struct span){1500, 1500};
    make_instance(here, "alice-1", 1);
    assert_in_range(pass_until_ready(here, "alice-1"), 3000, 3400);
}

static void slow_probes_find_it_later(void **state)
{
    struct instance_world *here = *state;
    here->pace.container_start = (struct span){1000, 1000};
    here->pace.recovery = (struct span){1500, 1500};
    make_instance(here, "alice-1", 10);
    assert_in_range(pass_until_ready(here, "alice-1"), 11000, 11400);
    assert_true(volume(here).was_mounted);
}

static void a_mount_fails_when_the_volume_is_gone(void **state)
{
    struct instance_world *here = *state;
    (void)fsx_delete_volume(here->fsx, volume(here).handle, false);
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, 5 * LONG_MS);
    assert_string_equal(pod_node(pod(here, "alice-1")), "node-1");
    assert_true(value_equal_text(pod(here, "alice-1"), "Pending", "status", "phase", NULL));
}

static void a_failed_mount_is_tried_again(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.mount_fails = 1000;
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, LONG_MS);
    assert_int_equal(volume(here).mounted_by, 0);
    here->misfortune.mount_fails = 0;
    instance_world_pass(here, 3 * LONG_MS);
    assert_true(pod_is_ready(pod(here, "alice-1")));
}

static void an_instance_that_is_not_the_target_waits(void **state)
{
    struct instance_world *here = *state;
    make_instance(here, "alice-2", 1);
    instance_world_pass(here, LONG_MS);
    assert_false(pod_is_ready(pod(here, "alice-2")));
    instance_world_patch(here, &resource_clusters, "alice", "status",
                         draft("{'status':{'targetPrimary':'alice-2'}}", NULL));
    instance_world_pass(here, 5 * SECOND_MS);
    assert_true(pod_is_ready(pod(here, "alice-2")));
    const cJSON *cluster = instance_world_get(here, &resource_clusters, "alice");
    assert_true(value_equal_text(cluster, "alice-2", "status", "currentPrimary", NULL));
}

static void an_empty_volume_serves_nothing(void **state)
{
    struct instance_world *here = *state;
    (void)fsx_initdb(here->fsx, volume(here).handle, "");
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, LONG_MS);
    assert_false(pod_is_ready(pod(here, "alice-1")));
}

/* ---- the end ---- */

static void a_deleted_pod_goes_when_postgres_has_stopped(void **state)
{
    struct instance_world *here = *state;
    make_instance(here, "alice-1", 1);
    (void)pass_until_ready(here, "alice-1");
    instance_world_delete(here, &resource_pods, "alice-1", -1);
    instance_world_pass(here, 8 * SECOND_MS);
    assert_non_null(pod(here, "alice-1"));
    assert_int_equal(volume(here).mounted_by, 1);
    instance_world_pass(here, SECOND_MS);
    assert_null(pod(here, "alice-1"));
    assert_int_equal(volume(here).mounted_by, 0);
}

static void an_open_session_holds_the_shutdown(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.session_open = 1000;
    make_instance(here, "alice-1", 1);
    (void)pass_until_ready(here, "alice-1");
    instance_world_delete(here, &resource_pods, "alice-1", -1);
    instance_world_pass(here, 20 * SECOND_MS);
    assert_non_null(pod(here, "alice-1"));
    instance_world_pass(here, 5 * SECOND_MS);
    assert_null(pod(here, "alice-1"));
}

static void the_grace_period_ends_any_shutdown(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.session_open = 1000;
    make_instance(here, "alice-1", 1);
    (void)pass_until_ready(here, "alice-1");
    instance_world_delete(here, &resource_pods, "alice-1", 12);
    instance_world_pass(here, 13 * SECOND_MS);
    assert_null(pod(here, "alice-1"));
}

static void a_pod_that_never_started_goes_at_once(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.mount_fails = 1000;
    make_instance(here, "alice-1", 1);
    instance_world_pass(here, SECOND_MS);
    instance_world_delete(here, &resource_pods, "alice-1", -1);
    instance_world_pass(here, SECOND_MS);
    assert_null(pod(here, "alice-1"));
}

static void a_forced_deletion_leaves_postgres_running_a_while(void **state)
{
    struct instance_world *here = *state;
    make_instance(here, "alice-1", 1);
    (void)pass_until_ready(here, "alice-1");
    instance_world_delete(here, &resource_pods, "alice-1", 0);
    assert_null(pod(here, "alice-1"));
    instance_world_pass(here, SECOND_MS / 2);
    assert_int_equal(volume(here).mounted_by, 1);
    instance_world_pass(here, SECOND_MS);
    assert_int_equal(volume(here).mounted_by, 0);
}

/* ---- Jobs ---- */

static void make_job(struct instance_world *here, const char *role)
{
    instance_world_create(
        here, &resource_jobs,
        draft("{'metadata':{'name':'job'},'spec':{'backoffLimit':0,'template':{'metadata':{"
              "'labels':{'cnpg.io/jobRole':'$1'}},'spec':{'restartPolicy':'Never',"
              "'containers':[{'name':'job','image':'x'}],'volumes':[{'name':'pgdata',"
              "'persistentVolumeClaim':{'claimName':'data'}}]}}}}",
              role, NULL));
    instance_world_pass(here, LONG_MS);
    const cJSON *job = instance_world_get(here, &resource_jobs, "job");
    assert_int_equal(value_int64(job, 0, "status", "succeeded", NULL), 1);
    assert_true(condition_is_true(value_at(job, "status", NULL), "Complete"));
}

static void initdb_replaces_what_was_there(void **state)
{
    struct instance_world *here = *state;
    make_job(here, "initdb");
    assert_true(volume(here).was_initdb);
    assert_string_not_equal(volume(here).system_id, INSTANCE_WORLD_GOLDEN);
    assert_int_equal(strlen(volume(here).system_id), strlen(INSTANCE_WORLD_GOLDEN));
    assert_int_equal(volume(here).mounted_by, 0);
}

static void a_recovery_keeps_what_was_there(void **state)
{
    struct instance_world *here = *state;
    make_job(here, "snapshot-recovery");
    assert_false(volume(here).was_initdb);
    assert_string_equal(volume(here).system_id, INSTANCE_WORLD_GOLDEN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_bound, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pod_waits_until_its_pvc_is_bound, set_up, tear_down),
        TEST(a_pvc_for_one_pod_is_not_given_to_a_second),
        TEST(a_late_schedule_takes_ten_seconds_and_more),
        TEST(readiness_comes_with_a_probe),
        TEST(slow_probes_find_it_later),
        TEST(a_mount_fails_when_the_volume_is_gone),
        TEST(a_failed_mount_is_tried_again),
        TEST(an_instance_that_is_not_the_target_waits),
        TEST(an_empty_volume_serves_nothing),
        TEST(a_deleted_pod_goes_when_postgres_has_stopped),
        TEST(an_open_session_holds_the_shutdown),
        TEST(the_grace_period_ends_any_shutdown),
        TEST(a_pod_that_never_started_goes_at_once),
        TEST(a_forced_deletion_leaves_postgres_running_a_while),
        TEST(initdb_replaces_what_was_there),
        TEST(a_recovery_keeps_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
