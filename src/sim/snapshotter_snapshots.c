/* SPDX-License-Identifier: Apache-2.0 */
/* The controller: it binds VolumeSnapshots to contents, makes contents for those that are taken of
   a claim, and lets a VolumeSnapshot go when its content is gone or is to stay. */
#include "sim/snapshotter_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

static const double NANOSECONDS_A_MS = 1000 * 1000;

enum { NAME_BYTES = 320, SOURCE_IS_USED_MS = 5 * 1000 };

static const char *claim_of(const struct record *snapshot)
{
    return value_text(snapshot->value, "spec", "source", "persistentVolumeClaimName", NULL);
}

static const struct record *find_content(const struct snapshotter *snapshotter,
                                         const struct record *snapshot)
{
    char name[NAME_BYTES];
    const char *given =
        value_text(snapshot->value, "spec", "source", "volumeSnapshotContentName", NULL);
    (void)snprintf(name, sizeof(name), "snapcontent-%s", snapshot->uid);
    return view_get(snapshotter->view, &resource_volume_snapshot_contents, NULL,
                    given != NULL ? given : name);
}

/* ---- deletion ---- */

/* A claim that waits for its volume and is to be a copy of it. */
static bool is_source_of_pending_claim(const struct snapshotter *snapshotter,
                                       const struct record *snapshot)
{
    const struct record *claim = NULL;
    while ((claim = view_next(snapshotter->view, &resource_persistent_volume_claims,
                              snapshot->namespace, claim)) != NULL) {
        const cJSON *source = value_at(claim->value, "spec", "dataSource", NULL);
        if (value_equal_text(source, "VolumeSnapshot", "kind", NULL) &&
            value_equal_text(source, snapshot->name, "name", NULL) &&
            value_equal_text(claim->value, "Pending", "status", "phase", NULL)) {
            return true;
        }
    }
    return false;
}

static void let_go(struct snapshotter_look *look)
{
    cJSON *value = snapshotter_with_finalizer(look->record, SNAPSHOTTER_AS_SOURCE, false);
    if (value == NULL) {
        value = snapshotter_with_finalizer(look->record, SNAPSHOTTER_BOUND, false);
    }
    if (value == NULL) {
        snapshotter_end(look, true);
    } else {
        snapshotter_write(look, look->record, NULL, value);
    }
}

static void delete_content(struct snapshotter_look *look, const struct record *content)
{
    if (value_annotation(content->value, SNAPSHOTTER_BEING_DELETED) == NULL) {
        cJSON *value = cJSON_Duplicate(content->value, 1);
        value_set_text(value_make(value, "metadata", "annotations", NULL),
                       SNAPSHOTTER_BEING_DELETED, "yes");
        snapshotter_write(look, content, NULL, value);
    } else if (!value_is_deleting(content->value)) {
        snapshotter_delete(look, content);
    } else {
        snapshotter_end(look, true);
    }
}

static void delete_snapshot(struct snapshotter_look *look)
{
    const struct record *content = find_content(look->snapshotter, look->record);
    bool is_ours = content != NULL && value_equal_text(content->value, look->record->uid, "spec",
                                                       "volumeSnapshotRef", "uid", NULL);
    if (is_source_of_pending_claim(look->snapshotter, look->record)) {
        workers_add_after(look->workers, look->key, SOURCE_IS_USED_MS);
        snapshotter_end(look, true);
    } else if (is_ours &&
               value_equal_text(content->value, "Delete", "spec", "deletionPolicy", NULL)) {
        delete_content(look, content);
    } else {
        let_go(look);
    }
}

/* ---- a content for it ---- */

static const struct record *class_of(const struct snapshotter_look *look)
{
    const char *name = value_text(look->record->value, "spec", "volumeSnapshotClassName", NULL);
    return name == NULL
               ? NULL
               : view_get(look->snapshotter->view, &resource_volume_snapshot_classes, NULL, name);
}

static const struct record *bound_volume_of(const struct snapshotter *snapshotter,
                                            const struct record *claim)
{
    const char *name = value_text(claim->value, "spec", "volumeName", NULL);
    bool is_bound = value_equal_text(claim->value, "Bound", "status", "phase", NULL);
    return name == NULL || !is_bound
               ? NULL
               : view_get(snapshotter->view, &resource_persistent_volumes, NULL, name);
}

static cJSON *build_content(const struct record *snapshot, const struct record *class,
                            const char *volume_handle)
{
    return draft("{'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshotContent',"
                 "'metadata':{'name':'snapcontent-$1','finalizers':['" SNAPSHOTTER_CONTENT_BOUND
                 "']},'spec':{'deletionPolicy':'$2','driver':'$3','source':{'volumeHandle':'$4'},"
                 "'volumeSnapshotClassName':'$5','volumeSnapshotRef':{"
                 "'apiVersion':'snapshot.storage.k8s.io/v1','kind':'VolumeSnapshot',"
                 "'namespace':'$6','name':'$7','uid':'$1','resourceVersion':'$8'}}}",
                 snapshot->uid, value_text(class->value, "deletionPolicy", NULL),
                 value_text(class->value, "driver", NULL), volume_handle, class->name,
                 snapshot->namespace, snapshot->name,
                 value_text(snapshot->value, "metadata", "resourceVersion", NULL), NULL);
}

static void make_content(struct snapshotter_look *look)
{
    const struct snapshotter *snapshotter = look->snapshotter;
    const struct record *snapshot = look->record;
    const char *claim_name = claim_of(snapshot);
    const struct record *class = class_of(look);
    const struct record *claim =
        claim_name == NULL ? NULL
                           : view_get(snapshotter->view, &resource_persistent_volume_claims,
                                      snapshot->namespace, claim_name);
    const struct record *volume = claim == NULL ? NULL : bound_volume_of(snapshotter, claim);
    const char *handle =
        volume == NULL ? NULL : value_text(volume->value, "spec", "csi", "volumeHandle", NULL);
    if (claim_name == NULL) {
        snapshotter_fail(look, "SnapshotContentMissing", "VolumeSnapshotContent is missing");
    } else if (class == NULL) {
        snapshotter_fail(look, "GetSnapshotClassFailed", "cannot find the snapshot's class");
    } else if (handle == NULL) {
        snapshotter_fail(look, "SnapshotContentCreationFailed",
                         "the PVC %s is not yet bound to a PV, will not attempt to take a snapshot",
                         claim_name);
    } else {
        cJSON *protected = snapshotter_with_finalizer(claim, SNAPSHOTTER_CLAIM_AS_SOURCE, true);
        if (protected != NULL) {
            /* Nothing of the snapshot itself changes by this: look again. */
            workers_add(look->workers, look->key);
            snapshotter_write(look, claim, NULL, protected);
            return;
        }
        snapshotter_create(look, &resource_volume_snapshot_contents,
                           build_content(snapshot, class, handle));
    }
}

/* ---- binding and status ---- */

static bool names(const cJSON *reference, const struct record *snapshot)
{
    const char *uid = value_text(reference, "uid", NULL);
    return value_equal_text(reference, snapshot->namespace, "namespace", NULL) &&
           value_equal_text(reference, snapshot->name, "name", NULL) &&
           (uid == NULL || uid[0] == '\0' || strcmp(uid, snapshot->uid) == 0);
}

static void write_status(struct snapshotter_look *look, const struct record *content)
{
    const cJSON *made = value_at(content->value, "status", NULL);
    cJSON *value = cJSON_Duplicate(look->record->value, 1);
    cJSON *status = value_make(value, "status", NULL);
    value_set_text(status, "boundVolumeSnapshotContentName", content->name);
    value_set_true(status, "readyToUse", value_true(made, "readyToUse", NULL));
    const cJSON *created = value_member(made, "creationTime");
    if (cJSON_IsNumber(created)) {
        char at[TIMESTAMP_BYTES];
        timestamp_format_seconds((int64_t)(created->valuedouble / NANOSECONDS_A_MS), at);
        value_set_text(status, "creationTime", at);
        value_set_text(status, "restoreSize", "0");
    }
    if (value_equal(value, look->record->value)) {
        cJSON_Delete(value);
        snapshotter_end(look, true);
        return;
    }
    snapshotter_write(look, look->record, "status", value);
}

static bool is_ready(const struct record *snapshot)
{
    return value_true(snapshot->value, "status", "readyToUse", NULL);
}

/* The claim was protected while the snapshot of it was made. */
static void let_claim_go(struct snapshotter_look *look)
{
    const struct record *snapshot = look->record;
    const char *name = claim_of(snapshot);
    const struct record *claim =
        name == NULL ? NULL
                     : view_get(look->snapshotter->view, &resource_persistent_volume_claims,
                                snapshot->namespace, name);
    cJSON *value = claim == NULL
                       ? NULL
                       : snapshotter_with_finalizer(claim, SNAPSHOTTER_CLAIM_AS_SOURCE, false);
    if (value == NULL) {
        snapshotter_end(look, true);
    } else {
        snapshotter_write(look, claim, NULL, value);
    }
}

static void bind(struct snapshotter_look *look, const struct record *content)
{
    const struct record *snapshot = look->record;
    const cJSON *reference = value_at(content->value, "spec", "volumeSnapshotRef", NULL);
    if (!names(reference, snapshot)) {
        snapshotter_fail(look, "SnapshotContentMisbound",
                         "VolumeSnapshotContent [%s] is bound to a different snapshot",
                         content->name);
    } else if (!value_equal_text(reference, snapshot->uid, "uid", NULL)) {
        cJSON *value = cJSON_Duplicate(content->value, 1);
        value_set_text(value_at(value, "spec", "volumeSnapshotRef", NULL), "uid", snapshot->uid);
        snapshotter_write(look, content, NULL, value);
    } else {
        write_status(look, content);
    }
}

void snapshotter_look_at_snapshot(void *self, const char *key)
{
    struct snapshotter *snapshotter = self;
    char *namespace cleanup_memory = memory_copy_text(key);
    char *name = strchr(namespace, '/');
    *name++ = '\0';
    const struct record *snapshot =
        view_get(snapshotter->view, &resource_volume_snapshots, namespace, name);
    if (snapshot == NULL) {
        workers_done(snapshotter->snapshots, key);
        return;
    }
    struct snapshotter_look *look =
        snapshotter_begin(snapshotter, snapshotter->snapshots, key, snapshot);
    if (value_is_deleting(snapshot->value)) {
        delete_snapshot(look);
        return;
    }
    cJSON *finalized = snapshotter_with_finalizer(snapshot, SNAPSHOTTER_AS_SOURCE, true);
    if (finalized == NULL) {
        finalized = snapshotter_with_finalizer(snapshot, SNAPSHOTTER_BOUND, true);
    }
    const struct record *content = find_content(snapshotter, snapshot);
    if (finalized != NULL) {
        snapshotter_write(look, snapshot, NULL, finalized);
    } else if (is_ready(snapshot)) {
        let_claim_go(look);
    } else if (content == NULL) {
        make_content(look);
    } else {
        bind(look, content);
    }
}
