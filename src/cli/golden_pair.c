/* SPDX-License-Identifier: Apache-2.0 */
/* The content comes first: the snapshotter looks for it when it sees the VolumeSnapshot. It writes
   the VolumeSnapshot's uid into a content once and binds it to no other (external-snapshotter
   checkandBindSnapshotContent), so that a content outlives its use when its VolumeSnapshot is
   deleted. Nothing is deleted here: what stands in the way is a person's to judge. */
#include "cli/golden_pair.h"

#include "api/names.h"
#include "base/json.h"
#include "cli/create.h"
#include "cli/explain.h"

enum { TRIES_MAX = 4, PATH_BYTES_MAX = 2 * 1024, BODY_BYTES_MAX = 8 * 1024 };

/* ---- what is there ---- */

/* *out NULL: it is not there. */
static bool look(struct golden_pair *pair, enum object_kind kind, const char *name,
                 struct json_document **out, struct error *error)
{
    cleanup_text struct text path;
    cleanup_text struct text reply;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&reply, CLI_BODY_BYTES_MAX);
    pair->kind = kind;
    kind_path(kind_of(kind), pair->namespace, name, NULL, &path);
    struct request request = {.method = METHOD_GET, .path = path.bytes};
    if (!text_check(&path, "the name", error)) {
        return false;
    }
    if (cli_call(pair->cli, &request, &reply, error)) {
        return json_parse(reply.bytes, reply.length_bytes, out, error);
    }
    return error->class == ERROR_NOT_FOUND && !explain_is_missing_kind(error);
}

struct part {
    const char *what;
    const struct json *seen;
    const char *wanted; /* NULL: any */
};

/* seen NULL: it is not there, and may be made. */
static bool check(const struct json *seen, const char *subject, const struct part *parts,
                  size_t count, struct error *error)
{
    if (seen == NULL) {
        return true;
    }
    if (json_path(seen, "metadata", "deletionTimestamp", NULL) != NULL) {
        return error_set(error, ERROR_EXISTS,
                         "%s is being deleted: run this again when it is gone, or choose another "
                         "NAME",
                         subject);
    }
    for (size_t i = 0; i < count; i++) {
        const char *value = json_text(parts[i].seen);
        if (parts[i].wanted != NULL && !text_equal(value, parts[i].wanted)) {
            return error_set(error, ERROR_EXISTS,
                             "%s exists already, and its %s is %s, not %s: nothing was changed; "
                             "choose another NAME, or correct what is wrong",
                             subject, parts[i].what, value == NULL ? "absent" : value,
                             parts[i].wanted);
        }
    }
    return true;
}

static bool check_content(const struct golden_pair *pair, const struct json *content,
                          struct error *error)
{
    cleanup_text struct text subject;
    text_init(&subject, PATH_BYTES_MAX);
    text_print(&subject, "VolumeSnapshotContent %s", pair->content);
    const struct json *spec = json_member(content, "spec");
    const struct json *reference = json_member(spec, "volumeSnapshotRef");
    const struct part parts[] = {
        {"driver", json_member(spec, "driver"), pair->driver},
        {"snapshotHandle", json_path(spec, "source", "snapshotHandle", NULL), pair->handle},
        {"deletionPolicy", json_member(spec, "deletionPolicy"), "Retain"},
        {"volumeSnapshotRef.namespace", json_member(reference, "namespace"), pair->namespace},
        {"volumeSnapshotRef.name", json_member(reference, "name"), pair->name},
    };
    return check(content, subject.bytes, parts, sizeof(parts) / sizeof(*parts), error);
}

static const struct json *annotation(const struct json *object, const char *name)
{
    return json_path(object, "metadata", "annotations", name, NULL);
}

static bool check_snapshot(const struct golden_pair *pair, const struct json *snapshot,
                           struct error *error)
{
    cleanup_text struct text subject;
    text_init(&subject, PATH_BYTES_MAX);
    text_print(&subject, "VolumeSnapshot %s/%s", pair->namespace, pair->name);
    const char *major = pair->major_version[0] == '\0' ? NULL : pair->major_version;
    const struct part parts[] = {
        {"source.volumeSnapshotContentName",
         json_path(snapshot, "spec", "source", "volumeSnapshotContentName", NULL), pair->content},
        {"annotation " ANNOTATION_SYSTEM_ID, annotation(snapshot, ANNOTATION_SYSTEM_ID),
         pair->system_id},
        {"annotation " ANNOTATION_DATABASE, annotation(snapshot, ANNOTATION_DATABASE),
         pair->database},
        {"annotation " ANNOTATION_OWNER, annotation(snapshot, ANNOTATION_OWNER), pair->owner},
        {"annotation " ANNOTATION_MAJOR_VERSION, annotation(snapshot, ANNOTATION_MAJOR_VERSION),
         major},
    };
    return check(snapshot, subject.bytes, parts, sizeof(parts) / sizeof(*parts), error);
}

/* Both are what they should be, as far as they are there. */
static bool check_binding(const struct golden_pair *pair, const struct json *content,
                          const struct json *snapshot, struct error *error)
{
    const char *bound = json_text(json_path(content, "spec", "volumeSnapshotRef", "uid", NULL));
    const char *uid = json_text(json_path(snapshot, "metadata", "uid", NULL));
    if (bound == NULL || bound[0] == '\0' || text_equal(bound, uid)) {
        return true;
    }
    cleanup_text struct text remedy;
    text_init(&remedy, PATH_BYTES_MAX);
    if (snapshot != NULL) {
        text_print(&remedy, "kubectl delete volumesnapshot -n %s %s; ", pair->namespace,
                   pair->name);
    }
    text_print(&remedy, "kubectl delete volumesnapshotcontent %s", pair->content);
    return error_set(error, ERROR_EXISTS,
                     "VolumeSnapshotContent %s is bound to a VolumeSnapshot %s/%s that was "
                     "deleted, and binds to no other. With its policy Retain the data stays when "
                     "it goes: `%s`, then run this again",
                     pair->content, pair->namespace, pair->name, remedy.bytes);
}

/* ---- making ---- */

static void write_content(const struct golden_pair *pair, struct json_writer *json)
{
    create_begin(json, KIND_SNAPSHOT_CONTENT, NULL, pair->content);
    json_end_object(json);
    json_member_object(json, "spec");
    json_member_string(json, "deletionPolicy", "Retain");
    json_member_string(json, "driver", pair->driver);
    json_member_object(json, "source");
    json_member_string(json, "snapshotHandle", pair->handle);
    json_end_object(json);
    json_member_object(json, "volumeSnapshotRef");
    json_member_string(json, "apiVersion", kind_of(KIND_SNAPSHOT)->api_version);
    json_member_string(json, "kind", kind_of(KIND_SNAPSHOT)->kind);
    json_member_string(json, "namespace", pair->namespace);
    json_member_string(json, "name", pair->name);
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
}

static void write_snapshot(const struct golden_pair *pair, struct json_writer *json)
{
    create_begin(json, KIND_SNAPSHOT, pair->namespace, pair->name);
    json_member_object(json, "annotations");
    json_member_string(json, ANNOTATION_SYSTEM_ID, pair->system_id);
    json_member_string(json, ANNOTATION_DATABASE, pair->database);
    json_member_string(json, ANNOTATION_OWNER, pair->owner);
    json_member_optional(json, ANNOTATION_MAJOR_VERSION,
                         pair->major_version[0] == '\0' ? NULL : pair->major_version);
    json_end_object(json);
    json_end_object(json);
    json_member_object(json, "spec");
    json_member_object(json, "source");
    json_member_string(json, "volumeSnapshotContentName", pair->content);
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
}

static bool post(struct golden_pair *pair, enum object_kind kind, bool dry_run, struct error *error)
{
    cleanup_text struct text body;
    text_init(&body, BODY_BYTES_MAX);
    pair->kind = kind;
    struct json_writer json;
    json_writer_init(&json, &body);
    if (kind == KIND_SNAPSHOT) {
        write_snapshot(pair, &json);
    } else {
        write_content(pair, &json);
    }
    return create_send(pair->cli, kind, pair->namespace, &body, dry_run, NULL, error);
}

static bool make_missing(struct golden_pair *pair, bool content, bool snapshot, struct error *error)
{
    for (int round = 0; round < (pair->dry_run ? 1 : 2); round++) {
        bool dry_run = round == 0;
        if (content && !post(pair, KIND_SNAPSHOT_CONTENT, dry_run, error)) {
            return false;
        }
        if (snapshot && !post(pair, KIND_SNAPSHOT, dry_run, error)) {
            return false;
        }
    }
    return true;
}

/* *out_again: what was seen may not be so any more. */
static bool try_once(struct golden_pair *pair, bool *out_again, struct error *error)
{
    cleanup_json struct json_document *content_document = NULL;
    cleanup_json struct json_document *snapshot_document = NULL;
    *out_again = false;
    if (!look(pair, KIND_SNAPSHOT_CONTENT, pair->content, &content_document, error) ||
        !look(pair, KIND_SNAPSHOT, pair->name, &snapshot_document, error)) {
        return false;
    }
    const struct json *content = content_document == NULL ? NULL : json_root(content_document);
    const struct json *snapshot = snapshot_document == NULL ? NULL : json_root(snapshot_document);
    if (!check_content(pair, content, error) || !check_snapshot(pair, snapshot, error) ||
        !check_binding(pair, content, snapshot, error)) {
        return false;
    }
    pair->existed = content != NULL && snapshot != NULL;
    if (make_missing(pair, content == NULL, snapshot == NULL, error)) {
        return true;
    }
    *out_again = error->class == ERROR_EXISTS || error->class == ERROR_UNKNOWN;
    return false;
}

bool golden_pair_make(struct golden_pair *pair, struct error *error)
{
    bool made = false;
    bool again = true;
    for (int tries = 0; !made && again && tries < TRIES_MAX; tries++) {
        made = try_once(pair, &again, error);
    }
    return made;
}
