/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/provisioner.h"

#include "api/volume.h"
#include "base/map.h"
#include "base/memory.h"
#include "crash_matrix/checker.h"

#include <string.h>

#define FINALIZER "external-provisioner.volume.kubernetes.io/finalizer"
#define ASKED "volume.kubernetes.io/storage-provisioner"

enum { AGAIN_MS = 300 };

/* A PVC that may want a volume. */
struct wish {
    struct provisioner *provisioner;
    char *uid, *namespace, *name;
    bool busy, granted;
    int64_t wait_until_ms; /* mono */
};

struct provisioner {
    struct surroundings *around;
    struct map wishes; /* by the PVC's uid */
    struct now now;
};

struct provisioner *provisioner_new(struct surroundings *around)
{
    struct provisioner *provisioner = memory_new(1, sizeof(*provisioner));
    provisioner->around = around;
    map_init(&provisioner->wishes);
    return provisioner;
}

static void wish_free(struct wish *wish)
{
    memory_free(wish->uid);
    memory_free(wish->namespace);
    memory_free(wish->name);
    memory_free(wish);
}

void provisioner_free(struct provisioner *provisioner)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&provisioner->wishes, &at, &entry)) {
        api_forget(provisioner->around->api, entry.value);
        wish_free(entry.value);
    }
    map_release(&provisioner->wishes);
    for (size_t i = 0; i < provisioner->around->ledger.count; i++) {
        api_forget(provisioner->around->api, provisioner->around->ledger.volumes[i]);
    }
    memory_free(provisioner);
}

/* ---- CreateVolume ---- */

static void on_made(void *self, const struct reply *reply)
{
    struct wish *wish = self;
    enum error_class class = reply->error.class;
    wish->busy = false;
    wish->granted = class == ERROR_NONE || class == ERROR_EXISTS;
    wish->wait_until_ms = wish->provisioner->now.mono_ms + AGAIN_MS;
}

/* What external-provisioner writes; the PVC may be gone by now, that is not asked. */
static void make_volume(struct wish *wish, const struct object *claim, struct world *world)
{
    struct surroundings *around = wish->provisioner->around;
    struct ledger_volume *volume = ledger_create(&around->ledger, world, claim);
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *body =
        arena_print(&arena,
                    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s',"
                    "'labels':{'" SCOPE_WORLD_LABEL "':'%d'},'finalizers':['" FINALIZER "'],"
                    "'annotations':{'pv.kubernetes.io/provisioned-by':'" WORLD_DRIVER "'}},"
                    "'spec':{'accessModes':['ReadWriteOncePod'],'capacity':{'storage':'1Gi'},"
                    "'claimRef':{'apiVersion':'v1','kind':'PersistentVolumeClaim','namespace':'%s',"
                    "'name':'%s','uid':'%s','resourceVersion':'%s'},"
                    "'csi':{'driver':'" WORLD_DRIVER "','volumeHandle':'%s','volumeAttributes':{"
                    "'DNSName':'fs-1.example','ResourceType':'volume','VolumePath':'fsx/%s'}},"
                    "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'%s'}}",
                    volume->volume, world->index, wish->namespace, wish->name, wish->uid,
                    claim->meta.resource_version, volume->handle, volume->handle, world->class);
    wish->busy = true;
    api_send(around->api,
             &(struct api_request){.method = METHOD_POST, .kind = KIND_VOLUME, .body = body},
             on_made, wish);
}

/* The binder had its turn and found nothing: it has asked us by its annotation. */
static bool is_asked(const struct reply *reply)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (reply->error.class != ERROR_NONE ||
        !json_parse(reply->body, reply->body_bytes, &document, &error)) {
        return false;
    }
    const struct json *root = json_root(document);
    const struct json *annotations = json_path(root, "metadata", "annotations", NULL);
    return json_path(root, "spec", "volumeName", NULL) == NULL &&
           text_equal(json_text(json_member(annotations, ASKED)), WORLD_DRIVER);
}

static void on_looked(void *self, const struct reply *reply)
{
    struct wish *wish = self;
    struct surroundings *around = wish->provisioner->around;
    const struct object *claim =
        store_get_uid(mirror_store(around->mirror), KIND_VOLUME_CLAIM, wish->uid);
    wish->busy = false;
    wish->wait_until_ms = wish->provisioner->now.mono_ms + AGAIN_MS / 10;
    if (claim == NULL || !is_asked(reply)) {
        return;
    }
    struct world *world = surroundings_world_of(around, claim);
    if (world != NULL) {
        make_volume(wish, claim, world);
    }
}

static struct wish *wish_of(struct provisioner *provisioner, const struct object *claim)
{
    struct wish *wish = map_get(&provisioner->wishes, claim->meta.uid);
    if (wish == NULL) {
        wish = memory_new(1, sizeof(*wish));
        wish->provisioner = provisioner;
        wish->uid = memory_copy_text(claim->meta.uid);
        wish->namespace = memory_copy_text(claim->meta.namespace);
        wish->name = memory_copy_text(claim->meta.name);
        (void)map_put(&provisioner->wishes, wish->uid, wish);
    }
    return wish;
}

static void consider_claim(struct provisioner *provisioner, const struct object *claim)
{
    const struct volume_claim *fields = claim->volume_claim;
    if (!text_starts_with(fields->storage_class, WORLD_CLASS) || fields->volume != NULL ||
        fields->phase != CLAIM_PENDING || claim->meta.deleting_ms != 0) {
        return;
    }
    struct wish *wish = wish_of(provisioner, claim);
    if (wish->busy || wish->granted || wish->wait_until_ms > provisioner->now.mono_ms) {
        return;
    }
    wish->busy = true;
    api_send(provisioner->around->api,
             &(struct api_request){.method = METHOD_GET,
                                   .kind = KIND_VOLUME_CLAIM,
                                   .namespace = wish->namespace,
                                   .name = wish->name},
             on_looked, wish);
}

/* ---- DeleteVolume, and the finalizer ---- */

static void on_written(void *self, const struct reply *reply)
{
    struct ledger_volume *volume = self;
    (void)reply;
    volume->busy = false;
}

static void change(struct provisioner *provisioner, struct ledger_volume *volume,
                   enum method method, const char *body)
{
    volume->busy = true;
    volume->wait_until_ms = provisioner->now.mono_ms + AGAIN_MS;
    api_send(provisioner->around->api,
             &(struct api_request){.method = method,
                                   .kind = KIND_VOLUME,
                                   .name = volume->volume,
                                   .content_type = method == METHOD_PATCH ? STRATEGIC_PATCH : NULL,
                                   .body = body},
             on_written, volume);
}

static void drop_finalizer(struct provisioner *provisioner, struct ledger_volume *volume)
{
    change(provisioner, volume, METHOD_PATCH,
           "{'metadata':{'$deleteFromPrimitiveList/finalizers':['" FINALIZER "']}}");
}

static void destroy(struct provisioner *provisioner, struct ledger_volume *volume,
                    const struct object *object)
{
    if (!volume->destroyed) {
        volume->destroyed = true;
        checker_destroyed(provisioner->around->checker, volume, object, provisioner->now);
    }
    if (object->meta.deleting_ms == 0) {
        change(provisioner, volume, METHOD_DELETE, NULL);
    } else {
        drop_finalizer(provisioner, volume);
    }
}

static void consider_volume(struct provisioner *provisioner, const struct object *object)
{
    struct ledger_volume *volume = ledger_find(&provisioner->around->ledger, object->meta.name);
    const struct volume *fields = object->volume;
    if (volume == NULL || volume->busy || volume->wait_until_ms > provisioner->now.mono_ms) {
        return;
    }
    bool guarded = object_has_finalizer(object, FINALIZER);
    bool deletes = fields->policy == RECLAIM_DELETE;
    if (fields->phase == VOLUME_RELEASED && deletes && (object->meta.deleting_ms == 0 || guarded)) {
        destroy(provisioner, volume, object);
    } else if (!deletes && guarded) {
        drop_finalizer(provisioner, volume);
    } else if (deletes && !guarded && object->meta.deleting_ms == 0) {
        change(provisioner, volume, METHOD_PATCH, "{'metadata':{'finalizers':['" FINALIZER "']}}");
    }
}

void provisioner_step(struct provisioner *provisioner, struct now now)
{
    const struct store *store = mirror_store(provisioner->around->mirror);
    const struct object *object;
    size_t at = 0;
    provisioner->now = now;
    while ((object = store_next(store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        consider_claim(provisioner, object);
    }
    at = 0;
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        consider_volume(provisioner, object);
    }
}
