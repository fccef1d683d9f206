/* SPDX-License-Identifier: Apache-2.0 */
/* json-patch details these rely on (evanphx/json-patch v4 in kube-apiserver): `test` with null
   passes on a missing key, `add` needs the parent map, a failed test is a 422. */
#include "plan/volume_patch.h"

#include "api/names.h"
#include "base/timestamp.h"
#include "plan/body.h"

#include <assert.h>

#define PATH_POLICY "/spec/persistentVolumeReclaimPolicy"
#define PATH_CLAIM "/spec/claimRef"
#define PATH_CLAIM_UID "/spec/claimRef/uid"
#define PATH_PHASE "/status/phase"

static const char *const pool_annotations[] = {ANNOTATION_GOLDEN, ANNOTATION_GOLDEN_UID,
                                               ANNOTATION_SYSTEM_ID, ANNOTATION_DATABASE,
                                               ANNOTATION_OWNER};

const char *volume_patch_warm(const struct object *volume, const struct object *holding,
                              const struct object *pool, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "metadata");
    json_member_string(json, "resourceVersion", volume->meta.resource_version);
    json_member_object(json, "labels");
    json_member_string(json, LABEL_STATE, STATE_WARM);
    json_member_string(json, LABEL_POOL, pool->meta.name);
    json_member_string(json, LABEL_POOL_NAMESPACE, pool->meta.namespace);
    json_member_string(json, LABEL_POOL_UID, pool->meta.uid);
    json_end_object(json);
    json_member_object(json, "annotations");
    for (size_t i = 0; i < sizeof pool_annotations / sizeof *pool_annotations; i++) {
        json_member_optional(json, pool_annotations[i],
                             object_annotation(holding, pool_annotations[i]));
    }
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

static void patch_begin(struct body *body)
{
    body_init(body);
    json_begin_array(&body->json);
}

static const char *patch_end(struct body *body, struct arena *arena)
{
    json_end_array(&body->json);
    return body_end(body, arena);
}

static void test_state(struct body *body, struct arena *arena, const char *state)
{
    body_operation(body, "test", body_label_path(arena, LABEL_STATE), state);
    body_operation_raw(body, "test", "/metadata/deletionTimestamp", "null");
}

static void set_state(struct body *body, struct arena *arena, const char *state)
{
    body_operation(body, "replace", body_label_path(arena, LABEL_STATE), state);
}

/* Since when it is what it becomes. */
static void set_at(struct body *body, struct arena *arena, int64_t wall_ms)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_millis(wall_ms, at);
    body_operation(body, "add", body_annotation_path(arena, ANNOTATION_AT), at);
}

static void test_claim_as_seen(struct body *body, const struct volume *volume)
{
    if (volume->claim_uid != NULL) {
        body_operation(body, "test", PATH_CLAIM_UID, volume->claim_uid);
    } else if (volume->claim_name == NULL) {
        body_operation_raw(body, "test", PATH_CLAIM, "null");
    } else {
        body_operation_raw(body, "test", PATH_CLAIM_UID, "null");
    }
}

const char *volume_patch_retire(const struct object *volume, int64_t wall_ms, struct arena *arena)
{
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_WARM);
    test_claim_as_seen(&body, volume->volume);
    set_state(&body, arena, STATE_RETIRING);
    set_at(&body, arena, wall_ms);
    body_operation(&body, "replace", PATH_POLICY, "Delete");
    return patch_end(&body, arena);
}

/* A claimRef that names a PVC; uid NULL: by name alone. */
static const char *claim_reference(const struct volume_claimant *claimant, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_string(json, "apiVersion", "v1");
    json_member_string(json, "kind", "PersistentVolumeClaim");
    json_member_string(json, "namespace", claimant->instance->meta.namespace);
    json_member_string(json, "name", claimant->claim_name);
    json_member_optional(json, "uid", claimant->claim_uid);
    json_end_object(json);
    return body_end(&body, arena);
}

static const char *deletion_policy_name(const struct instance *instance)
{
    return instance->deletion_policy == DELETION_RETAIN ? "Retain" : "Delete";
}

static void set_owner(struct body *body, const struct object *instance, struct arena *arena)
{
    body_operation(body, "add", body_label_path(arena, LABEL_INSTANCE), instance->meta.name);
    body_operation(body, "add", body_label_path(arena, LABEL_INSTANCE_NAMESPACE),
                   instance->meta.namespace);
    body_operation(body, "add", body_label_path(arena, LABEL_INSTANCE_UID), instance->meta.uid);
}

static void remove_owner(struct body *body, const struct object *volume, struct arena *arena)
{
    static const char *const labels[] = {LABEL_INSTANCE, LABEL_INSTANCE_NAMESPACE,
                                         LABEL_INSTANCE_UID};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (object_label(volume, labels[i]) != NULL) {
            body_operation_raw(body, "remove", body_label_path(arena, labels[i]), "null");
        }
    }
}

static void set_claimant(struct body *body, const struct volume_claimant *claimant,
                         struct arena *arena)
{
    const struct object *instance = claimant->instance;
    set_owner(body, instance, arena);
    body_operation(body, "add", body_annotation_path(arena, ANNOTATION_DELETION_POLICY),
                   deletion_policy_name(instance->instance));
    if (claimant->claim_uid != NULL) {
        body_operation(body, "add", body_annotation_path(arena, ANNOTATION_DATA_CLAIM_UID),
                       claimant->claim_uid);
    }
    set_at(body, arena, claimant->wall_ms);
    body_operation(body, "replace", PATH_POLICY, "Retain");
    body_operation_raw(body, "replace", PATH_CLAIM, claim_reference(claimant, arena));
}

static void test_offer(struct body *body, const char *offer, struct arena *arena)
{
    const char *path = body_annotation_path(arena, ANNOTATION_OFFER);
    if (offer == NULL) {
        body_operation_raw(body, "test", path, "null");
    } else {
        body_operation(body, "test", path, offer);
    }
}

static void test_owner(struct body *body, const struct object *volume, struct arena *arena)
{
    body_operation(body, "test", body_label_path(arena, LABEL_INSTANCE_UID),
                   object_label(volume, LABEL_INSTANCE_UID));
}

const char *volume_patch_claim(const struct object *volume, const struct volume_claimant *claimant,
                               struct arena *arena)
{
    bool reserved = volume->volume->state == VOLUME_STATE_RESERVED;
    assert((reserved || volume->volume->state == VOLUME_STATE_WARM) &&
           claimant->holding_uid != NULL);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, reserved ? STATE_RESERVED : STATE_WARM);
    if (reserved) {
        test_owner(&body, volume, arena);
    }
    body_operation(&body, "test", PATH_PHASE, "Bound");
    body_operation(&body, "test", PATH_CLAIM_UID, claimant->holding_uid);
    test_offer(&body, claimant->offer, arena);
    set_state(&body, arena, STATE_CLAIMED);
    body_operation(&body, "add", body_annotation_path(arena, ANNOTATION_HOLDING_UID),
                   claimant->holding_uid);
    set_claimant(&body, claimant, arena);
    return patch_end(&body, arena);
}

static void offer_anew(struct body *body, const struct object *volume, struct arena *arena)
{
    body_operation(body, "add", body_annotation_path(arena, ANNOTATION_OFFER),
                   volume->meta.resource_version);
}

const char *volume_patch_withdraw(const struct object *volume, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "metadata");
    json_member_string(json, "resourceVersion", volume->meta.resource_version);
    json_member_object(json, "annotations");
    json_member_string(json, ANNOTATION_OFFER, volume->meta.resource_version);
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

const char *volume_patch_reserve(const struct object *volume, const struct object *instance,
                                 struct arena *arena)
{
    assert(volume->volume->state == VOLUME_STATE_WARM && volume->volume->claim_uid != NULL);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_WARM);
    body_operation(&body, "test", PATH_PHASE, "Bound");
    test_claim_as_seen(&body, volume->volume);
    set_state(&body, arena, STATE_RESERVED);
    set_owner(&body, instance, arena);
    return patch_end(&body, arena);
}

const char *volume_patch_return(const struct object *volume, struct arena *arena)
{
    assert(volume->volume->state == VOLUME_STATE_RESERVED);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_RESERVED);
    test_owner(&body, volume, arena);
    set_state(&body, arena, STATE_WARM);
    remove_owner(&body, volume, arena);
    offer_anew(&body, volume, arena);
    return patch_end(&body, arena);
}

const char *volume_patch_swap_back(const struct object *volume, const struct object *holding,
                                   struct arena *arena)
{
    static const char *const annotations[] = {ANNOTATION_DELETION_POLICY, ANNOTATION_DATA_CLAIM_UID,
                                              ANNOTATION_HOLDING_UID, ANNOTATION_AT};
    struct volume_claimant holder = {
        .instance = holding, .claim_name = holding->meta.name, .claim_uid = holding->meta.uid};
    assert(volume->volume->state == VOLUME_STATE_CLAIMED);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    test_claim_as_seen(&body, volume->volume);
    set_state(&body, arena, STATE_WARM);
    remove_owner(&body, volume, arena);
    offer_anew(&body, volume, arena);
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++) {
        if (object_annotation(volume, annotations[i]) != NULL) {
            body_operation_raw(&body, "remove", body_annotation_path(arena, annotations[i]),
                               "null");
        }
    }
    body_operation_raw(&body, "replace", PATH_CLAIM, claim_reference(&holder, arena));
    return patch_end(&body, arena);
}

const char *volume_patch_adopt(const struct object *volume, const struct volume_claimant *claimant,
                               struct arena *arena)
{
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    test_claim_as_seen(&body, volume->volume);
    body_operation(&body, "test", PATH_PHASE, volume_phase_name(volume->volume->phase));
    set_claimant(&body, claimant, arena);
    return patch_end(&body, arena);
}

const char *volume_patch_dispose(const struct object *volume, int64_t wall_ms, struct arena *arena)
{
    assert(volume->volume->claim_uid != NULL);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    body_operation(&body, "test", PATH_PHASE, "Released");
    body_operation(&body, "test", PATH_CLAIM_UID, volume->volume->claim_uid);
    set_state(&body, arena, STATE_DISPOSING);
    set_at(&body, arena, wall_ms);
    body_operation(&body, "replace", PATH_POLICY, "Delete");
    return patch_end(&body, arena);
}

const char *volume_patch_expel(const struct object *volume, struct arena *arena)
{
    const char *namespace = object_label(volume, LABEL_INSTANCE_NAMESPACE);
    const char *name = object_label(volume, LABEL_INSTANCE);
    struct object instance = {.kind = KIND_INSTANCE};
    instance.meta.namespace = namespace == NULL ? "default" : namespace;
    struct volume_claimant nobody = {.instance = &instance,
                                     .claim_name =
                                         arena_print(arena, "%s-1", name == NULL ? "nobody" : name),
                                     .claim_uid = object_label(volume, LABEL_INSTANCE_UID)};
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    test_claim_as_seen(&body, volume->volume);
    body_operation(&body, "replace", PATH_POLICY, "Retain");
    body_operation_raw(&body, "add", PATH_CLAIM, claim_reference(&nobody, arena));
    return patch_end(&body, arena);
}

const char *volume_patch_forget(const struct object *volume, struct arena *arena)
{
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    body_operation(&body, "replace", PATH_POLICY, "Retain");
    const struct label *label;
    size_t at = 0;
    while ((label = object_next_label(volume, &at)) != NULL) {
        if (text_starts_with(label->key, NAME_GROUP "/")) {
            body_operation_raw(&body, "remove", body_label_path(arena, label->key), "null");
        }
    }
    at = 0;
    while ((label = object_next_annotation(volume, &at)) != NULL) {
        if (text_starts_with(label->key, NAME_GROUP "/")) {
            body_operation_raw(&body, "remove", body_annotation_path(arena, label->key), "null");
        }
    }
    return patch_end(&body, arena);
}

const char *volume_patch_relabel(const struct object *volume, const struct object *instance,
                                 const struct object *pool, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "metadata");
    json_member_string(json, "resourceVersion", volume->meta.resource_version);
    json_member_object(json, "labels");
    json_member_string(json, LABEL_STATE, STATE_CLAIMED);
    json_member_string(json, LABEL_INSTANCE, instance->meta.name);
    json_member_string(json, LABEL_INSTANCE_NAMESPACE, instance->meta.namespace);
    json_member_string(json, LABEL_INSTANCE_UID, instance->meta.uid);
    if (pool != NULL) {
        json_member_string(json, LABEL_POOL, pool->meta.name);
        json_member_string(json, LABEL_POOL_NAMESPACE, pool->meta.namespace);
        json_member_string(json, LABEL_POOL_UID, pool->meta.uid);
    }
    json_end_object(json);
    json_end_object(json);
    json_member_object(json, "spec");
    json_member_string(json, "persistentVolumeReclaimPolicy", "Retain");
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

const char *volume_patch_keep(const struct object *volume, const struct instance *instance,
                              struct arena *arena)
{
    assert(volume->volume->state == VOLUME_STATE_CLAIMED);
    struct body body cleanup_body;
    patch_begin(&body);
    test_state(&body, arena, STATE_CLAIMED);
    test_owner(&body, volume, arena);
    body_operation(&body, "replace", PATH_POLICY, "Retain");
    body_operation(&body, "add", body_annotation_path(arena, ANNOTATION_DELETION_POLICY),
                   deletion_policy_name(instance));
    return patch_end(&body, arena);
}

const char *volume_patch_delete(const struct object *volume, struct arena *arena)
{
    assert(volume->volume->state == VOLUME_STATE_RETIRING ||
           volume->volume->state == VOLUME_STATE_DISPOSING);
    struct body body cleanup_body;
    patch_begin(&body);
    body_operation(&body, "test", body_label_path(arena, LABEL_STATE),
                   object_label(volume, LABEL_STATE));
    test_claim_as_seen(&body, volume->volume);
    body_operation(&body, "replace", PATH_POLICY, "Delete");
    return patch_end(&body, arena);
}
