/* SPDX-License-Identifier: Apache-2.0 */
/* What is deleted is decided from one version of the PersistentVolume in the cache, however old:
   Released, and Delete. Neither its claimRef nor the claim is looked at, nor the server asked. */
#include "sim/provisioner_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/binder_objects.h"
#include "sim/draft.h"
#include "sim/value.h"

void deletion_free(struct deletion *deletion)
{
    if (deletion->previous == NULL) {
        deletion->provisioner->first_deletion = deletion->next;
    } else {
        deletion->previous->next = deletion->next;
    }
    if (deletion->next != NULL) {
        deletion->next->previous = deletion->previous;
    }
    if (deletion->rpc != NULL) {
        csi_call_leave(deletion->rpc);
    }
    world_cancel(deletion->provisioner->world, deletion->deadline);
    record_release(deletion->volume);
    memory_free(deletion);
}

static void is_over(struct deletion *deletion, bool is_ok)
{
    struct workers *volumes = deletion->provisioner->volumes;
    if (is_ok) {
        workers_done(volumes, deletion->key);
    } else {
        workers_failed(volumes, deletion->key);
    }
    deletion_free(deletion);
}

/* Without a resourceVersion: whatever the version, the finalizer is then on it, or not. */
static void patch_finalizer(struct deletion *deletion, const char *shape,
                            void (*done)(void *self, const struct outcome *outcome))
{
    caller_patch(deletion->provisioner->caller, deletion->volume, NULL, PATCH_STRATEGIC,
                 draft(shape, PROVISIONER_FINALIZER, NULL), (struct answer){done, deletion});
}

static const char ADD[] = "{'metadata':{'finalizers':['$1']}}";
static const char REMOVE[] = "{'metadata':{'$deleteFromPrimitiveList/finalizers':['$1']}}";

/* ---- DeleteVolume, the object, the finalizer ---- */

static void finalizer_is_removed(void *self, const struct outcome *outcome)
{
    is_over(self, outcome_ok(outcome) || outcome->http_status == 404);
}

static void object_is_deleted(void *self, const struct outcome *outcome)
{
    struct deletion *deletion = self;
    bool had_finalizer = value_has_finalizer(deletion->volume->value, PROVISIONER_FINALIZER);
    if (!outcome_ok(outcome) && outcome->http_status != 404) {
        is_over(deletion, false);
    } else if (!had_finalizer || outcome->http_status == 404 || outcome->is_gone) {
        is_over(deletion, true);
    } else {
        patch_finalizer(deletion, REMOVE, finalizer_is_removed);
    }
}

static void fail(struct deletion *deletion, enum csi_code code, const char *message)
{
    recorder_warn(deletion->provisioner->recorder, deletion->volume, "VolumeFailedDelete",
                  "rpc error: code = %s desc = %s", csi_code_name(code), message);
    is_over(deletion, false);
}

static void volume_is_deleted(void *self, const struct csi_reply *reply)
{
    struct deletion *deletion = self;
    deletion->rpc = NULL;
    world_cancel(deletion->provisioner->world, deletion->deadline);
    deletion->deadline = NULL;
    if (reply->code != CSI_OK) {
        fail(deletion, reply->code, reply->message);
        return;
    }
    caller_delete(deletion->provisioner->caller, &resource_persistent_volumes, NULL,
                  deletion->volume->name, NULL, NULL, (struct answer){object_is_deleted, deletion});
}

static void is_late(void *self)
{
    struct deletion *deletion = self;
    deletion->deadline = NULL;
    csi_call_leave(deletion->rpc);
    deletion->rpc = NULL;
    fail(deletion, CSI_DEADLINE_EXCEEDED, "context deadline exceeded");
}

/* ---- the rules ---- */

/* From 5.0 on volumes that were made by hand for the driver are its own, too. */
static bool is_own(const struct provisioner *provisioner, const cJSON *volume)
{
    const char *provisioned_by = value_annotation(volume, BINDER_PROVISIONED_BY);
    if (provisioned_by != NULL || provisioner->version == PROVISIONER_3_4) {
        return text_equal(provisioned_by, FSX_DRIVER_NAME);
    }
    return value_equal_text(volume, FSX_DRIVER_NAME, "spec", "csi", "driver", NULL);
}

static bool should_delete(const struct provisioner *provisioner, const cJSON *volume)
{
    bool may_be_deleting =
        provisioner->version == PROVISIONER_5 && value_has_finalizer(volume, PROVISIONER_FINALIZER);
    return is_own(provisioner, volume) && (!value_is_deleting(volume) || may_be_deleting) &&
           value_equal_text(volume, "Released", "status", "phase", NULL) &&
           value_equal_text(volume, "Delete", "spec", "persistentVolumeReclaimPolicy", NULL);
}

static void delete_or_leave(struct deletion *deletion)
{
    struct provisioner *provisioner = deletion->provisioner;
    const cJSON *volume = deletion->volume->value;
    if (!should_delete(provisioner, volume)) {
        is_over(deletion, true);
        return;
    }
    const char *handle = value_text(volume, "spec", "csi", "volumeHandle", NULL);
    deletion->rpc = fsx_driver_delete_volume(provisioner->driver, handle == NULL ? "" : handle,
                                             (struct csi_answer){volume_is_deleted, deletion});
    deletion->deadline = world_after(provisioner->world, provisioner->pace->provisioner_timeout_ms,
                                     is_late, deletion);
}

static void finalizer_is_changed(void *self, const struct outcome *outcome)
{
    struct deletion *deletion = self;
    if (!outcome_ok(outcome)) {
        is_over(deletion, false);
        return;
    }
    record_release(deletion->volume);
    deletion->volume = record_keep(outcome->record);
    delete_or_leave(deletion);
}

/* NULL: it is right. */
static const char *finalizer_change(const struct provisioner *provisioner, const cJSON *volume)
{
    bool has_finalizer = value_has_finalizer(volume, PROVISIONER_FINALIZER);
    bool is_delete =
        value_equal_text(volume, "Delete", "spec", "persistentVolumeReclaimPolicy", NULL);
    if (has_finalizer && (provisioner->version == PROVISIONER_3_4 || !is_delete)) {
        return REMOVE;
    }
    bool is_wanted = provisioner->version == PROVISIONER_5 && is_delete &&
                     !value_is_deleting(volume) &&
                     value_equal_text(volume, "Bound", "status", "phase", NULL);
    return is_wanted && !has_finalizer ? ADD : NULL;
}

void provisioner_look_at_volume(void *self, const char *key)
{
    struct provisioner *provisioner = self;
    const struct record *volume =
        view_get(provisioner->view, &resource_persistent_volumes, NULL, key);
    if (volume == NULL || !is_own(provisioner, volume->value)) {
        workers_done(provisioner->volumes, key);
        return;
    }
    struct deletion *deletion = memory_new(1, sizeof(*deletion));
    *deletion = (struct deletion){.provisioner = provisioner,
                                  .key = key,
                                  .volume = record_keep(volume),
                                  .next = provisioner->first_deletion};
    if (deletion->next != NULL) {
        deletion->next->previous = deletion;
    }
    provisioner->first_deletion = deletion;
    const char *change = finalizer_change(provisioner, volume->value);
    if (change == NULL) {
        delete_or_leave(deletion);
    } else {
        patch_finalizer(deletion, change, finalizer_is_changed);
    }
}
