/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/cnpg.h"

#include "api/cluster.h"
#include "api/names.h"
#include "api/volume.h"
#include "base/map.h"
#include "base/memory.h"

#include <string.h>

enum { AGAIN_MS = 100 };

/* What is remembered of one Cluster. */
struct charge {
    struct cnpg *cnpg;
    char *uid;
    bool busy, guarded;
    int64_t wait_until_ms; /* mono */
};

struct cnpg {
    struct surroundings *around;
    struct map charges; /* by uid */
    struct now now;
};

struct cnpg *cnpg_new(struct surroundings *around)
{
    struct cnpg *cnpg = memory_new(1, sizeof(*cnpg));
    cnpg->around = around;
    map_init(&cnpg->charges);
    return cnpg;
}

void cnpg_free(struct cnpg *cnpg)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&cnpg->charges, &at, &entry)) {
        struct charge *charge = entry.value;
        api_forget(cnpg->around->api, charge);
        memory_free(charge->uid);
        memory_free(charge);
    }
    map_release(&cnpg->charges);
    memory_free(cnpg);
}

static struct charge *charge_of(struct cnpg *cnpg, const struct object *cluster)
{
    struct charge *charge = map_get(&cnpg->charges, cluster->meta.uid);
    if (charge == NULL) {
        charge = memory_new(1, sizeof(*charge));
        charge->cnpg = cnpg;
        charge->uid = memory_copy_text(cluster->meta.uid);
        (void)map_put(&cnpg->charges, charge->uid, charge);
    }
    return charge;
}

static void on_done(void *self, const struct reply *reply)
{
    struct charge *charge = self;
    (void)reply;
    charge->busy = false;
    charge->wait_until_ms = charge->cnpg->now.mono_ms + AGAIN_MS;
}

static void ask(struct charge *charge, const struct api_request *request,
                void (*done)(void *self, const struct reply *reply))
{
    charge->busy = true;
    api_send(charge->cnpg->around->api, request, done, charge);
}

static void adopt(struct charge *charge, const struct object *cluster, const struct object *claim)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *body = arena_print(&arena,
                                   "{'metadata':{'ownerReferences':[{'apiVersion':"
                                   "'" CNPG_API_VERSION "','kind':'Cluster','name':'%s','uid':'%s',"
                                   "'controller':true,'blockOwnerDeletion':true}]}}",
                                   cluster->meta.name, cluster->meta.uid);
    ask(charge,
        &(struct api_request){.method = METHOD_PATCH,
                              .kind = KIND_VOLUME_CLAIM,
                              .namespace = claim->meta.namespace,
                              .name = claim->meta.name,
                              .content_type = MERGE_PATCH,
                              .body = body},
        on_done);
}

static void report(struct charge *charge, const struct object *cluster, bool ready)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *body = arena_print(
        &arena,
        "{'status':{'phase':'%s','readyInstances':%d,'systemID':'" WORLD_SYSTEM_ID
        "','conditions':[{'type':'Ready','status':'%s','reason':'ClusterIsReady',"
        "'message':'','lastTransitionTime':'2026-01-01T00:00:00Z'}]}}",
        ready ? "Cluster in healthy state" : "Setting up primary", ready, ready ? "True" : "False");
    ask(charge,
        &(struct api_request){.method = METHOD_PATCH,
                              .kind = KIND_CLUSTER,
                              .namespace = cluster->meta.namespace,
                              .name = cluster->meta.name,
                              .subresource = "status",
                              .content_type = MERGE_PATCH,
                              .body = body},
        on_done);
}

/* The PVC is not there: what would CloudNativePG do? */
static void on_read(void *self, const struct reply *reply)
{
    struct charge *charge = self;
    struct surroundings *around = charge->cnpg->around;
    const struct object *cluster =
        store_get_uid(mirror_store(around->mirror), KIND_CLUSTER, charge->uid);
    on_done(charge, reply);
    if (cluster == NULL || reply->error.class != ERROR_NONE ||
        strstr(reply->body, charge->uid) == NULL ||
        strstr(reply->body, "\"deletionTimestamp\"") != NULL) {
        return;
    }
    charge->guarded = strstr(reply->body, NAME_GUARD_SNAPSHOT) != NULL;
    struct world *world = surroundings_world_of(around, cluster);
    if (!charge->guarded && world != NULL) {
        world_violate(world, charge->cnpg->now, "Cluster %s runs initdb on an empty volume",
                      cluster->meta.name);
    }
}

static void read_bootstrap(struct charge *charge, const struct object *cluster)
{
    ask(charge,
        &(struct api_request){.method = METHOD_GET,
                              .kind = KIND_CLUSTER,
                              .namespace = cluster->meta.namespace,
                              .name = cluster->meta.name},
        on_read);
}

static bool is_adoptable(const struct object *cluster, const struct object *claim)
{
    return text_equal(object_label(claim, CNPG_LABEL_CLUSTER), cluster->meta.name) &&
           text_equal(object_label(claim, CNPG_LABEL_INSTANCE_NAME), claim->meta.name) &&
           text_equal(object_label(claim, CNPG_LABEL_PVC_ROLE), CNPG_ROLE_PG_DATA) &&
           text_equal(object_annotation(claim, CNPG_ANNOTATION_PVC_STATUS), "ready") &&
           text_equal(object_annotation(claim, CNPG_ANNOTATION_NODE_SERIAL), "1");
}

/* One that belongs to an earlier Cluster goes with it, by the garbage collector. */
static bool is_free_for(const struct object *claim, const struct object *cluster)
{
    return claim->meta.owner_count == 0 || text_equal(claim->meta.owners[0].uid, cluster->meta.uid);
}

static void consider(struct cnpg *cnpg, const struct object *cluster)
{
    struct charge *charge = charge_of(cnpg, cluster);
    if (charge->busy || charge->wait_until_ms > cnpg->now.mono_ms ||
        cluster->meta.deleting_ms != 0) {
        return;
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const struct object *claim =
        store_get(mirror_store(cnpg->around->mirror), KIND_VOLUME_CLAIM, cluster->meta.namespace,
                  arena_print(&arena, "%s-1", cluster->meta.name));
    bool usable = claim != NULL && is_adoptable(cluster, claim) && claim->meta.deleting_ms == 0 &&
                  claim->volume_claim->phase == CLAIM_BOUND && is_free_for(claim, cluster);
    if (claim == NULL && !charge->guarded) {
        read_bootstrap(charge, cluster);
    } else if (usable && claim->meta.owner_count == 0) {
        adopt(charge, cluster, claim);
    } else if (usable != cluster->cluster->ready) {
        report(charge, cluster, usable);
    }
}

void cnpg_step(struct cnpg *cnpg, struct now now)
{
    const struct store *store = mirror_store(cnpg->around->mirror);
    const struct object *object;
    size_t at = 0;
    cnpg->now = now;
    while ((object = store_next(store, KIND_CLUSTER, &at)) != NULL) {
        consider(cnpg, object);
    }
}
