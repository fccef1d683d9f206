/* SPDX-License-Identifier: Apache-2.0 */
/* Binder: kubernetes pkg/controller/volume/persistentvolume (syncVolume, syncClaim). Provisioner:
   sig-storage-lib-external-provisioner (shouldProvision, shouldDelete). */
#include "support/controllers.h"

#include "api/cluster.h"
#include "api/names.h"
#include "api/volume.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct object *decode(const struct controllers *controllers, enum object_kind kind,
                             const char *namespace, const char *name)
{
    const char *json = api_table_find(controllers->table, kind, namespace, name);
    return json == NULL ? NULL : object_from_text(kind, json);
}

static void put(const struct controllers *controllers, const char *format, ...) PRINTF_LIKE(2, 3);

/* JSON with ' for ". */
static void put(const struct controllers *controllers, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    char *json = arena_print_list(&arena, format, arguments);
    va_end(arguments);
    for (char *at = strchr(json, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    api_table_put(controllers->table, json);
}

static bool set_phase(const struct controllers *controllers, const struct object *volume,
                      enum volume_phase phase)
{
    if (volume->volume->phase == phase) {
        return false;
    }
    put(controllers, "{'kind':'PersistentVolume','metadata':{'name':'%s'},'status':{'phase':'%s'}}",
        volume->meta.name, volume_phase_name(phase));
    return true;
}

static void bind(const struct controllers *controllers, const struct object *volume,
                 const struct object *claim)
{
    put(controllers,
        "{'kind':'PersistentVolume','metadata':{'name':'%s'},'spec':{'claimRef':{'uid':'%s'}},"
        "'status':{'phase':'Bound'}}",
        volume->meta.name, claim->meta.uid);
    put(controllers,
        "{'kind':'PersistentVolumeClaim','metadata':{'namespace':'%s','name':'%s'},"
        "'spec':{'volumeName':'%s'},'status':{'phase':'Bound'}}",
        claim->meta.namespace, claim->meta.name, volume->meta.name);
}

static bool sync_volume(const struct controllers *controllers, const struct object *volume)
{
    const struct volume *state = volume->volume;
    if (state->claim_name == NULL) {
        return set_phase(controllers, volume, VOLUME_AVAILABLE);
    }
    cleanup_object struct object *claim =
        decode(controllers, KIND_VOLUME_CLAIM, state->claim_namespace, state->claim_name);
    bool same = claim != NULL && text_equal(claim->meta.uid, state->claim_uid);
    if (state->claim_uid != NULL && !same) {
        return set_phase(controllers, volume, VOLUME_RELEASED);
    }
    bool waits = claim != NULL && claim->meta.deleting_ms == 0 &&
                 (claim->volume_claim->volume == NULL ||
                  text_equal(claim->volume_claim->volume, volume->meta.name));
    if (state->claim_uid == NULL && !waits) {
        return set_phase(controllers, volume, VOLUME_AVAILABLE);
    }
    bool bound = text_equal(claim->volume_claim->volume, volume->meta.name) &&
                 claim->volume_claim->phase == CLAIM_BOUND && state->claim_uid != NULL;
    if (waits && !bound) {
        bind(controllers, volume, claim);
        return true;
    }
    return bound && set_phase(controllers, volume, VOLUME_BOUND);
}

static bool sync_claim(const struct controllers *controllers, const struct object *claim)
{
    const struct volume_claim *state = claim->volume_claim;
    if (state->volume == NULL || state->phase != CLAIM_BOUND) {
        return false;
    }
    cleanup_object struct object *volume = decode(controllers, KIND_VOLUME, "", state->volume);
    if (volume != NULL && text_equal(volume->volume->claim_uid, claim->meta.uid)) {
        return false;
    }
    put(controllers,
        "{'kind':'PersistentVolumeClaim','metadata':{'namespace':'%s','name':'%s'},"
        "'status':{'phase':'Lost'}}",
        claim->meta.namespace, claim->meta.name);
    return true;
}

/* A Cluster's pod uses its claim. */
static bool let_claim_go(const struct controllers *controllers, const struct object *claim)
{
    const char *cluster = object_label(claim, CNPG_LABEL_CLUSTER);
    bool used = cluster != NULL && api_table_find(controllers->table, KIND_CLUSTER,
                                                  claim->meta.namespace, cluster) != NULL;
    if (claim->meta.deleting_ms == 0 || claim->meta.finalizer_count == 0 || used) {
        return false;
    }
    put(controllers,
        "{'kind':'PersistentVolumeClaim','metadata':{'namespace':'%s','name':'%s',"
        "'finalizers':null}}",
        claim->meta.namespace, claim->meta.name);
    return true;
}

static bool provision(const struct controllers *controllers, const struct object *claim)
{
    if (claim->volume_claim->volume != NULL || claim->meta.deleting_ms != 0 ||
        claim->volume_claim->source_name == NULL) {
        return false;
    }
    put(controllers,
        "{'kind':'PersistentVolume','metadata':{'name':'pvc-%s','annotations':{"
        "'pv.kubernetes.io/provisioned-by':'zfs.example'}},'spec':{'storageClassName':'clone',"
        "'persistentVolumeReclaimPolicy':'Delete','capacity':{'storage':'1Gi'},"
        "'accessModes':['ReadWriteOncePod'],'claimRef':{'kind':'PersistentVolumeClaim',"
        "'namespace':'%s','name':'%s','uid':'%s'},'csi':{'driver':'zfs.example',"
        "'volumeHandle':'%s'}},'status':{'phase':'Pending'}}",
        claim->meta.uid, claim->meta.namespace, claim->meta.name, claim->meta.uid, claim->meta.uid);
    text_print(controllers->history, "MADE %s\n", claim->meta.uid);
    cleanup_object struct object *volume =
        decode(controllers, KIND_VOLUME, "",
               api_table_at(controllers->table, api_table_count(controllers->table) - 1)->name);
    bind(controllers, volume, claim);
    return true;
}

static bool destroy(const struct controllers *controllers, const struct object *volume)
{
    const struct volume *state = volume->volume;
    if (state->phase != VOLUME_RELEASED || state->policy != RECLAIM_DELETE) {
        return false;
    }
    text_print(controllers->history, "DESTROYED %s\n", state->handle);
    api_table_delete_any(controllers->table, KIND_VOLUME, "", volume->meta.name);
    return true;
}

/* Of a claim that is bound and has no owner; then Postgres is ready. */
static bool adopt(const struct controllers *controllers, const struct object *cluster)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cleanup_object struct object *claim =
        decode(controllers, KIND_VOLUME_CLAIM, cluster->meta.namespace,
               arena_print(&arena, "%s-1", cluster->meta.name));
    bool fit =
        claim != NULL && claim->meta.deleting_ms == 0 && claim->volume_claim->phase == CLAIM_BOUND;
    if (cluster->cluster->ready || !fit) {
        return false;
    }
    put(controllers,
        "{'kind':'PersistentVolumeClaim','metadata':{'namespace':'%s','name':'%s',"
        "'ownerReferences':[{'kind':'Cluster','name':'%s','uid':'%s','controller':true}]}}",
        claim->meta.namespace, claim->meta.name, cluster->meta.name, cluster->meta.uid);
    put(controllers,
        "{'kind':'Cluster','metadata':{'namespace':'%s','name':'%s'},'status':{'systemID':'%s','"
        "readyInstances':1,"
        "'conditions':[{'type':'Ready','status':'True'}]}}",
        cluster->meta.namespace, cluster->meta.name, controllers->system_id);
    return true;
}

static bool is_gone(const struct controllers *controllers, const char *namespace,
                    const struct owner_reference *reference)
{
    cleanup_object struct object *owner =
        decode(controllers, api_kind_named(reference->kind), namespace, reference->name);
    return owner == NULL || !text_equal(owner->meta.uid, reference->uid);
}

/* When none of its owners is there any more. */
static bool collect(const struct controllers *controllers, const struct object *object)
{
    const struct object_meta *meta = &object->meta;
    bool collected = meta->owner_count > 0 && meta->deleting_ms == 0;
    for (size_t i = 0; i < meta->owner_count; i++) {
        collected = collected && is_gone(controllers, meta->namespace, &meta->owners[i]);
    }
    if (collected) {
        api_table_delete_any(controllers->table, object->kind, meta->namespace, meta->name);
    }
    return collected;
}

static bool look_at(const struct controllers *controllers, const struct object *object,
                    bool *provisioned)
{
    switch (object->kind) {
    case KIND_VOLUME:
        return sync_volume(controllers, object) || destroy(controllers, object);
    case KIND_VOLUME_CLAIM:
        if (collect(controllers, object) || let_claim_go(controllers, object) ||
            sync_claim(controllers, object)) {
            return true;
        }
        if (!*provisioned) {
            *provisioned = provision(controllers, object);
            return *provisioned;
        }
        return false;
    case KIND_SECRET:
        return collect(controllers, object);
    case KIND_CLUSTER:
        return adopt(controllers, object);
    default:
        return false;
    }
}

static bool is_controlled(enum object_kind kind)
{
    return kind == KIND_VOLUME || kind == KIND_VOLUME_CLAIM || kind == KIND_SECRET ||
           kind == KIND_CLUSTER;
}

bool controllers_step(struct controllers *controllers)
{
    bool changed = false;
    bool provisioned = false;
    for (size_t i = 0; i < api_table_count(controllers->table); i++) {
        const struct api_entry *entry = api_table_at(controllers->table, i);
        if (is_controlled(entry->kind)) { /* the others are not worth their decoding */
            cleanup_object struct object *object = object_from_text(entry->kind, entry->json);
            changed = look_at(controllers, object, &provisioned) || changed;
        }
    }
    return changed;
}
