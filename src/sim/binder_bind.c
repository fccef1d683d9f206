/* SPDX-License-Identifier: Apache-2.0 */
/* A binding is four writes in a fixed order, each left out when it would change nothing: a volume
   that was pointed to the claim by its uid and is Bound needs only the last two. Each is based on
   the version that the one before it gave; a conflict ends it, and what was written stays. */
#include "sim/binder_state.h"

#include "sim/value.h"

#include <string.h>

static cJSON *copy_of(const struct record *record)
{
    return cJSON_Duplicate(record->value, 1);
}

cJSON *binder_volume_phase(const struct record *volume, const char *phase)
{
    if (value_equal_text(volume->value, phase, "status", "phase", NULL)) {
        return NULL;
    }
    cJSON *value = copy_of(volume);
    cJSON *status = value_make(value, "status", NULL);
    value_set_text(status, "phase", phase);
    value_set_text(status, "message", NULL);
    return value;
}

static bool is_same(const cJSON *left, const cJSON *right)
{
    return left == NULL || right == NULL ? left == right : value_equal(left, right);
}

static void copy_member(cJSON *status, const char *name, const cJSON *member)
{
    value_set(status, name, member == NULL ? NULL : cJSON_Duplicate(member, 1));
}

/* Capacity is taken over when the claim becomes Bound, not later. Most claims that are looked at
   are as they should be, so that is found out before anything is copied. */
cJSON *binder_claim_status(const struct record *claim, const char *phase,
                           const struct record *volume)
{
    const cJSON *spec = volume == NULL ? NULL : value_at(volume->value, "spec", NULL);
    const cJSON *present = value_at(claim->value, "status", NULL);
    const cJSON *modes = value_at(spec, "accessModes", NULL);
    bool is_new_phase = !value_equal_text(present, phase, "phase", NULL);
    bool has_modes = is_same(value_at(present, "accessModes", NULL), modes);
    bool has_capacity = volume != NULL || value_at(present, "capacity", NULL) == NULL;
    if (!is_new_phase && has_modes && has_capacity) {
        return NULL;
    }
    cJSON *value = copy_of(claim);
    cJSON *status = value_make(value, "status", NULL);
    value_set_text(status, "phase", phase);
    copy_member(status, "accessModes", modes);
    if (volume == NULL || is_new_phase) {
        copy_member(status, "capacity", value_at(spec, "capacity", NULL));
    }
    return value;
}

static void set_claim_reference(cJSON *spec, const struct record *claim)
{
    cJSON *reference = cJSON_CreateObject();
    value_set_text(reference, "apiVersion", "v1");
    value_set_text(reference, "kind", "PersistentVolumeClaim");
    value_set_text(reference, "namespace", claim->namespace);
    value_set_text(reference, "name", claim->name);
    value_set_text(reference, "uid", claim->uid);
    value_set_text(reference, "resourceVersion",
                   value_text(claim->value, "metadata", "resourceVersion", NULL));
    value_set(spec, "claimRef", reference);
}

/* claimRef names the claim, without a uid or with the claim's. */
static bool is_bound_to(const cJSON *reference, const char *uid, const struct record *claim)
{
    return value_equal_text(reference, claim->name, "name", NULL) &&
           value_equal_text(reference, claim->namespace, "namespace", NULL) &&
           (uid == NULL || uid[0] == '\0' || strcmp(uid, claim->uid) == 0);
}

static cJSON *volume_to_claim(const struct claim_sync *sync)
{
    const cJSON *reference = value_at(sync->volume->value, "spec", "claimRef", NULL);
    const char *uid = value_text(reference, "uid", NULL);
    bool is_bound = is_bound_to(reference, uid, sync->claim);
    if (is_bound && uid != NULL && uid[0] != '\0') {
        return NULL;
    }
    cJSON *value = copy_of(sync->volume);
    set_claim_reference(value_make(value, "spec", NULL), sync->claim);
    if (!is_bound) {
        value_set_text(value_make(value, "metadata", "annotations", NULL),
                       BINDER_BOUND_BY_CONTROLLER, "yes");
    }
    return value;
}

static cJSON *volume_is_bound(const struct claim_sync *sync)
{
    return binder_volume_phase(sync->volume, "Bound");
}

static cJSON *claim_to_volume(const struct claim_sync *sync)
{
    const cJSON *claim = sync->claim->value;
    bool has_volume = value_equal_text(claim, sync->volume->name, "spec", "volumeName", NULL);
    if (has_volume && value_annotation(claim, BINDER_BIND_COMPLETED) != NULL) {
        return NULL;
    }
    cJSON *value = copy_of(sync->claim);
    cJSON *annotations = value_make(value, "metadata", "annotations", NULL);
    if (!has_volume) {
        value_set_text(value_make(value, "spec", NULL), "volumeName", sync->volume->name);
        value_set_text(annotations, BINDER_BOUND_BY_CONTROLLER, "yes");
    }
    value_set_text(annotations, BINDER_BIND_COMPLETED, "yes");
    return value;
}

static cJSON *claim_is_bound(const struct claim_sync *sync)
{
    return binder_claim_status(sync->claim, "Bound", sync->volume);
}

static const struct {
    cJSON *(*change)(const struct claim_sync *sync); /* NULL: nothing to write */
    bool is_of_volume;
    const char *subresource;
} STEPS[] = {
    {volume_to_claim, true, NULL},
    {volume_is_bound, true, "status"},
    {claim_to_volume, false, NULL},
    {claim_is_bound, false, "status"},
};
enum { STEP_COUNT = sizeof(STEPS) / sizeof(STEPS[0]) };

static void next_step(struct binder *binder);

static void step_is_written(void *self, const struct outcome *outcome)
{
    struct binder *binder = self;
    struct claim_sync *sync = &binder->claim_sync;
    if (!outcome_ok(outcome)) {
        binder_claim_is_done(binder, false);
        return;
    }
    bool is_of_volume = STEPS[sync->step].is_of_volume;
    struct record **record = is_of_volume ? &sync->volume : &sync->claim;
    record_release(*record);
    *record = record_keep(outcome->record);
    if (is_of_volume) {
        (void)binder_store_put_volume(&binder->store, *record);
    } else {
        (void)binder_store_put_claim(&binder->store, *record);
    }
    sync->step++;
    next_step(binder);
}

static void next_step(struct binder *binder)
{
    struct claim_sync *sync = &binder->claim_sync;
    for (; sync->step < STEP_COUNT; sync->step++) {
        cJSON *change = STEPS[sync->step].change(sync);
        if (change != NULL) {
            const struct record *record =
                STEPS[sync->step].is_of_volume ? sync->volume : sync->claim;
            caller_update(binder->caller, record, STEPS[sync->step].subresource, change,
                          (struct answer){step_is_written, binder});
            return;
        }
    }
    binder_claim_is_done(binder, true);
}

void binder_bind(struct binder *binder)
{
    binder->claim_sync.step = 0;
    next_step(binder);
}
