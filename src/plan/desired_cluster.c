/* SPDX-License-Identifier: Apache-2.0 */
/* A Cluster's spec in layers, each over the one before it: our defaults, the Pool's template, what
   the Instance may override, and what nobody may. */
#include "plan/desired.h"

#include "api/names.h"
#include "base/json_merge.h"
#include "base/limits.h"
#include "plan/desired_parts.h"
#include "plan/overrides.h"

/* What a template may change: 1 s probes (the default 10 s cost seconds of a claim), no PDB (it
   blocks the drain of a node for one instance), a short smart shutdown (an open psql would hold
   the volume for minutes). */
static const char cluster_defaults[] =
    "{\"probes\":{\"startup\":{\"periodSeconds\":1,\"failureThreshold\":600},"
    "\"readiness\":{\"periodSeconds\":1}},\"enablePDB\":false,\"smartShutdownTimeout\":1,"
    "\"stopDelay\":30}";

static void write_guard(struct json_writer *json, const struct handoff *handoff,
                        struct arena *arena)
{
    json_member_object(json, "bootstrap");
    json_member_object(json, "recovery");
    json_member_string(json, "database", desired_database(handoff));
    json_member_string(json, "owner", desired_owner(handoff));
    json_member_object(json, "secret");
    json_member_string(json, "name", desired_secret_name(handoff->instance, arena));
    json_end_object(json);
    json_member_object(json, "volumeSnapshots");
    json_member_object(json, "storage");
    json_member_string(json, "apiGroup", "snapshot.storage.k8s.io");
    json_member_string(json, "kind", "VolumeSnapshot");
    json_member_string(json, "name", NAME_GUARD_SNAPSHOT);
    for (int i = 0; i < 4; i++) {
        json_end_object(json);
    }
}

/* What no template may change. */
static const char *forced_spec(const struct handoff *handoff, struct arena *arena)
{
    const struct pool *pool = handoff->pool->pool;
    const struct object *object = handoff->volume;
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_int64(json, "instances", 1);
    json_member_object(json, "storage");
    json_member_string(json, "storageClass",
                       object != NULL ? object->volume->storage_class : pool->storage_class);
    json_member_string(json, "size",
                       object != NULL ? object->volume->capacity : pool->storage_size);
    json_member_bool(json, "resizeInUseVolumes", false);
    json_end_object(json);
    if (pool->bootstrap == BOOTSTRAP_GUARDED) {
        write_guard(json, handoff, arena);
    }
    json_end_object(json);
    return body_end(&body, arena);
}

/* What a clone must not do before it is sanitized: log anybody in but those who sanitize it, follow
   the golden's subscriptions, run its scheduled jobs (pg_cron from 1.5). */
static const char unsanitized_spec[] =
    "{\"enableSuperuserAccess\":true,\"superuserSecret\":null,\"postgresql\":{\"pg_hba\":["
    "\"host all postgres all scram-sha-256\",\"host all all all reject\"],\"parameters\":{"
    "\"max_logical_replication_workers\":\"0\",\"cron.launch_active_jobs\":\"off\"}}}";

/* Each over those before it. */
static bool merge_layers(const char *const *layers, size_t count, struct text *out,
                         struct error *error)
{
    text_init(out, LIMIT_BODY_BYTES);
    text_append(out, cluster_defaults);
    for (size_t i = 0; i < count; i++) {
        struct text below cleanup_text;
        below = *out;
        text_init(out, LIMIT_BODY_BYTES);
        if (!json_merge(below.bytes, layers[i], out, error)) {
            return false;
        }
    }
    return text_check(out, "the Cluster's spec", error);
}

static bool merge_spec(const struct handoff *handoff, struct arena *arena, struct text *out,
                       struct error *error)
{
    const char *const layers[] = {
        handoff->pool->pool->cluster,
        overrides_spec(handoff->instance->instance, arena),
        handoff->unsanitized ? unsanitized_spec : NULL,
        forced_spec(handoff, arena),
    };
    return merge_layers(layers, sizeof(layers) / sizeof(layers[0]), out, error);
}

/* A member of the spec as it would be had it never been otherwise (fallback NULL: not there);
   CloudNativePG's webhook fills its defaults in again. */
static bool put_back(struct body *body, const char *spec, const char *member, const char *fallback,
                     struct error *error)
{
    struct text value cleanup_text;
    bool found = false;
    text_init(&value, LIMIT_BODY_BYTES);
    if (!json_extract(spec, member, &value, &found, error)) {
        return false;
    }
    if (found || fallback != NULL) {
        struct text path cleanup_text;
        text_init(&path, LIMIT_BODY_BYTES);
        text_print(&path, "/spec/%s", member);
        body_operation_raw(body, "add", path.bytes, found ? value.bytes : fallback);
    }
    return true;
}

bool desired_opening(const struct handoff *handoff, struct arena *arena, const char **out_patch,
                     struct error *error)
{
    struct handoff open = *handoff;
    struct text spec cleanup_text;
    struct body body cleanup_body;
    body_init(&body);
    open.unsanitized = false;
    json_begin_array(&body.json);
    const char *path = body_annotation_path(arena, ANNOTATION_SANITIZED);
    body_operation(&body, "test", path, SANITIZED_NO);
    body_operation(&body, "add", path, SANITIZED_YES);
    if (!merge_spec(&open, arena, &spec, error) ||
        !put_back(&body, spec.bytes, "postgresql", "{}", error) ||
        !put_back(&body, spec.bytes, "enableSuperuserAccess", "false", error) ||
        !put_back(&body, spec.bytes, "superuserSecret", NULL, error)) {
        return error_wrap(error, "Pool %s/%s: spec.cluster", handoff->pool->meta.namespace,
                          handoff->pool->meta.name);
    }
    json_end_array(&body.json);
    *out_patch = body_end(&body, arena);
    return true;
}

bool desired_cluster(const struct handoff *handoff, struct arena *arena, const char **out_body,
                     struct error *error)
{
    const struct object *instance = handoff->instance;
    struct text spec cleanup_text;
    if (!merge_spec(handoff, arena, &spec, error)) {
        return error_wrap(error, "Pool %s/%s: spec.cluster", handoff->pool->meta.namespace,
                          handoff->pool->meta.name);
    }
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    desired_begin(&body, KIND_CLUSTER, instance->meta.namespace, instance->meta.name);
    json_member_object(json, "labels");
    for (size_t i = 0; i < instance->instance->cluster_label_count; i++) {
        const struct label *label = &instance->instance->cluster_labels[i];
        json_member_string(json, label->key, label->value);
    }
    desired_write_data_labels(json, instance);
    json_end_object(json);
    json_member_object(json, "annotations");
    json_member_string(json, CNPG_ANNOTATION_SKIP_ARCHIVING, "enabled");
    json_member_optional(json, ANNOTATION_SANITIZED, handoff->unsanitized ? SANITIZED_NO : NULL);
    desired_write_at(json, handoff->wall_ms);
    json_end_object(json);
    json_end_object(json);
    json_member_raw(json, "spec", spec.bytes);
    json_end_object(json);
    *out_body = body_end(&body, arena);
    return true;
}
