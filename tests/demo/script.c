/* SPDX-License-Identifier: Apache-2.0 */
/* From the stripping to the new PVC a volume is anybody's, and may be bound to a claim that waits
   for its own. */
#include "demo/script.h"

#include "base/limits.h"
#include "base/memory.h"
#include "demo/errand.h"
#include "sim/link.h"
#include "sim/simulation.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define POOLS "adjoint-pools" /* where the golden is, and so every PVC that is a clone of it */
#define DEVELOPMENT "development"
#define PVCS "/api/v1/namespaces/$S/persistentvolumeclaims"
#define HOLDING_PVCS "/api/v1/namespaces/" POOLS "/persistentvolumeclaims"
#define PV "/api/v1/persistentvolumes/$V"
#define CLUSTERS "/apis/postgresql.cnpg.io/v1/namespaces/$S/clusters"

/* A clone of the golden, and what CloudNativePG adopts. */
#define CLONE_SPEC                                                                                 \
    "'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'fsx-clone','resources':{"         \
    "'requests':{'storage':'1Gi'}},"
#define GOLDEN                                                                                     \
    "'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"                  \
    "'name':'golden'}}}"
#define ADOPTED                                                                                    \
    "{'metadata':{'name':'$N-1','labels':{'cnpg.io/cluster':'$N','cnpg.io/instanceName':'$N-1',"   \
    "'cnpg.io/pvcRole':'PG_DATA','cnpg.io/instanceRole':'primary','role':'primary'},"              \
    "'annotations':{'cnpg.io/nodeSerial':'1','cnpg.io/pvcStatus':'ready'}}," CLONE_SPEC
#define CLUSTER                                                                                    \
    "{'apiVersion':'postgresql.cnpg.io/v1','kind':'Cluster','metadata':{'name':'$N'},'spec':{"     \
    "'instances':1,'imageName':'ghcr.io/cloudnative-pg/postgresql:15','storage':{"                 \
    "'storageClass':'fsx-clone','size':'1Gi'}}}"

enum {
    SOON_MS = 5,
    PROVISIONING_PAUSE_MS = 500,
    SLOTS_MAX = SCRIPT_POOL_MAX + SCRIPT_ARRIVALS_MAX,
    NAME_BYTES = 32,
    LATENCY_MS_MIN = 1,
    LATENCY_MS_MAX = 4,
};

struct morning;

struct developer {
    struct morning *morning;
    struct errand errand;
    char name[NAME_BYTES];
    int64_t asked_ms;
    struct script_arrival *arrival;
};

struct slot {
    struct morning *morning;
    struct errand errand;
    char name[NAME_BYTES];
    bool is_warm;
};

struct morning {
    struct simulation *simulation;
    struct world *world;
    struct link *link;
    struct client *client;
    struct developer developers[SCRIPT_ARRIVALS_MAX];
    struct slot slots[SLOTS_MAX];
    size_t developer_count, over_count, slot_count, warm_count, pool_size;
};

/* ---- what is waited for ---- */

static const char *phase_of(const struct json *object)
{
    const struct json *phase = json_path(object, "status", "phase", NULL);
    return phase == NULL ? NULL : json_text(phase);
}

static enum errand_verdict is_gone(struct errand *errand, const struct json *object)
{
    (void)errand;
    return object == NULL ? ERRAND_GOES_ON : ERRAND_ASKS_AGAIN;
}

static enum errand_verdict is_released(struct errand *errand, const struct json *object)
{
    (void)errand;
    return text_equal(phase_of(object), "Released") ? ERRAND_GOES_ON : ERRAND_ASKS_AGAIN;
}

/* Of a PV whose claimRef was stripped. */
static enum errand_verdict is_ours(struct errand *errand, const struct json *object)
{
    const struct json *claimant = json_path(object, "spec", "claimRef", NULL);
    if (claimant == NULL || json_member(claimant, "uid") == NULL) {
        return ERRAND_ASKS_AGAIN;
    }
    const struct json *namespace = json_member(claimant, "namespace");
    return text_equal(json_text(namespace), errand->namespace) ? ERRAND_GOES_ON : ERRAND_IS_LOST;
}

static enum errand_verdict is_bound(struct errand *errand, const struct json *object)
{
    if (!text_equal(phase_of(object), "Bound")) {
        return ERRAND_ASKS_AGAIN;
    }
    (void)snprintf(errand->volume, sizeof(errand->volume), "%s",
                   json_text(json_path(object, "spec", "volumeName", NULL)));
    return ERRAND_GOES_ON;
}

static enum errand_verdict is_ready(struct errand *errand, const struct json *object)
{
    (void)errand;
    const struct json *conditions = json_path(object, "status", "conditions", NULL);
    for (const struct json *at = json_first(conditions); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(json_member(at, "type")), "Ready") &&
            text_equal(json_text(json_member(at, "status")), "True")) {
            return ERRAND_GOES_ON;
        }
    }
    return ERRAND_ASKS_AGAIN;
}

/* ---- the errands ---- */

static const struct errand_step fill[] = {
    {METHOD_POST, HOLDING_PVCS, "{'metadata':{'name':'$N'}," CLONE_SPEC GOLDEN, NULL, 0},
    {METHOD_GET, HOLDING_PVCS "/$N", NULL, is_bound, PROVISIONING_PAUSE_MS},
    {.path = NULL},
};

static const struct errand_step claim_by_seeds_order[] = {
    {METHOD_PATCH, PV, "{'spec':{'persistentVolumeReclaimPolicy':'Retain'}}", NULL, 0},
    {METHOD_DELETE, HOLDING_PVCS "/$H", NULL, NULL, 0},
    {METHOD_GET, HOLDING_PVCS "/$H", NULL, is_gone, SOON_MS},
    {METHOD_GET, PV, NULL, is_released, SOON_MS},
    {METHOD_PATCH, PV, "{'spec':{'claimRef':null}}", NULL, 0},
    {METHOD_POST, PVCS, ADOPTED "'volumeName':'$V'}}", NULL, 0},
    {METHOD_GET, PV, NULL, is_ours, SOON_MS},
    {METHOD_GET, PVCS "/$N-1", NULL, is_bound, SOON_MS},
    {METHOD_POST, CLUSTERS, CLUSTER, NULL, 0},
    {METHOD_GET, CLUSTERS "/$N", NULL, is_ready, SOON_MS},
    {.path = NULL},
};

static const struct errand_step clone_on_demand[] = {
    {METHOD_POST, PVCS, ADOPTED GOLDEN, NULL, 0},
    {METHOD_GET, PVCS "/$N-1", NULL, is_bound, PROVISIONING_PAUSE_MS},
    {METHOD_POST, CLUSTERS, CLUSTER, NULL, 0},
    {METHOD_GET, CLUSTERS "/$N", NULL, is_ready, SOON_MS},
    {.path = NULL},
};

static const struct errand_step make_namespace[] = {
    {METHOD_POST, "/api/v1/namespaces", "{'metadata':{'name':'" DEVELOPMENT "'}}", NULL, 0},
    {.path = NULL},
};

/* ---- the pool ---- */

static void begin(struct morning *morning);

static void slot_is_warm(struct errand *errand, bool is_lost)
{
    struct slot *slot = errand->self;
    struct morning *morning = slot->morning;
    (void)is_lost;
    slot->is_warm = true;
    morning->warm_count++;
    if (morning->warm_count == morning->pool_size) {
        begin(morning);
    }
}

static void fill_slot(struct morning *morning)
{
    struct slot *slot = &morning->slots[morning->slot_count];
    (void)snprintf(slot->name, sizeof(slot->name), "slot-%zu", morning->slot_count);
    morning->slot_count++;
    slot->morning = morning;
    slot->errand = (struct errand){.client = morning->client,
                                   .world = morning->world,
                                   .step = fill,
                                   .name = slot->name,
                                   .namespace = POOLS,
                                   .ended = slot_is_warm,
                                   .self = slot};
    errand_start(&slot->errand);
}

static bool take_slot(struct morning *morning, struct errand *errand)
{
    for (size_t i = 0; i < morning->slot_count; i++) {
        struct slot *slot = &morning->slots[i];
        if (slot->is_warm) {
            slot->is_warm = false;
            memcpy(errand->volume, slot->errand.volume, sizeof(errand->volume));
            memcpy(errand->holding, slot->name, sizeof(slot->name));
            return true;
        }
    }
    return false;
}

/* ---- developers ---- */

static void developer_is_done(struct errand *errand, bool is_lost)
{
    struct developer *developer = errand->self;
    struct morning *morning = developer->morning;
    developer->arrival->is_lost = is_lost;
    developer->arrival->ready_ms = world_now(morning->world).mono_ms - developer->asked_ms;
    morning->over_count++;
    if (developer->arrival->is_warm) {
        fill_slot(morning);
    }
}

static void come(void *self)
{
    struct developer *developer = self;
    struct morning *morning = developer->morning;
    developer->asked_ms = world_now(morning->world).mono_ms;
    developer->errand = (struct errand){.client = morning->client,
                                        .world = morning->world,
                                        .name = developer->name,
                                        .ended = developer_is_done,
                                        .self = developer};
    developer->arrival->is_warm = take_slot(morning, &developer->errand);
    developer->errand.step = developer->arrival->is_warm ? claim_by_seeds_order : clone_on_demand;
    developer->errand.namespace = developer->arrival->is_warm ? DEVELOPMENT : POOLS;
    errand_start(&developer->errand);
}

static void begin(struct morning *morning)
{
    for (size_t i = 0; i < morning->developer_count; i++) {
        struct developer *developer = &morning->developers[i];
        (void)world_after(morning->world, developer->arrival->after_ms, come, developer);
    }
}

/* ---- the morning ---- */

static void woken(void *self)
{
    struct morning *morning = self;
    client_step(morning->client, world_now(morning->world));
}

static void namespace_is_made(struct errand *errand, bool is_lost)
{
    struct morning *morning = errand->self;
    (void)is_lost;
    for (size_t i = 0; i < morning->pool_size; i++) {
        fill_slot(morning);
    }
    if (morning->pool_size == 0) {
        begin(morning);
    }
}

static void play(struct morning *morning, uint64_t seed)
{
    struct simulation_options options = {.seed = seed};
    simulation_pace(&options.pace);
    morning->simulation = simulation_new(&options);
    morning->world = simulation_world(morning->simulation);
    simulation_make_golden(morning->simulation, &(struct golden_options){
                                                    .namespace = POOLS,
                                                    .snapshot = "golden",
                                                    .clone_class = "fsx-clone",
                                                    .system_id = "7423456789012345678",
                                                    .database = "orders",
                                                    .owner = "orders",
                                                });
    const struct link_options link_options = {
        .user = "script", .least_ms = LATENCY_MS_MIN, .most_ms = LATENCY_MS_MAX};
    morning->link =
        link_new(simulation_apiserver(morning->simulation), &link_options, NULL, woken, morning);
    morning->client = client_new(link_transport(morning->link), LIMIT_BODY_BYTES);
    struct errand errand = {.client = morning->client,
                            .world = morning->world,
                            .step = make_namespace,
                            .name = DEVELOPMENT,
                            .ended = namespace_is_made,
                            .self = morning};
    errand_start(&errand);
    while (morning->over_count < morning->developer_count &&
           world_run_next(morning->world, NOW_NEVER)) {
    }
    client_free(morning->client);
    link_free(morning->link);
}

uint64_t script_play(uint64_t seed, size_t pool_size, struct script_arrival *arrivals, size_t count)
{
    assert(count <= SCRIPT_ARRIVALS_MAX && pool_size <= SCRIPT_POOL_MAX);
    struct morning *morning = memory_new(1, sizeof(*morning));
    morning->pool_size = pool_size;
    morning->developer_count = count;
    for (size_t i = 0; i < count; i++) {
        struct developer *developer = &morning->developers[i];
        developer->morning = morning;
        developer->arrival = &arrivals[i];
        (void)snprintf(developer->name, sizeof(developer->name), "developer-%zu", i);
    }
    play(morning, seed);
    uint64_t creates = simulation_fsx_counts(morning->simulation).creates;
    simulation_free(morning->simulation);
    memory_free(morning);
    return creates;
}
