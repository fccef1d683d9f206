/* SPDX-License-Identifier: Apache-2.0 */
#include "support/instance_world.h"

#include "base/text.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NAMESPACE "dev"
#define NODE "node-1"

void instance_world_init(struct instance_world *here, bool with_cnpg)
{
    *here = (struct instance_world){.world = world_new(1, INT64_C(1790000000000))};
    simulation_pace(&here->pace);
    here->server = apiserver_new(here->world);
    here->fsx = fsx_new(here->world, &here->pace, &here->misfortune);
    here->postgres = postgres_new(here->server, here->fsx, &here->pace, &here->misfortune);
    here->scheduler = scheduler_new(here->server, NODE, &here->pace, &here->misfortune);
    const struct kubelet_options options = {.node = NODE,
                                            .fsx = here->fsx,
                                            .postgres = here->postgres,
                                            .pace = &here->pace,
                                            .misfortune = &here->misfortune};
    here->kubelet = kubelet_new(here->server, &options);
    here->jobs = jobs_new(here->server, &here->pace);
    if (with_cnpg) {
        here->cnpg = cnpg_new(here->server, here->postgres, &here->pace, &here->misfortune);
    }
    instance_world_create(here, &resource_namespaces,
                          draft("{'metadata':{'name':'" NAMESPACE "'}}", NULL));
}

void instance_world_release(struct instance_world *here)
{
    cnpg_free(here->cnpg);
    jobs_free(here->jobs);
    kubelet_free(here->kubelet);
    scheduler_free(here->scheduler);
    postgres_free(here->postgres);
    fsx_free(here->fsx);
    apiserver_free(here->server);
    world_free(here->world);
}

void instance_world_pass(struct instance_world *here, int64_t ms)
{
    int64_t until_ms = world_now(here->world).mono_ms + ms;
    while (world_run_next(here->world, until_ms)) {
    }
}

static const char *namespace_of(const struct resource *resource)
{
    return resource->is_namespaced ? NAMESPACE : NULL;
}

static void assert_success(struct outcome outcome)
{
    assert_string_equal(outcome.message, "");
    outcome_release(&outcome);
}

void instance_world_create(struct instance_world *here, const struct resource *resource,
                           cJSON *value)
{
    const struct verb_options options = {.actor = "person"};
    assert_success(
        apiserver_create(here->server, resource, namespace_of(resource), value, &options));
}

void instance_world_patch(struct instance_world *here, const struct resource *resource,
                          const char *name, const char *subresource, cJSON *value)
{
    const struct verb_options options = {.actor = "person", .subresource = subresource};
    assert_success(apiserver_patch(here->server, resource, namespace_of(resource), name,
                                   PATCH_MERGE, value, &options));
    cJSON_Delete(value);
}

void instance_world_delete(struct instance_world *here, const struct resource *resource,
                           const char *name, int64_t grace_s)
{
    const struct verb_options options = {.actor = "person"};
    const struct preconditions preconditions = {.propagation = "Background", .grace_s = grace_s};
    assert_success(apiserver_delete(here->server, resource, namespace_of(resource), name,
                                    &preconditions, &options));
}

const cJSON *instance_world_get(const struct instance_world *here, const struct resource *resource,
                                const char *name)
{
    const struct record *record =
        objects_get(apiserver_objects(here->server), resource, NAMESPACE, name);
    return record == NULL ? NULL : record->value;
}

bool instance_world_has_any(const struct instance_world *here, const struct resource *resource)
{
    return objects_next(apiserver_objects(here->server), resource, NAMESPACE, NULL) != NULL;
}

const char *instance_world_bind(struct instance_world *here, const char *claim,
                                const char *system_id)
{
    const struct resource *pvc = &resource_persistent_volume_claims;
    const char *handle = fsx_put_volume(here->fsx, claim, system_id);
    instance_world_create(
        here, &resource_persistent_volumes,
        draft("{'metadata':{'name':'$1'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':["
              "'ReadWriteOncePod'],'persistentVolumeReclaimPolicy':'Retain','claimRef':{"
              "'namespace':'" NAMESPACE "','name':'$2','uid':'$3'},'csi':{'driver':"
              "'fsx.openzfs.csi.aws.com','volumeHandle':'$1'}}}",
              handle, claim, value_uid(instance_world_get(here, pvc, claim)), NULL));
    instance_world_patch(here, pvc, claim, NULL,
                         draft("{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':"
                               "'yes'}},'spec':{'volumeName':'$1'}}",
                               handle, NULL));
    instance_world_patch(here, pvc, claim, "status", draft("{'status':{'phase':'Bound'}}", NULL));
    return handle;
}

/* ---- alice ---- */

cJSON *instance_world_alices_claim(void)
{
    return draft("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'alice-1',"
                 "'labels':{'cnpg.io/cluster':'alice','cnpg.io/instanceName':'alice-1',"
                 "'cnpg.io/pvcRole':'PG_DATA','cnpg.io/instanceRole':'primary','role':'primary'},"
                 "'annotations':{'cnpg.io/nodeSerial':'1','cnpg.io/pvcStatus':'ready'}},'spec':{"
                 "'accessModes':['ReadWriteOncePod'],'storageClassName':'inert',"
                 "'resources':{'requests':{'storage':'1Gi'}}}}",
                 NULL);
}

void instance_world_make_claim(struct instance_world *here, cJSON *claim)
{
    cleanup_text struct text name;
    text_init(&name, 256);
    text_append(&name, value_name(claim));
    instance_world_create(here, &resource_persistent_volume_claims, claim);
    (void)instance_world_bind(here, name.bytes, INSTANCE_WORLD_GOLDEN);
}

void instance_world_make_cluster(struct instance_world *here, const char *more)
{
    cleanup_text struct text shape;
    text_init(&shape, 4096);
    text_print(&shape,
               "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':'alice'"
               "},'spec':{'instances':1,'storage':{'size':'1Gi','storageClass':'clone'},"
               "'stopDelay':30,'probes':{'startup':{'periodSeconds':1},'readiness':{"
               "'periodSeconds':1}}%s%s}}",
               more[0] == '\0' ? "" : ",", more);
    instance_world_create(here, &resource_clusters, draft(shape.bytes, NULL));
}

const cJSON *instance_world_status(const struct instance_world *here)
{
    const cJSON *cluster = instance_world_get(here, &resource_clusters, "alice");
    assert_non_null(cluster);
    return value_at(cluster, "status", NULL);
}

bool instance_world_is_ready(const struct instance_world *here)
{
    return condition_is_true(instance_world_status(here), "Ready");
}

const char *instance_world_text(const struct instance_world *here, const char *member)
{
    return value_text(instance_world_status(here), member, NULL);
}
