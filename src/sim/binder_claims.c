/* SPDX-License-Identifier: Apache-2.0 */
/* A claim with the annotation bind-completed is bound, whatever its status says, and is only
   watched over; any other one is unbound:

     volumeName   the volume                    what happens
     ""           one matches                   bind
     ""           none                          delayed: Pending; a class: provision; else Pending
     set          not in the store              Pending
     set          no claimRef, it does          bind
     set          no claimRef, it does not      Pending, VolumeMismatch
     set          claimRef is this claim        bind, without any check
     set          claimRef is another           Pending, FailedBinding

   and of the bound ones:

     ""           -                             Lost
     set          not in the store              Lost
     set          no claimRef, or our uid       bind (which mostly changes nothing)
     set          another uid                   Lost */
#include "sim/binder_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <assert.h>
#include <string.h>

void binder_claim_is_done(struct binder *binder, bool is_ok)
{
    struct claim_sync *sync = &binder->claim_sync;
    const char *key = sync->key;
    record_release(sync->claim);
    record_release(sync->volume);
    *sync = (struct claim_sync){0};
    if (is_ok || binder->misfortune->binder_before_1_36) {
        workers_done(binder->claim_workers, key);
    } else {
        workers_failed(binder->claim_workers, key);
    }
}

/* ---- the claim's phase ---- */

static void phase_is_written(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    const struct claim_sync *sync = &binder->claim_sync;
    if (!outcome_ok(outcome)) {
        binder_claim_is_done(binder, false);
        return;
    }
    (void)binder_store_put_claim(&binder->store, outcome->record);
    if (sync->event_reason != NULL) {
        recorder_warn(binder->recorder, sync->claim, sync->event_reason, "%s", sync->event_text);
    }
    binder_claim_is_done(binder, true);
}

/* Of a claim without a volume. */
static void set_phase(struct binder *binder, const char *phase)
{
    struct claim_sync *sync = &binder->claim_sync;
    cJSON *change = binder_claim_status(sync->claim, phase, NULL);
    if (change == NULL) {
        binder_claim_is_done(binder, true);
        return;
    }
    caller_update(binder->caller, sync->claim, "status", change,
                  (struct answer){phase_is_written, binder});
}

static void set_pending(struct binder *binder)
{
    set_phase(binder, "Pending");
}

/* The event is told if that is new. */
static void set_lost(struct binder *binder, const char *reason, const char *text)
{
    struct claim_sync *sync = &binder->claim_sync;
    if (!value_equal_text(sync->claim->value, "Lost", "status", "phase", NULL)) {
        sync->event_reason = reason;
        sync->event_text = text;
    }
    set_phase(binder, "Lost");
}

/* ---- no volume matches ---- */

static const struct record *class_of(const struct binder *binder, const struct binder_claim *claim)
{
    return view_get(binder->view, &resource_storage_classes, NULL, claim->class);
}

static bool is_delayed(const struct binder *binder, const struct binder_claim *claim)
{
    const struct record *class = class_of(binder, claim);
    return class != NULL &&
           value_equal_text(class->value, "WaitForFirstConsumer", "volumeBindingMode", NULL);
}

/* Not waited for, and not tried again when it fails: the next sync of the claim does. */
static void provisioner_is_set(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    if (outcome_ok(outcome)) {
        (void)binder_store_put_claim(&binder->store, outcome->record);
    }
}

static void set_provisioner(struct binder *binder, const struct record *claim,
                            const char *provisioner)
{
    const char *present = value_annotation(claim->value, BINDER_PROVISIONER);
    if (text_equal(present, provisioner)) {
        return;
    }
    cJSON *value = cJSON_Duplicate(claim->value, 1);
    cJSON *annotations = value_make(value, "metadata", "annotations", NULL);
    value_set_text(annotations, BINDER_PROVISIONER_BETA, provisioner);
    value_set_text(annotations, BINDER_PROVISIONER, provisioner);
    caller_update(binder->caller, claim, NULL, value, (struct answer){provisioner_is_set, binder});
}

static void provision(struct binder *binder, const struct binder_claim *claim)
{
    const struct record *class = class_of(binder, claim);
    if (class == NULL) {
        recorder_warn(binder->recorder, claim->record, "ProvisioningFailed",
                      "storageclass.storage.k8s.io \"%s\" not found", claim->class);
        return;
    }
    const char *provisioner = value_text(class->value, "provisioner", NULL);
    if (provisioner == NULL || text_starts_with(provisioner, "kubernetes.io/")) {
        recorder_warn(binder->recorder, claim->record, "ProvisioningFailed",
                      "no volume plugin matched name: %s", provisioner == NULL ? "" : provisioner);
        return;
    }
    set_provisioner(binder, claim->record, provisioner);
    recorder_tell(binder->recorder, claim->record, "ExternalProvisioning",
                  "Waiting for a volume to be created either by the external provisioner '%s' or "
                  "manually by the system administrator. If volume creation is delayed, please "
                  "verify that the provisioner is running and correctly registered.",
                  provisioner);
}

static void leave_pending(struct binder *binder, const struct binder_claim *claim, bool delayed)
{
    const struct record *record = claim->record;
    if (delayed && value_annotation(record->value, BINDER_SELECTED_NODE) == NULL) {
        recorder_tell(binder->recorder, record, "WaitForFirstConsumer",
                      "waiting for first consumer to be created before binding");
    } else if (claim->class[0] != '\0') {
        provision(binder, claim);
        binder_claim_is_done(binder, true);
        return;
    } else {
        recorder_tell(binder->recorder, record, "FailedBinding",
                      "no persistent volumes available for this claim and no storage class is set");
    }
    set_pending(binder);
}

/* ---- the tables ---- */

static void bind_to(struct binder *binder, const struct binder_volume *volume)
{
    binder->claim_sync.volume = record_keep(volume->record);
    binder_bind(binder);
}

static void sync_with_any(struct binder *binder, const struct binder_claim *claim)
{
    bool delayed = is_delayed(binder, claim);
    const struct binder_volume *volume = binder_store_match(&binder->store, claim, delayed);
    if (volume == NULL) {
        leave_pending(binder, claim, delayed);
    } else {
        bind_to(binder, volume);
    }
}

static void sync_unbound(struct binder *binder, const struct binder_claim *claim)
{
    if (claim->volume_name[0] == '\0') {
        sync_with_any(binder, claim);
        return;
    }
    const struct binder_volume *volume = binder_store_volume(&binder->store, claim->volume_name);
    if (volume == NULL) {
        set_pending(binder);
        return;
    }
    if (volume->has_claim && !binder_is_bound_to(volume, claim->record)) {
        recorder_warn(binder->recorder, claim->record, "FailedBinding",
                      "volume \"%s\" already bound to a different claim.", claim->volume_name);
        set_pending(binder);
        return;
    }
    const char *mismatch = volume->has_claim ? NULL : binder_mismatch(volume, claim);
    if (mismatch != NULL) {
        recorder_warn(binder->recorder, claim->record, "VolumeMismatch",
                      "Cannot bind to requested volume \"%s\": %s", claim->volume_name, mismatch);
        set_pending(binder);
        return;
    }
    bind_to(binder, volume);
}

static void sync_bound(struct binder *binder, const struct binder_claim *claim)
{
    if (claim->volume_name[0] == '\0') {
        set_lost(binder, "ClaimLost",
                 "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
        return;
    }
    const struct binder_volume *volume = binder_store_volume(&binder->store, claim->volume_name);
    if (volume == NULL) {
        set_lost(binder, "ClaimLost",
                 "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
        return;
    }
    if (volume->has_claim && strcmp(volume->claim_uid, claim->record->uid) != 0) {
        set_lost(binder, "ClaimMisbound",
                 "Two claims are bound to the same volume, this one is bound incorrectly");
        return;
    }
    bind_to(binder, volume);
}

static void forget(struct binder *binder, const char *namespace, const char *name)
{
    const struct record *claim = binder_store_claim(&binder->store, namespace, name);
    const char *volume =
        claim == NULL ? NULL : value_text(claim->value, "spec", "volumeName", NULL);
    if (volume != NULL) {
        workers_add(binder->volume_workers, volume);
    }
    binder_store_drop_claim(&binder->store, namespace, name);
}

void binder_look_at_claim(void *self, const char *key)
{
    struct binder *binder = self;
    char *namespace cleanup_memory = memory_copy_text(key);
    char *slash = strchr(namespace, '/');
    assert(slash != NULL && binder->claim_sync.key == NULL);
    *slash = '\0';
    const char *name = slash + 1;

    binder->claim_sync.key = key;
    const struct record *record =
        view_get(binder->view, &resource_persistent_volume_claims, namespace, name);
    if (record == NULL) {
        forget(binder, namespace, name);
        binder_claim_is_done(binder, true);
        return;
    }
    if (!binder_store_put_claim(&binder->store, record)) {
        binder_claim_is_done(binder, true);
        return;
    }
    binder->claim_sync.claim = record_keep(record);
    struct binder_claim claim = binder_claim_of(binder->claim_sync.claim);
    if (claim.is_bind_completed) {
        sync_bound(binder, &claim);
    } else {
        sync_unbound(binder, &claim);
    }
}
