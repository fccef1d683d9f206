/* SPDX-License-Identifier: Apache-2.0 */
/* The sidecar: the only one that talks to the driver. A static content is taken at its word, since
   the driver cannot list snapshots. */
#include "sim/snapshotter_state.h"

#include "sim/value.h"

#include <stdio.h>

static const int64_t NANOSECONDS_A_SECOND = 1000000000;

static cJSON *with_status(const struct record *content, const char *handle, int64_t created_ms)
{
    cJSON *value = cJSON_Duplicate(content->value, 1);
    cJSON *status = value_make(value, "status", NULL);
    value_set_text(status, "snapshotHandle", handle);
    value_set_true(status, "readyToUse", true);
    value_set_int64(status, "restoreSize", 0);
    /* A double holds today's nanoseconds only with so many zeros. */
    int64_t created_ns = created_ms / 1000 * NANOSECONDS_A_SECOND;
    value_set(status, "creationTime", cJSON_CreateNumber((double)created_ns));
    return value;
}

static void is_created(void *self, const struct csi_reply *reply)
{
    struct snapshotter_look *look = self;
    look->rpc = NULL;
    if (reply->code != CSI_OK) {
        snapshotter_fail(look, "SnapshotContentCreationFailed", "rpc error: code = %s desc = %s",
                         csi_code_name(reply->code), reply->message);
        return;
    }
    snapshotter_write(look, look->record, "status",
                      with_status(look->record, reply->handle, reply->created_ms));
}

static void make_ready(struct snapshotter_look *look)
{
    const cJSON *spec = value_at(look->record->value, "spec", NULL);
    const char *handle = value_text(spec, "source", "snapshotHandle", NULL);
    const char *volume = value_text(spec, "source", "volumeHandle", NULL);
    const char *uid = value_text(spec, "volumeSnapshotRef", "uid", NULL);
    if (handle != NULL) {
        int64_t now_ms = world_now(look->snapshotter->world).wall_ms;
        snapshotter_write(look, look->record, "status", with_status(look->record, handle, now_ms));
    } else if (volume != NULL) {
        char name[128];
        (void)snprintf(name, sizeof(name), "snapshot-%s", uid);
        look->rpc = fsx_driver_create_snapshot(look->snapshotter->driver, name, volume,
                                               (struct csi_answer){is_created, look});
    } else {
        snapshotter_end(look, true);
    }
}

/* ---- deletion ---- */

static void remove_finalizer(struct snapshotter_look *look)
{
    cJSON *value = snapshotter_with_finalizer(look->record, SNAPSHOTTER_CONTENT_BOUND, false);
    if (value == NULL) {
        snapshotter_end(look, true);
    } else {
        snapshotter_write(look, look->record, NULL, value);
    }
}

static void is_deleted(void *self, const struct csi_reply *reply)
{
    struct snapshotter_look *look = self;
    look->rpc = NULL;
    if (reply->code != CSI_OK) {
        snapshotter_fail(look, "SnapshotDeleteError", "rpc error: code = %s desc = %s",
                         csi_code_name(reply->code), reply->message);
        return;
    }
    remove_finalizer(look);
}

static void delete_snapshot(struct snapshotter_look *look)
{
    const cJSON *content = look->record->value;
    const char *handle = value_text(content, "status", "snapshotHandle", NULL);
    if (handle == NULL) {
        handle = value_text(content, "spec", "source", "snapshotHandle", NULL);
    }
    bool is_bound = value_text(content, "spec", "volumeSnapshotRef", "uid", NULL) != NULL;
    bool is_wanted = !is_bound || value_annotation(content, SNAPSHOTTER_BEING_DELETED) != NULL;
    if (!value_equal_text(content, "Delete", "spec", "deletionPolicy", NULL) || handle == NULL) {
        remove_finalizer(look);
    } else if (is_wanted) {
        look->rpc = fsx_driver_delete_snapshot(look->snapshotter->driver, handle,
                                               (struct csi_answer){is_deleted, look});
    } else {
        snapshotter_end(look, true);
    }
}

void snapshotter_look_at_content(void *self, const char *key)
{
    struct snapshotter *snapshotter = self;
    const struct record *content =
        view_get(snapshotter->view, &resource_volume_snapshot_contents, NULL, key);
    bool is_own = content != NULL &&
                  value_equal_text(content->value, FSX_DRIVER_NAME, "spec", "driver", NULL);
    if (!is_own) {
        workers_done(snapshotter->contents, key);
        return;
    }
    struct snapshotter_look *look =
        snapshotter_begin(snapshotter, snapshotter->contents, key, content);
    if (value_is_deleting(content->value)) {
        delete_snapshot(look);
        return;
    }
    cJSON *finalized = snapshotter_with_finalizer(content, SNAPSHOTTER_CONTENT_BOUND, true);
    bool is_bound = value_text(content->value, "spec", "volumeSnapshotRef", "uid", NULL) != NULL;
    if (finalized != NULL) {
        snapshotter_write(look, content, NULL, finalized);
    } else if (!is_bound || value_true(content->value, "status", "readyToUse", NULL)) {
        snapshotter_end(look, true);
    } else {
        make_ready(look);
    }
}
