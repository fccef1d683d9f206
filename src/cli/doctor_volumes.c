/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes and holding claims as they are now; who owns them is the next check's. */
#include "api/names.h"
#include "api/volume.h"
#include "base/duration.h"
#include "cli/doctor.h"

#include <stdlib.h>
#include <string.h>

enum { AGE_BYTES_MAX = 32, STUCK_MS = 2 * 60 * 1000 };

/* ---- two PVs of one volume ---- */

static int compare_handles(const void *one, const void *other)
{
    const struct object *const *left = one;
    const struct object *const *right = other;
    int order = strcmp((*left)->volume->handle, (*right)->volume->handle);
    return order != 0 ? order : strcmp((*left)->meta.name, (*right)->meta.name);
}

static bool is_kept(const struct doctor *doctor, const struct object *volume)
{
    return store_get(doctor->cluster.store, KIND_VOLUME, NULL, volume->meta.name) != NULL;
}

static void compare(struct doctor *doctor, const struct object *one, const struct object *other)
{
    const struct volume *left = one->volume;
    const struct volume *right = other->volume;
    if (!text_equal(left->handle, right->handle) || !text_equal(left->driver, right->driver) ||
        !(is_kept(doctor, one) || is_kept(doctor, other))) {
        return;
    }
    doctor_find(doctor, FINDING_FAIL, left->handle,
                "is one volume with two PersistentVolumes, %s and %s: two Postgres could run on "
                "it, and deleting one of them destroys it. Set both to Retain, find out whose it "
                "is, and delete the other PersistentVolume",
                one->meta.name, other->meta.name);
}

static void look_for_twins(struct doctor *doctor)
{
    size_t count = 0;
    const struct object **sorted =
        arena_new(&doctor->arena, doctor->volumes.count + 1, sizeof(void *));
    for (size_t i = 0; i < doctor->volumes.count; i++) {
        const struct object *volume = doctor->volumes.objects[i];
        if (volume->volume->handle != NULL) {
            sorted[count++] = volume;
        }
    }
    qsort(sorted, count, sizeof(void *), compare_handles);
    for (size_t i = 1; i < count; i++) {
        compare(doctor, sorted[i - 1], sorted[i]);
    }
}

/* ---- each for itself ---- */

static void look_at_volume(struct doctor *doctor, const struct object *object)
{
    const struct volume *volume = object->volume;
    const char *subject = doctor_name(doctor, object);
    const char *instance = object_label(object, LABEL_INSTANCE);
    if (volume->state == VOLUME_STATE_CLAIMED && volume->policy != RECLAIM_RETAIN) {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "has an Instance's data and not the policy Retain: who deletes its PVC "
                    "destroys it: kubectl patch pv %s -p "
                    "'{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'",
                    object->meta.name);
    }
    if (volume->state == VOLUME_STATE_CLAIMED && volume->phase == VOLUME_RELEASED &&
        instance != NULL) {
        doctor_find(doctor, FINDING_WARN, subject,
                    "is Released: somebody deleted the PVC of Instance %s/%s; its data is kept: "
                    "adj adopt %s -n %s",
                    object_label(object, LABEL_INSTANCE_NAMESPACE), instance, instance,
                    object_label(object, LABEL_INSTANCE_NAMESPACE));
    }
    if (volume->phase == VOLUME_FAILED) {
        doctor_find(doctor, FINDING_FAIL, subject,
                    "is Failed: its events say what its driver could not do");
    }
}

static void look_at_claim(struct doctor *doctor, const struct object *claim)
{
    int64_t age_ms = doctor->cli->now.wall_ms - claim->meta.deleting_ms;
    if (claim->meta.deleting_ms == 0 || age_ms < STUCK_MS ||
        !text_equal(object_label(claim, LABEL_ROLE), ROLE_HOLDING)) {
        return;
    }
    cleanup_text struct text age;
    text_init(&age, AGE_BYTES_MAX);
    duration_print_age(age_ms, &age);
    const char *finalizer =
        claim->meta.finalizer_count == 0 ? "nothing" : claim->meta.finalizers[0];
    doctor_find(doctor, FINDING_WARN, doctor_name(doctor, claim),
                "has been held in its deletion for %s by %s: a pod that uses it (even a finished "
                "one) keeps it: kubectl describe pvc %s -n %s",
                age.bytes, finalizer, claim->meta.name, claim->meta.namespace);
}

void doctor_volumes(struct doctor *doctor)
{
    size_t volume_count = 0;
    size_t claim_count = 0;
    const struct object *const *volumes = doctor_objects(doctor, KIND_VOLUME, &volume_count);
    const struct object *const *claims = doctor_objects(doctor, KIND_VOLUME_CLAIM, &claim_count);
    for (size_t i = 0; i < volume_count; i++) {
        look_at_volume(doctor, volumes[i]);
    }
    for (size_t i = 0; i < claim_count; i++) {
        look_at_claim(doctor, claims[i]);
    }
    look_for_twins(doctor);
    doctor_all_well(doctor,
                    volume_count == 0 ? "there is none of Adjoint's"
                                      : "%zu of Adjoint's, each with a handle of its own",
                    volume_count);
}
