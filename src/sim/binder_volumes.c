/* SPDX-License-Identifier: Apache-2.0 */
/* What a volume's claimRef says, and the claim of that name, decide:

     claimRef        the claim                       what happens
     none            -                               Available
     no uid          -                               Available; nobody is looked up
     uid             not there, or of another uid    Released (unless Released or Failed)
     uid             volumeName ""                   the claim is synced
     uid             volumeName is this one          Bound, also from Released
     uid             bound to another volume         provisioned and Delete: Released;
                                                     else the claimRef goes, or its uid alone

   A claim that the store lacks is asked for in the informer and at the server before the volume is
   given up, and one of another uid at the server. Reclaiming a CSI volume is not the binder's. */
#include "sim/binder_state.h"

#include "base/text.h"
#include "sim/value.h"

#include <assert.h>
#include <string.h>

static void is_done(struct binder *binder, bool is_ok)
{
    struct volume_sync *sync = &binder->volume_sync;
    const char *key = sync->key;
    record_release(sync->volume);
    *sync = (struct volume_sync){0};
    if (is_ok || binder->misfortune->binder_before_1_36) {
        workers_done(binder->volume_workers, key);
    } else {
        workers_failed(binder->volume_workers, key);
    }
}

static void phase_is_written(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    if (outcome_ok(outcome)) {
        (void)binder_store_put_volume(&binder->store, outcome->record);
    }
    is_done(binder, outcome_ok(outcome));
}

static void set_phase(struct binder *binder, const char *phase)
{
    cJSON *change = binder_volume_phase(binder->volume_sync.volume, phase);
    if (change == NULL) {
        is_done(binder, true);
        return;
    }
    caller_update(binder->caller, binder->volume_sync.volume, "status", change,
                  (struct answer){phase_is_written, binder});
}

static void release(struct binder *binder)
{
    const cJSON *volume = binder->volume_sync.volume->value;
    if (value_equal_text(volume, "Failed", "status", "phase", NULL)) {
        is_done(binder, true);
        return;
    }
    set_phase(binder, "Released");
}

/* ---- the claim is bound elsewhere ---- */

static void is_unbound(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    if (!outcome_ok(outcome)) {
        is_done(binder, false);
        return;
    }
    (void)binder_store_put_volume(&binder->store, outcome->record);
    record_release(binder->volume_sync.volume);
    binder->volume_sync.volume = record_keep(outcome->record);
    set_phase(binder, "Available");
}

static void unbind(struct binder *binder, const struct binder_volume *volume)
{
    cJSON *value = cJSON_Duplicate(volume->record->value, 1);
    if (volume->is_bound_by_controller) {
        value_set(value_at(value, "spec", NULL), "claimRef", NULL);
        value_set_text(value_at(value, "metadata", "annotations", NULL), BINDER_BOUND_BY_CONTROLLER,
                       NULL);
    } else {
        value_set_text(value_at(value, "spec", "claimRef", NULL), "uid", NULL);
    }
    caller_update(binder->caller, volume->record, NULL, value, (struct answer){is_unbound, binder});
}

/* ---- the table ---- */

static void sync_with_unbound(struct binder *binder, const struct record *claim)
{
    const struct record *volume = binder->volume_sync.volume;
    if (!binder_has_same_mode(volume, claim)) {
        recorder_warn(binder->recorder, volume, "VolumeMismatch",
                      "Cannot bind PersistentVolume to requested PersistentVolumeClaim \"%s\" "
                      "due to incompatible volumeMode.",
                      claim->name);
    } else {
        char key[BINDER_KEY_BYTES];
        binder_claim_key(claim->namespace, claim->name, key);
        workers_add(binder->claim_workers, key);
    }
    is_done(binder, true);
}

static void sync_with_claim(struct binder *binder, const struct record *claim)
{
    const struct record *record = binder->volume_sync.volume;
    const char *volume_name = value_text(claim->value, "spec", "volumeName", NULL);
    if (volume_name == NULL || volume_name[0] == '\0') {
        sync_with_unbound(binder, claim);
        return;
    }
    if (strcmp(volume_name, record->name) == 0) {
        set_phase(binder, "Bound");
        return;
    }
    struct binder_volume volume = binder_volume_of(record);
    if (volume.is_disposable) {
        release(binder);
    } else {
        unbind(binder, &volume);
    }
    record_release(volume.record);
}

/* The server's word about the claim is the last. */
static void claim_was_asked_for(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    if (!outcome_ok(outcome) && outcome->http_status != 404) {
        is_done(binder, false);
        return;
    }
    const char *uid =
        value_text(binder->volume_sync.volume->value, "spec", "claimRef", "uid", NULL);
    if (outcome_ok(outcome) && text_equal(outcome->record->uid, uid)) {
        sync_with_claim(binder, outcome->record);
    } else {
        release(binder);
    }
}

static bool is_given_up(const struct binder_volume *volume)
{
    return strcmp(volume->phase, "Released") == 0 || strcmp(volume->phase, "Failed") == 0;
}

static void sync_claimed(struct binder *binder, const struct binder_volume *volume)
{
    const struct record *claim =
        binder_store_claim(&binder->store, volume->claim_namespace, volume->claim_name);
    if (claim == NULL && is_given_up(volume)) {
        release(binder);
        return;
    }
    if (claim == NULL) {
        claim = view_get(binder->view, &resource_persistent_volume_claims, volume->claim_namespace,
                         volume->claim_name);
    }
    if (claim == NULL || strcmp(claim->uid, volume->claim_uid) != 0) {
        caller_get(binder->caller, &resource_persistent_volume_claims, volume->claim_namespace,
                   volume->claim_name, (struct answer){claim_was_asked_for, binder});
        return;
    }
    sync_with_claim(binder, claim);
}

static void forget(struct binder *binder, const char *name)
{
    const struct binder_volume *volume = binder_store_volume(&binder->store, name);
    if (volume != NULL && volume->has_claim) {
        char key[BINDER_KEY_BYTES];
        binder_claim_key(volume->claim_namespace, volume->claim_name, key);
        workers_add(binder->claim_workers, key);
    }
    binder_store_drop_volume(&binder->store, name);
}

void binder_look_at_volume(void *self, const char *key)
{
    struct binder *binder = self;
    assert(binder->volume_sync.key == NULL);
    binder->volume_sync.key = key;
    const struct record *record = view_get(binder->view, &resource_persistent_volumes, NULL, key);
    if (record == NULL) {
        forget(binder, key);
        is_done(binder, true);
        return;
    }
    if (!binder_store_put_volume(&binder->store, record)) {
        is_done(binder, true);
        return;
    }
    binder->volume_sync.volume = record_keep(record);
    const struct binder_volume *volume = binder_store_volume(&binder->store, key);
    if (volume->claim_uid[0] == '\0') {
        set_phase(binder, "Available");
    } else {
        sync_claimed(binder, volume);
    }
}
