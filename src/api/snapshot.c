/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG writes on each VolumeSnapshot what it was taken from: the Cluster as JSON and what
   pg_controldata printed (pkg/reconciler/backup/volumesnapshot, enrichSnapshot). A Pool needs a few
   words of it. They are read here, once, and the rest is not kept. A snapshot that came from
   elsewhere has Adjoint's own annotations instead (adj golden import).

   Both are foreign text that may be cut, edited or absent. What cannot be read there is unknown,
   which the Pool reports; it does not make the snapshot unreadable. */
#include "api/volume.h"

#include "api/field.h"
#include "api/names.h"
#include "base/text.h"

#include <string.h>

#define SYSTEM_ID_LINE "Database system identifier:"
#define STATE_LINE "Database cluster state:"

/* CloudNativePG's defaults for what a manifest leaves out (api/v1/cluster_defaults.go). */
#define DATABASE_DEFAULT "app"

/* What stands behind it in its line, at least so far as `characters` go; NULL: nothing does. */
static const char *read_line(struct json_reader *reader, const char *controldata, const char *name,
                             const char *characters)
{
    const char *line = controldata == NULL ? NULL : strstr(controldata, name);
    if (line == NULL) {
        return NULL;
    }
    const char *value = line + strlen(name);
    value += strspn(value, " \t");
    size_t count = strspn(value, characters);
    return count == 0 ? NULL : arena_copy_bytes(reader->arena, value, count);
}

/* "in archive recovery", "shut down in recovery"; but "in crash recovery" is a primary's. */
static bool is_standby(const char *state)
{
    return text_equal(state, "in archive recovery") || text_equal(state, "shut down in recovery");
}

static bool is_monolithic_import(const struct json *bootstrap)
{
    const struct json *type = json_path(bootstrap, "initdb", "import", "type", NULL);
    return text_equal(json_text(type), "monolith");
}

static void read_bootstrap(struct json_reader *reader, const struct json *spec,
                           struct snapshot *snapshot)
{
    const struct json *bootstrap = json_member(spec, "bootstrap");
    const struct json *method = json_member(bootstrap, "recovery");
    if (method == NULL) {
        method = json_member(bootstrap, "pg_basebackup");
    }
    bool imported = method == NULL && is_monolithic_import(bootstrap);
    if (method == NULL) {
        method = json_member(bootstrap, "initdb");
    }
    const char *database = json_text(json_member(method, "database"));
    const char *owner = json_text(json_member(method, "owner"));
    if (database == NULL || database[0] == '\0') {
        database = imported ? NULL : DATABASE_DEFAULT;
    }
    if (owner == NULL || owner[0] == '\0') {
        owner = database;
    }
    snapshot->database = arena_copy(reader->arena, database);
    snapshot->owner = arena_copy(reader->arena, owner);
}

/* What the Cluster says of what may be in its database: subscriptions and foreign servers need the
   first, subscribers' slots the second. That slots are synchronized to replicas says nothing: it is
   CloudNativePG's default (spec.replicationSlots.synchronizeReplicas). */
static void read_hazards(const struct json *spec, struct snapshot *snapshot)
{
    const struct json *slots = json_member(spec, "replicationSlots");
    struct json_reader ignored;
    struct arena arena;
    arena_init(&arena, 0);
    json_reader_init(&ignored, &arena);
    snapshot->external_clusters = json_count(json_member(spec, "externalClusters")) > 0;
    snapshot->logical_slots = json_bool(&ignored, json_member(slots, "highAvailability"),
                                        "synchronizeLogicalDecoding", false);
    const struct json *libraries = json_path(spec, "postgresql", "shared_preload_libraries", NULL);
    for (const struct json *at = json_first(libraries); at != NULL; at = json_next(at)) {
        snapshot->scheduled_jobs = snapshot->scheduled_jobs || text_equal(json_text(at), "pg_cron");
    }
    arena_release(&arena);
}

static void read_manifest(struct json_reader *reader, const char *manifest,
                          struct snapshot *snapshot)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (manifest == NULL || !json_parse(manifest, strlen(manifest), &document, &error)) {
        return;
    }
    const struct json *spec = json_member(json_root(document), "spec");
    if (!json_is_object(spec)) {
        return;
    }
    read_bootstrap(reader, spec, snapshot);
    read_hazards(spec, snapshot);
    snapshot->postgres = postgres_of_cluster(reader, spec);
    snapshot->storage_class =
        arena_copy(reader->arena, json_text(json_path(spec, "storage", "storageClass", NULL)));
    snapshot->more_volumes =
        json_member(spec, "walStorage") != NULL || json_count(json_member(spec, "tablespaces")) > 0;
}

static void read_controldata(struct json_reader *reader, const char *controldata,
                             struct snapshot *snapshot)
{
    static const char digits[] = "0123456789";
    static const char words[] = "abcdefghijklmnopqrstuvwxyz ";
    snapshot->system_id = read_line(reader, controldata, SYSTEM_ID_LINE, digits);
    snapshot->from_standby = is_standby(read_line(reader, controldata, STATE_LINE, words));
    postgres_add_controldata(&snapshot->postgres, controldata);
}

static void take_annotation(const struct object *object, const char *annotation, const char **value)
{
    const char *said = object_annotation(object, annotation);
    *value = said != NULL ? said : *value;
}

static void read_major(const char *text, struct snapshot *snapshot)
{
    int64_t major = 0;
    struct error error;
    if (text != NULL && text_parse_int64(text, &major, &error)) {
        snapshot->postgres.major = major;
    }
}

void snapshot_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct snapshot *snapshot = arena_new(reader->arena, 1, sizeof(*snapshot));
    const struct json *status = field_object(reader, root, "status");
    snapshot->ready = json_bool(reader, status, "readyToUse", false);
    snapshot->taken_ms = field_time(reader, status, "creationTime");
    snapshot->content = json_string(reader, status, "boundVolumeSnapshotContentName");
    snapshot->failure = json_string(reader, field_object(reader, status, "error"), "message");
    snapshot->pvc_role = object_label(object, CNPG_LABEL_PVC_ROLE);
    snapshot->postgres = postgres_of_cluster(reader, NULL);

    const struct json *annotations = json_path(root, "metadata", "annotations", NULL);
    read_manifest(reader, json_text(json_member(annotations, CNPG_ANNOTATION_MANIFEST)), snapshot);
    read_controldata(reader, json_text(json_member(annotations, CNPG_ANNOTATION_CONTROLDATA)),
                     snapshot);
    read_major(object_label(object, CNPG_LABEL_MAJOR_VERSION), snapshot);
    read_major(object_annotation(object, ANNOTATION_MAJOR_VERSION), snapshot);
    take_annotation(object, ANNOTATION_SYSTEM_ID, &snapshot->system_id);
    take_annotation(object, ANNOTATION_DATABASE, &snapshot->database);
    take_annotation(object, ANNOTATION_OWNER, &snapshot->owner);
    object->snapshot = snapshot;
}

/* A static content names its handle in spec, one that a driver made in status. */
void snapshot_content_decode(struct json_reader *reader, const struct json *root,
                             struct object *object)
{
    struct snapshot_content *content = arena_new(reader->arena, 1, sizeof(*content));
    const struct json *spec = field_object(reader, root, "spec");
    const struct json *status = field_object(reader, root, "status");
    content->driver = field_string(reader, spec, "driver");
    const struct json *source = field_object(reader, spec, "source");
    content->volume_handle = json_string(reader, source, "volumeHandle");
    content->handle = json_string(reader, status, "snapshotHandle");
    if (content->handle == NULL) {
        content->handle = json_string(reader, source, "snapshotHandle");
    }
    object->snapshot_content = content;
}
