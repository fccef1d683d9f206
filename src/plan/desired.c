/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies are written field by field rather than from templates: what is not here is not sent. */
#include "plan/desired.h"

#include "api/kind.h"
#include "api/names.h"
#include "base/timestamp.h"
#include "plan/desired_parts.h"

void desired_begin(struct body *body, enum object_kind kind, const char *namespace,
                   const char *name)
{
    const struct kind *row = kind_of(kind);
    json_begin_object(&body->json);
    json_member_string(&body->json, "apiVersion", row->api_version);
    json_member_string(&body->json, "kind", row->kind);
    json_member_object(&body->json, "metadata");
    json_member_string(&body->json, "name", name);
    json_member_optional(&body->json, "namespace", namespace);
}

void desired_write_at(struct json_writer *json, int64_t wall_ms)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_millis(wall_ms, at);
    json_member_string(json, ANNOTATION_AT, at);
}

static void write_resources(struct json_writer *json, const char *size)
{
    json_member_object(json, "resources");
    json_member_object(json, "requests");
    json_member_string(json, "storage", size);
    json_end_object(json);
    json_end_object(json);
}

static void write_access_modes(struct json_writer *json, const char *const *modes, size_t count)
{
    json_member_array(json, "accessModes");
    for (size_t i = 0; i < count; i++) {
        json_write_string(json, modes[i]);
    }
    json_end_array(json);
}

const char *desired_holding_claim(const struct object *pool_object, const struct golden *golden,
                                  const char *name, struct arena *arena)
{
    const struct pool *pool = pool_object->pool;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_VOLUME_CLAIM, pool_object->meta.namespace, name);
    json_member_object(json, "labels");
    json_member_string(json, LABEL_ROLE, ROLE_HOLDING);
    json_member_string(json, LABEL_POOL, pool_object->meta.name);
    json_member_string(json, LABEL_POOL_UID, pool_object->meta.uid);
    json_end_object(json);
    json_member_object(json, "annotations");
    json_member_string(json, ANNOTATION_GOLDEN, golden->name);
    json_member_string(json, ANNOTATION_GOLDEN_UID, golden->uid);
    json_member_string(json, ANNOTATION_SYSTEM_ID, golden->system_id);
    json_member_string(json, ANNOTATION_DATABASE, golden->database);
    json_member_string(json, ANNOTATION_OWNER, golden->owner);
    json_end_object(json);
    json_end_object(json);
    json_member_object(json, "spec");
    write_access_modes(json, pool->access_modes, pool->access_mode_count);
    json_member_string(json, "storageClassName", pool->storage_class);
    write_resources(json, pool->storage_size);
    json_member_object(json, "dataSource");
    json_member_string(json, "apiGroup", "snapshot.storage.k8s.io");
    json_member_string(json, "kind", "VolumeSnapshot");
    json_member_string(json, "name", golden->name);
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

const char *desired_data_claim_name(const struct object *instance, struct arena *arena)
{
    return arena_print(arena, "%s-1", instance->meta.name);
}

void desired_write_instance_labels(struct json_writer *json, const char *role,
                                   const struct object *instance)
{
    json_member_string(json, LABEL_ROLE, role);
    json_member_string(json, LABEL_INSTANCE, instance->meta.name);
    json_member_string(json, LABEL_INSTANCE_UID, instance->meta.uid);
}

void desired_write_data_labels(struct json_writer *json, const struct object *instance)
{
    desired_write_instance_labels(json, ROLE_DATA, instance);
}

void desired_write_owner(struct json_writer *json, const struct object *owner)
{
    json_begin_object(json);
    json_member_string(json, "apiVersion", kind_of(owner->kind)->api_version);
    json_member_string(json, "kind", kind_of(owner->kind)->kind);
    json_member_string(json, "name", owner->meta.name);
    json_member_string(json, "uid", owner->meta.uid);
    json_end_object(json);
}

const char *desired_data_claim(const struct handoff *handoff, struct arena *arena)
{
    const struct object *instance = handoff->instance;
    const struct pool *pool = handoff->pool->pool;
    const struct volume *volume = handoff->volume == NULL ? NULL : handoff->volume->volume;
    const char *name = desired_data_claim_name(instance, arena);
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_VOLUME_CLAIM, instance->meta.namespace, name);
    json_member_object(json, "labels");
    desired_write_data_labels(json, instance);
    json_member_string(json, CNPG_LABEL_CLUSTER, instance->meta.name);
    json_member_string(json, CNPG_LABEL_INSTANCE_NAME, name);
    json_member_string(json, CNPG_LABEL_PVC_ROLE, CNPG_ROLE_PG_DATA);
    json_member_string(json, CNPG_LABEL_INSTANCE_ROLE, "primary");
    json_member_string(json, CNPG_LABEL_ROLE, "primary");
    json_end_object(json);
    json_member_object(json, "annotations");
    json_member_string(json, CNPG_ANNOTATION_NODE_SERIAL, "1");
    json_member_string(json, CNPG_ANNOTATION_PVC_STATUS, "ready");
    desired_write_at(json, handoff->wall_ms);
    json_end_object(json);
    json_end_object(json);
    json_member_object(json, "spec");
    if (volume != NULL) {
        write_access_modes(json, volume->access_modes, volume->access_mode_count);
    } else {
        write_access_modes(json, pool->access_modes, pool->access_mode_count);
    }
    write_resources(json, volume != NULL ? volume->capacity : pool->storage_size);
    if (pool->order == CLAIM_ORDER_SWAP) {
        json_member_string(json, "storageClassName", NAME_INERT_CLASS);
    } else {
        json_member_string(json, "storageClassName",
                           volume != NULL ? volume->storage_class : pool->storage_class);
        if (handoff->volume != NULL) {
            json_member_string(json, "volumeName", handoff->volume->meta.name);
        }
    }
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

const char *desired_probe(enum object_kind kind, const char *name, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    desired_begin(&body, kind, NULL, name);
    json_end_object(&body.json);
    json_end_object(&body.json);
    return body_end(&body, arena);
}

/* By the volume's annotation, or, for a dry run, by the Pool's own word. CloudNativePG wants both
   names, and "app" is what it would take. */
static const char *name_of(const struct handoff *handoff, const char *annotation, const char *pools)
{
    const char *name =
        handoff->volume == NULL ? pools : object_annotation(handoff->volume, annotation);
    return name == NULL ? "app" : name;
}

const char *desired_database(const struct handoff *handoff)
{
    return name_of(handoff, ANNOTATION_DATABASE, handoff->pool->pool->database);
}

const char *desired_owner(const struct handoff *handoff)
{
    return name_of(handoff, ANNOTATION_OWNER, handoff->pool->pool->owner);
}
