/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG writes on each VolumeSnapshot what it was taken from: the Cluster as JSON and what
   pg_controldata printed (pkg/reconciler/backup/volumesnapshot, enrichSnapshot). A Pool needs five
   words of it. They are read here, once, and the rest is not kept.

   Both are foreign text that may be cut, edited or absent. What cannot be read there is unknown,
   which the Pool reports; it does not make the snapshot unreadable. */
#include "api/volume.h"

#include "api/field.h"
#include "api/names.h"
#include "base/text.h"

#include <string.h>

#define SYSTEM_ID_LINE "Database system identifier:"

/* CloudNativePG's defaults for what a manifest leaves out (api/v1/cluster_defaults.go). */
#define DATABASE_DEFAULT "app"

static const char *read_system_id(struct json_reader *reader, const char *controldata)
{
    const char *line = controldata == NULL ? NULL : strstr(controldata, SYSTEM_ID_LINE);
    if (line == NULL) {
        return NULL;
    }
    const char *value = line + strlen(SYSTEM_ID_LINE);
    value += strspn(value, " \t");
    size_t digits = strspn(value, "0123456789");
    return digits == 0 ? NULL : arena_copy_bytes(reader->arena, value, digits);
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
    snapshot->more_volumes =
        json_member(spec, "walStorage") != NULL || json_count(json_member(spec, "tablespaces")) > 0;
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
    snapshot->major_version = object_label(object, CNPG_LABEL_MAJOR_VERSION);

    const struct json *annotations = json_path(root, "metadata", "annotations", NULL);
    const struct json *controldata = json_member(annotations, CNPG_ANNOTATION_CONTROLDATA);
    const struct json *manifest = json_member(annotations, CNPG_ANNOTATION_MANIFEST);
    snapshot->system_id = read_system_id(reader, json_text(controldata));
    read_manifest(reader, json_text(manifest), snapshot);
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
