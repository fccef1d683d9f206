/* SPDX-License-Identifier: Apache-2.0 */
/* The volume meant is the one the Instance has chosen or has, else the one it would choose. */
#include "crash_matrix/person.h"

#include "api/instance.h"
#include "api/names.h"
#include "api/volume.h"

#define INSTANCE "alice"
#define DATA_CLAIM "alice-1"

static const struct object *find_volume(struct surroundings *around, const struct world *world)
{
    const struct store *store = mirror_store(around->mirror);
    const struct object *instance = store_get(store, KIND_INSTANCE, world->dev, INSTANCE);
    if (instance != NULL && instance->instance->volume != NULL) {
        return store_get(store, KIND_VOLUME, NULL, instance->instance->volume);
    }
    const struct object *volume;
    size_t at = 0;
    while ((volume = store_next(store, KIND_VOLUME, &at)) != NULL) {
        if (surroundings_world_of(around, volume) == world &&
            volume->volume->state == VOLUME_STATE_WARM) {
            return volume;
        }
    }
    return NULL;
}

static const struct object *find_holding(struct surroundings *around, const struct world *world,
                                         const struct object *volume)
{
    const struct store *store = mirror_store(around->mirror);
    const struct object *claim;
    size_t at = 0;
    while ((claim = store_next(store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        if (volume != NULL && text_equal(claim->meta.namespace, world->pools) &&
            text_equal(claim->volume_claim->volume, volume->meta.name)) {
            return claim;
        }
    }
    return NULL;
}

static bool delete_object(const struct object *object, struct api_request *out)
{
    if (object != NULL) {
        *out = (struct api_request){.method = METHOD_DELETE,
                                    .kind = object->kind,
                                    .namespace = object->meta.namespace,
                                    .name = object->meta.name};
    }
    return object != NULL;
}

static bool patch_object(const struct object *object, const char *body, struct api_request *out)
{
    if (object != NULL) {
        *out = (struct api_request){.method = METHOD_PATCH,
                                    .kind = object->kind,
                                    .namespace = object->meta.namespace,
                                    .name = object->meta.name,
                                    .content_type = MERGE_PATCH,
                                    .body = body};
    }
    return object != NULL;
}

#define DEED(name)                                                                                 \
    static bool name(struct surroundings *around, const struct world *world, int step,             \
                     struct arena *arena, struct api_request *out)

DEED(deletes_holding)
{
    (void)arena;
    return step == 0 && delete_object(find_holding(around, world, find_volume(around, world)), out);
}

DEED(deletes_claim)
{
    (void)arena;
    return step == 0 && delete_object(store_get(mirror_store(around->mirror), KIND_VOLUME_CLAIM,
                                                world->dev, DATA_CLAIM),
                                      out);
}

DEED(deletes_cluster)
{
    (void)arena;
    return step == 0 &&
           delete_object(
               store_get(mirror_store(around->mirror), KIND_CLUSTER, world->dev, INSTANCE), out);
}

DEED(deletes_instance)
{
    (void)arena;
    return step == 0 &&
           delete_object(
               store_get(mirror_store(around->mirror), KIND_INSTANCE, world->dev, INSTANCE), out);
}

DEED(strips_finalizer)
{
    const struct object *instance =
        store_get(mirror_store(around->mirror), KIND_INSTANCE, world->dev, INSTANCE);
    (void)arena;
    if (step == 0) {
        return delete_object(instance, out);
    }
    return step == 1 && patch_object(instance, "{'metadata':{'finalizers':null}}", out);
}

DEED(deletes_namespace)
{
    (void)arena;
    return step == 0 &&
           delete_object(store_get(mirror_store(around->mirror), KIND_NAMESPACE, NULL, world->dev),
                         out);
}

DEED(edits_policy)
{
    (void)arena;
    return step == 0 && patch_object(find_volume(around, world),
                                     "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}", out);
}

DEED(edits_labels)
{
    const struct object *volume = find_volume(around, world);
    if (step != 0 || volume == NULL) {
        return false;
    }
    cleanup_text struct text body;
    text_init(&body, 4096);
    const struct label *label;
    for (size_t i = 0, at = 0; (label = object_next_label(volume, &at)) != NULL; i++) {
        text_print(&body, "%s'%s':null", i == 0 ? "" : ",", label->key);
    }
    return patch_object(volume, arena_print(arena, "{'metadata':{'labels':{%s}}}", body.bytes),
                        out);
}

DEED(edits_claim)
{
    (void)arena;
    return step == 0 && patch_object(find_volume(around, world), "{'spec':{'claimRef':null}}", out);
}

DEED(edits_state)
{
    (void)arena;
    return step == 0 &&
           patch_object(find_volume(around, world),
                        "{'metadata':{'labels':{'" LABEL_STATE "':'" STATE_WARM "'}}}", out);
}

static bool make_claim(const struct world *world, const char *name, const char *volume,
                       struct arena *arena, struct api_request *out)
{
    const char *body = arena_print(
        arena,
        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'%s'},'spec':{"
        "'accessModes':['ReadWriteOncePod'],'storageClassName':'%s',%s%s%s"
        "'resources':{'requests':{'storage':'1Gi'}}}}",
        name, world->class, volume == NULL ? "" : "'volumeName':'", volume == NULL ? "" : volume,
        volume == NULL ? "" : "',");
    *out = (struct api_request){
        .method = METHOD_POST, .kind = KIND_VOLUME_CLAIM, .namespace = world->dev, .body = body};
    return true;
}

DEED(steals_by_size)
{
    (void)around;
    return step == 0 && make_claim(world, WORLD_THIEF, NULL, arena, out);
}

DEED(steals_by_name)
{
    const struct object *volume = find_volume(around, world);
    return step == 0 && volume != NULL &&
           make_claim(world, WORLD_THIEF, volume->meta.name, arena, out);
}

DEED(claims)
{
    (void)around;
    const char *body = arena_print(arena,
                                   "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance',"
                                   "'metadata':{'name':'" INSTANCE "'},'spec':{'pool':{"
                                   "'name':'" WORLD_POOL "','namespace':'%s'}}}",
                                   world->pools);
    *out = (struct api_request){
        .method = METHOD_POST, .kind = KIND_INSTANCE, .namespace = world->dev, .body = body};
    return step == 0;
}

DEED(scales_to_zero)
{
    const struct object *pool =
        store_get(mirror_store(around->mirror), KIND_POOL, world->pools, WORLD_POOL);
    (void)arena;
    return step == 0 && patch_object(pool, "{'spec':{'size':0}}", out);
}

DEED(adopts)
{
    (void)arena;
    return step == 0 &&
           patch_object(
               store_get(mirror_store(around->mirror), KIND_INSTANCE, world->dev, INSTANCE),
               "{'metadata':{'annotations':{'" ANNOTATION_ADOPT "':'yes'}}}", out);
}

DEED(puts_back)
{
    (void)arena;
    return step == 0 &&
           patch_object(find_volume(around, world),
                        "{'metadata':{'labels':{'" LABEL_STATE "':'" STATE_CLAIMED "'}}}", out);
}

static const char *const deleted[] = {"ClaimDeleted", "ClusterDeleted", NULL};
static const char *const edited[] = {"VolumeEdited", NULL};

const struct person people[] = {
    {.name = "deletes-holding-pvc", .request = deletes_holding, .endings = ENDING_READY},
    {.name = "deletes-pvc",
     .request = deletes_claim,
     .endings = ENDING_READY | ENDING_KEPT,
     .reasons = deleted,
     .remedy = adopts},
    {.name = "deletes-cluster",
     .request = deletes_cluster,
     .endings = ENDING_READY | ENDING_KEPT,
     .reasons = deleted,
     .remedy = adopts},
    {.name = "deletes-instance", .request = deletes_instance, .endings = ENDING_GONE},
    {.name = "strips-finalizer", .request = strips_finalizer, .endings = ENDING_GONE},
    {.name = "deletes-namespace", .request = deletes_namespace, .endings = ENDING_GONE},
    {.name = "pv-policy-delete",
     .request = edits_policy,
     .endings = ENDING_READY,
     .edits_policy = true},
    {.name = "pv-labels-removed", .request = edits_labels, .endings = ENDING_READY},
    {.name = "pv-claimref-removed",
     .request = edits_claim,
     .endings = ENDING_READY,
     .edits_claim = true},
    {.name = "pv-state-warm",
     .request = edits_state,
     .endings = ENDING_READY | ENDING_KEPT,
     .reasons = edited,
     .edits_state = true,
     .remedy = puts_back},
    {.name = "thief-by-size", .request = steals_by_size, .endings = ENDING_READY},
    {.name = "thief-by-name", .request = steals_by_name, .endings = ENDING_READY},
    {.name = "scales-to-zero",
     .request = scales_to_zero,
     .endings = ENDING_READY,
     .empties_pool = true},
    {.name = "claims", .request = claims, .endings = ENDING_READY, .claims = true},
    {.name = NULL},
};

const struct person *person_find(const char *name)
{
    for (const struct person *person = people; person->name != NULL; person++) {
        if (text_equal(person->name, name)) {
            return person;
        }
    }
    return NULL;
}
