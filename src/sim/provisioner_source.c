/* SPDX-License-Identifier: Apache-2.0 */
/* A claim's snapshot is asked for at the server, not in a cache: first the VolumeSnapshot, then the
   content it is bound to. Whatever is wrong with them is an error like any other, tried again for
   ever. */
#include "sim/provisioner_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/amount.h"
#include "sim/value.h"

static bool is_bound_to(const cJSON *content, const struct record *snapshot)
{
    const cJSON *reference = value_at(content, "spec", "volumeSnapshotRef", NULL);
    return value_equal_text(reference, snapshot->uid, "uid", NULL) &&
           value_equal_text(reference, snapshot->namespace, "namespace", NULL) &&
           value_equal_text(reference, snapshot->name, "name", NULL);
}

static bool is_larger(const cJSON *snapshot, const struct record *claim)
{
    int64_t size_milli = 0;
    int64_t request_milli = 0;
    return amount_parse(value_at(snapshot, "status", "restoreSize", NULL), &size_milli) &&
           amount_parse(value_at(claim->value, "spec", "resources", "requests", "storage", NULL),
                        &request_milli) &&
           size_milli > request_milli;
}

static void content_is_there(void *self, const struct outcome *outcome)
{
    struct creation *creation = self;
    const struct record *snapshot = creation->snapshot_record;
    if (!outcome_ok(outcome)) {
        creation_fail(creation, false, "error getting snapshotcontent of snapshot %s: %s",
                      snapshot->name, outcome->message);
        return;
    }
    const cJSON *content = outcome->record->value;
    const char *handle = value_text(content, "status", "snapshotHandle", NULL);
    if (!is_bound_to(content, snapshot)) {
        creation_fail(creation, false,
                      "snapshotcontent %s is bound to a different snapshot than %s",
                      outcome->record->name, snapshot->name);
    } else if (!value_equal_text(content, FSX_DRIVER_NAME, "spec", "driver", NULL)) {
        creation_fail(creation, false, "snapshotcontent %s is of another driver",
                      outcome->record->name);
    } else if (!value_true(snapshot->value, "status", "readyToUse", NULL)) {
        creation_fail(creation, false, "snapshot %s is not Ready", snapshot->name);
    } else if (is_larger(snapshot->value, creation->claim)) {
        creation_fail(creation, false,
                      "requested volume size is less than the size for the source snapshot %s",
                      snapshot->name);
    } else if (handle == NULL) {
        creation_fail(creation, false, "snapshot handle of %s is not available", snapshot->name);
    } else {
        memory_free(creation->snapshot);
        creation->snapshot = memory_copy_text(handle);
        creation_ask(creation);
    }
}

static void snapshot_is_there(void *self, const struct outcome *outcome)
{
    struct creation *creation = self;
    if (!outcome_ok(outcome)) {
        creation_fail(creation, false, "error getting snapshot from api server: %s",
                      outcome->message);
        return;
    }
    const struct record *snapshot = outcome->record;
    const char *content =
        value_text(snapshot->value, "status", "boundVolumeSnapshotContentName", NULL);
    if (value_is_deleting(snapshot->value)) {
        creation_fail(creation, false, "snapshot %s is currently being deleted", snapshot->name);
    } else if (content == NULL) {
        creation_fail(creation, false, "snapshot %s not bound", snapshot->name);
    } else {
        record_release(creation->snapshot_record);
        creation->snapshot_record = record_keep(snapshot);
        caller_get(creation->provisioner->caller, &resource_volume_snapshot_contents, NULL, content,
                   (struct answer){content_is_there, creation});
    }
}

void creation_find_snapshot(struct creation *creation)
{
    const cJSON *spec = value_at(creation->claim->value, "spec", NULL);
    const char *name = value_text(spec, "dataSource", "name", NULL);
    if (name == NULL) {
        name = value_text(spec, "dataSourceRef", "name", NULL);
    }
    caller_get(creation->provisioner->caller, &resource_volume_snapshots,
               creation->claim->namespace, name == NULL ? "" : name,
               (struct answer){snapshot_is_there, creation});
}
