/* SPDX-License-Identifier: Apache-2.0 */
/* A pod that logs in and ends, beside an instance that runs. */
#include "sim/psql.h"

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

enum { SOME_MS = 10000, LONG_MS = 120000 };

static int set_up(void **state)
{
    static struct instance_world here;
    instance_world_init(&here, false);
    instance_world_create(&here, &resource_persistent_volume_claims,
                          draft("{'metadata':{'name':'data'},'spec':{'accessModes':["
                                "'ReadWriteOncePod'],'storageClassName':'inert','resources':{"
                                "'requests':{'storage':'1Gi'}}}}",
                                NULL));
    (void)instance_world_bind(&here, "data", INSTANCE_WORLD_GOLDEN);
    instance_world_create(&here, &resource_clusters,
                          draft("{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster',"
                                "'metadata':{'name':'alice'},'spec':{'storage':{'size':'1Gi'}}}",
                                NULL));
    instance_world_patch(&here, &resource_clusters, "alice", "status",
                         draft("{'status':{'targetPrimary':'alice-1'}}", NULL));
    instance_world_create(
        &here, &resource_pods,
        draft("{'metadata':{'name':'alice-1','labels':{'cnpg.io/cluster':'alice','cnpg.io/podRole':"
              "'instance'}},'spec':{'containers':[{'name':'postgres','image':'x'}],'volumes':["
              "{'name':'pgdata','persistentVolumeClaim':{'claimName':'data'}}]}}",
              NULL));
    *state = &here;
    return 0;
}

static int tear_down(void **state)
{
    instance_world_release(*state);
    return 0;
}

/* username as in base64. */
static void make_secret(struct instance_world *here, const char *username)
{
    instance_world_create(
        here, &resource_secrets,
        draft("{'metadata':{'name':'login'},'data':{'username':'$1'}}", username, NULL));
}

static void make_psql(struct instance_world *here, const char *host)
{
    instance_world_create(
        here, &resource_pods,
        draft("{'metadata':{'name':'psql'},'spec':{'restartPolicy':'Never','containers':[{"
              "'name':'psql','image':'x','env':[{'name':'PGHOST','value':'$1'},{'name':'PGUSER',"
              "'valueFrom':{'secretKeyRef':{'name':'login','key':'username'}}}]}]}}",
              host, NULL));
}

static void assert_phase(const struct instance_world *here, const char *phase)
{
    const cJSON *pod = instance_world_get(here, &resource_pods, "psql");
    assert_string_equal(value_text(pod, "status", "phase", NULL), phase);
}

static void it_is_let_in_and_ends(void **state)
{
    struct instance_world *here = *state;
    make_secret(here, "YWxpY2U=");
    make_psql(here, "alice-rw.dev.svc");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Succeeded");
}

static void it_waits_for_its_secret(void **state)
{
    struct instance_world *here = *state;
    make_psql(here, "alice-rw.dev.svc");
    instance_world_pass(here, LONG_MS);
    assert_phase(here, "Pending");
    make_secret(here, "YWxpY2U=");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Succeeded");
}

static void it_gives_up_where_nobody_answers(void **state)
{
    struct instance_world *here = *state;
    make_secret(here, "YWxpY2U=");
    make_psql(here, "bob-rw.dev.svc");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Running");
    instance_world_pass(here, LONG_MS);
    assert_phase(here, "Failed");
}

static void who_is_rejected_waits_to_be_let_in(void **state)
{
    struct instance_world *here = *state;
    instance_world_patch(here, &resource_clusters, "alice", NULL,
                         draft("{'spec':{'postgresql':{'pg_hba':['host all postgres all "
                               "scram-sha-256','host all all all reject']}}}",
                               NULL));
    make_secret(here, "YWxpY2U=");
    make_psql(here, "alice-rw.dev.svc");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Running");
    instance_world_patch(here, &resource_clusters, "alice", NULL,
                         draft("{'spec':{'postgresql':null}}", NULL));
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Succeeded");
}

static void the_superuser_passes_the_rejection_of_all(void **state)
{
    struct instance_world *here = *state;
    instance_world_patch(here, &resource_clusters, "alice", NULL,
                         draft("{'spec':{'postgresql':{'pg_hba':['host all postgres all "
                               "scram-sha-256','host all all all reject']}}}",
                               NULL));
    make_secret(here, "cG9zdGdyZXM=");
    make_psql(here, "alice-rw.dev.svc");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Succeeded");
}

static void it_can_fail(void **state)
{
    struct instance_world *here = *state;
    here->misfortune.psql_fails = 1000;
    make_secret(here, "YWxpY2U=");
    make_psql(here, "alice-rw.dev.svc");
    instance_world_pass(here, SOME_MS);
    assert_phase(here, "Failed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_let_in_and_ends),
        TEST(it_waits_for_its_secret),
        TEST(it_gives_up_where_nobody_answers),
        TEST(who_is_rejected_waits_to_be_let_in),
        TEST(the_superuser_passes_the_rejection_of_all),
        TEST(it_can_fail),
    };
    return cmocka_run_group_tests_name("psql", tests, NULL, NULL);
}
