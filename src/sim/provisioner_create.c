/* SPDX-License-Identifier: Apache-2.0 */
/* How a creation ends decides what becomes of it when its claim is deleted meanwhile: after an
   error that may leave the driver at work (deadline, Aborted) it goes on, the volume is made, gets
   its PersistentVolume, and is deleted as any Released one is. After any other error nobody asks
   for the claim again, and a volume that FSx has by then stays there, without anyone who knows. */
#include "sim/provisioner_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/amount.h"
#include "sim/binder_objects.h"
#include "sim/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct creation *find_creation(const struct provisioner *provisioner, const char *key)
{
    struct creation *at = provisioner->first_creation;
    while (at != NULL && strcmp(at->key, key) != 0) {
        at = at->next;
    }
    return at;
}

static struct creation *creation_new(struct provisioner *provisioner, const char *key)
{
    struct creation *creation = memory_new(1, sizeof(*creation));
    creation->provisioner = provisioner;
    creation->key = memory_copy_text(key);
    creation->next = provisioner->first_creation;
    if (creation->next != NULL) {
        creation->next->previous = creation;
    }
    provisioner->first_creation = creation;
    return creation;
}

static void drop_rpc(struct creation *creation)
{
    if (creation->rpc != NULL) {
        csi_call_leave(creation->rpc);
        creation->rpc = NULL;
    }
    world_cancel(creation->provisioner->world, creation->event);
    creation->event = NULL;
}

void creation_free(struct creation *creation)
{
    if (creation->previous == NULL) {
        creation->provisioner->first_creation = creation->next;
    } else {
        creation->previous->next = creation->next;
    }
    if (creation->next != NULL) {
        creation->next->previous = creation->previous;
    }
    drop_rpc(creation);
    record_release(creation->claim);
    record_release(creation->class);
    record_release(creation->snapshot_record);
    memory_free(creation->snapshot);
    memory_free(creation->key);
    cJSON_Delete(creation->volume);
    memory_free(creation);
}

void creation_fail(struct creation *creation, bool in_background, const char *format, ...)
{
    struct provisioner *provisioner = creation->provisioner;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    const char *class = value_text(creation->claim->value, "spec", "storageClassName", NULL);
    recorder_warn(provisioner->recorder, creation->claim, "ProvisioningFailed",
                  "failed to provision volume with StorageClass \"%s\": %s",
                  class == NULL ? "" : class, message);
    workers_failed(provisioner->claims, creation->key);
    if (in_background) {
        creation->state = CREATION_RESTS;
        creation->is_in_background = true;
    } else {
        creation_free(creation);
    }
}

/* ---- saving what was made ---- */

static void save(void *self);

static void is_saved(void *self, const struct outcome *outcome)
{
    struct creation *creation = self;
    struct provisioner *provisioner = creation->provisioner;
    bool exists = text_equal(outcome->reason, "AlreadyExists");
    if (!outcome_ok(outcome) && !exists) {
        int64_t delay_ms = creation->save_backoff_ms;
        int64_t next_ms = delay_ms * 2;
        creation->save_backoff_ms =
            next_ms < PROVISIONER_RETRY_MS_MAX ? next_ms : PROVISIONER_RETRY_MS_MAX;
        creation->event = world_after(provisioner->world, delay_ms, save, creation);
        return;
    }
    if (!exists) {
        view_assume(provisioner->view, outcome->record);
    }
    recorder_tell(provisioner->recorder, creation->claim, "ProvisioningSucceeded",
                  "Successfully provisioned volume %s", value_name(creation->volume));
    creation_free(creation);
}

static void save(void *self)
{
    struct creation *creation = self;
    creation->event = NULL;
    caller_create(creation->provisioner->caller, &resource_persistent_volumes, NULL,
                  cJSON_Duplicate(creation->volume, 1), (struct answer){is_saved, creation});
}

/* ---- CreateVolume ---- */

static int64_t requested_bytes(const struct creation *creation)
{
    int64_t milli = 0;
    (void)amount_parse(
        value_at(creation->claim->value, "spec", "resources", "requests", "storage", NULL), &milli);
    return milli / 1000;
}

/* The claim stays in progress, so that the next try finds the volume deleted. */
static void too_small_is_deleted(void *self, const struct csi_reply *reply)
{
    struct creation *creation = self;
    (void)reply;
    creation->rpc = NULL;
    creation_fail(creation, true, "%s", creation->message);
}

static void is_made(struct creation *creation, const struct csi_reply *reply)
{
    struct provisioner *provisioner = creation->provisioner;
    if (reply->capacity_bytes < requested_bytes(creation)) {
        (void)snprintf(creation->message, sizeof(creation->message),
                       "created volume capacity %lld less than requested capacity %lld",
                       (long long)reply->capacity_bytes, (long long)requested_bytes(creation));
        creation->rpc =
            fsx_driver_delete_volume(provisioner->driver, reply->handle,
                                     (struct csi_answer){too_small_is_deleted, creation});
        return;
    }
    creation->volume = provisioner_build_volume(creation, reply);
    creation->state = CREATION_SAVES;
    creation->is_in_background = false;
    creation->save_backoff_ms = PROVISIONER_RETRY_MS_MIN;
    workers_done(provisioner->claims, creation->key);
    save(creation);
}

static void has_answered(void *self, const struct csi_reply *reply)
{
    struct creation *creation = self;
    creation->rpc = NULL;
    drop_rpc(creation);
    if (reply->code == CSI_OK) {
        is_made(creation, reply);
        return;
    }
    creation_fail(creation, reply->code == CSI_ABORTED, "rpc error: code = %s desc = %s",
                  csi_code_name(reply->code), reply->message);
}

static void is_late(void *self)
{
    struct creation *creation = self;
    creation->event = NULL;
    drop_rpc(creation);
    creation_fail(creation, true, "rpc error: code = %s desc = context deadline exceeded",
                  csi_code_name(CSI_DEADLINE_EXCEEDED));
}

void creation_ask(struct creation *creation)
{
    struct provisioner *provisioner = creation->provisioner;
    char name[128];
    (void)snprintf(name, sizeof(name), "pvc-%s", creation->claim->uid);
    const struct csi_create_volume create = {
        .name = name,
        .capacity_bytes = requested_bytes(creation),
        .parameters = value_at(creation->class->value, "parameters", NULL),
        .access_modes = value_at(creation->claim->value, "spec", "accessModes", NULL),
        .snapshot = creation->snapshot,
    };
    creation->rpc = fsx_driver_create_volume(provisioner->driver, &create,
                                             (struct csi_answer){has_answered, creation});
    creation->event = world_after(provisioner->world, provisioner->pace->provisioner_timeout_ms,
                                  is_late, creation);
}

/* ---- the claim ---- */

static const struct record *class_of(const struct provisioner *provisioner,
                                     const struct record *claim)
{
    struct binder_claim facts = binder_claim_of(claim);
    return view_get(provisioner->view, &resource_storage_classes, NULL, facts.class);
}

static const cJSON *source_of(const struct record *claim)
{
    const cJSON *source = value_at(claim->value, "spec", "dataSource", NULL);
    return source != NULL ? source : value_at(claim->value, "spec", "dataSourceRef", NULL);
}

static bool is_populated_by_others(const struct record *claim)
{
    const char *kind = value_text(source_of(claim), "kind", NULL);
    return kind != NULL && strcmp(kind, "VolumeSnapshot") != 0 &&
           strcmp(kind, "PersistentVolumeClaim") != 0;
}

static bool should_provision(const struct provisioner *provisioner, const struct record *claim)
{
    const char *volume = value_text(claim->value, "spec", "volumeName", NULL);
    const char *provisioner_name = value_annotation(claim->value, BINDER_PROVISIONER);
    if (provisioner_name == NULL) {
        provisioner_name = value_annotation(claim->value, BINDER_PROVISIONER_BETA);
    }
    bool has_volume = volume != NULL && volume[0] != '\0';
    if (has_volume || !text_equal(provisioner_name, FSX_DRIVER_NAME) ||
        is_populated_by_others(claim)) {
        return false;
    }
    const struct record *class = class_of(provisioner, claim);
    bool is_delayed = class != NULL && value_equal_text(class->value, "WaitForFirstConsumer",
                                                        "volumeBindingMode", NULL);
    return !is_delayed || value_annotation(claim->value, BINDER_SELECTED_NODE) != NULL;
}

static bool has_its_volume(const struct provisioner *provisioner, const struct record *claim)
{
    char name[128];
    (void)snprintf(name, sizeof(name), "pvc-%s", claim->uid);
    return view_get(provisioner->view, &resource_persistent_volumes, NULL, name) != NULL;
}

/* As it is in the cache, or as it was if its creation goes on without it. */
static const struct record *find_claim(const struct provisioner *provisioner, const char *key,
                                       const struct creation *creation)
{
    char *namespace cleanup_memory = memory_copy_text(key);
    char *name = strchr(namespace, '/');
    *name++ = '\0';
    char *uid = strchr(name, '/');
    *uid++ = '\0';
    const struct record *claim =
        view_get(provisioner->view, &resource_persistent_volume_claims, namespace, name);
    if (claim != NULL && strcmp(claim->uid, uid) == 0) {
        return claim;
    }
    return creation != NULL && creation->is_in_background ? creation->claim : NULL;
}

static void provision(struct creation *creation)
{
    struct provisioner *provisioner = creation->provisioner;
    const struct record *claim = creation->claim;
    const struct record *class = class_of(provisioner, claim);
    if (class == NULL) {
        creation_fail(creation, false, "storageclass.storage.k8s.io not found");
        return;
    }
    record_release(creation->class);
    creation->class = record_keep(class);
    recorder_tell(provisioner->recorder, claim, "Provisioning",
                  "External provisioner is provisioning volume for claim \"%s/%s\"",
                  claim->namespace, claim->name);
    const cJSON *source = source_of(claim);
    if (value_at(claim->value, "spec", "selector", NULL) != NULL) {
        creation_fail(creation, false, "claim Selector is not supported");
    } else if (source == NULL) {
        creation_ask(creation);
    } else if (value_equal_text(source, "VolumeSnapshot", "kind", NULL)) {
        creation_find_snapshot(creation);
    } else {
        creation_fail(creation, false,
                      "CSI driver does not support clone operations: plugin does not have the "
                      "CLONE_VOLUME capability");
    }
}

void provisioner_look_at_claim(void *self, const char *key)
{
    struct provisioner *provisioner = self;
    struct creation *creation = find_creation(provisioner, key);
    const struct record *claim = find_claim(provisioner, key, creation);
    bool is_saving = creation != NULL && creation->state == CREATION_SAVES;
    if (is_saving || claim == NULL || !should_provision(provisioner, claim)) {
        workers_done(provisioner->claims, key);
        return;
    }
    if (has_its_volume(provisioner, claim)) {
        if (creation != NULL) {
            creation_free(creation);
        }
        workers_done(provisioner->claims, key);
        return;
    }
    if (creation == NULL) {
        creation = creation_new(provisioner, key);
    }
    struct record *before = creation->claim;
    creation->claim = record_keep(claim);
    record_release(before);
    creation->state = CREATION_IS_ON;
    provision(creation);
}
