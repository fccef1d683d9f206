/* SPDX-License-Identifier: Apache-2.0 */
/* A person sees what `kubectl get` shows, some minutes after it happened. */
#include "simulation/remedy.h"

#include "base/timestamp.h"
#include "sim/value.h"
#include "simulation/people.h"
#include "simulation/scene.h"
#include "simulation/sight.h"

#include <stdio.h>

enum { NAME_BYTES = 300, FILL_STUCK_MS = 20 * 60 * 1000 };

/* ---- Instances ---- */

static void adopt(struct trial *trial, const struct instance_sight *instance)
{
    people_patch(trial, people_kind(trial, "instances"), instance->namespace, instance->name, NULL,
                 "{'metadata':{'annotations':{'adjoint.dev/adopt':'yes'}}}");
}

static void put_labels_back(struct trial *trial, const struct instance_sight *instance)
{
    if (instance->volume != NULL) {
        people_patch(trial, &resource_persistent_volumes, NULL, instance->volume, NULL,
                     "{'metadata':{'labels':{'adjoint.dev/state':'claimed',"
                     "'adjoint.dev/instance-uid':'%s'}}}",
                     instance->uid);
    }
}

static void delete_own_claim(struct trial *trial, const struct instance_sight *instance)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof(name), "%s-1", instance->name);
    people_delete(trial, &resource_persistent_volume_claims, instance->namespace, name);
}

static void delete_taking_claim(struct trial *trial, const struct instance_sight *instance)
{
    const struct record *record =
        instance->volume == NULL
            ? NULL
            : people_see(trial, &resource_persistent_volumes, NULL, instance->volume);
    if (record != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        people_delete(trial, &resource_persistent_volume_claims, volume.claim_namespace,
                      volume.claim_name);
    }
}

/* What an earlier Instance of that name let go. */
static void take_name_back(struct trial *trial, const struct instance_sight *instance)
{
    char secret[NAME_BYTES];
    (void)snprintf(secret, sizeof(secret), "%s-adjoint", instance->name);
    people_delete(trial, &resource_clusters, instance->namespace, instance->name);
    people_delete(trial, &resource_secrets, instance->namespace, secret);
    delete_own_claim(trial, instance);
}

static void delete_cluster(struct trial *trial, const struct instance_sight *instance)
{
    people_delete(trial, &resource_clusters, instance->namespace, instance->name);
}

static void delete_instance(struct trial *trial, const struct instance_sight *instance)
{
    people_delete_instance(trial, instance->name);
}

static void make_pool_again(struct trial *trial, const struct instance_sight *instance)
{
    (void)instance;
    people_make_pool(trial, SCENE_POOL, trial->wish.size);
}

/* So that another one is tried. */
static void delete_errands(struct trial *trial, const struct instance_sight *instance)
{
    static const char *const errands[] = {"sanitize", "login"};
    for (size_t i = 0; i < sizeof(errands) / sizeof(*errands); i++) {
        char name[NAME_BYTES];
        (void)snprintf(name, sizeof(name), "%s-adjoint-%s", instance->name, errands[i]);
        people_delete(trial, &resource_pods, instance->namespace, name);
    }
}

static const struct {
    const char *reason; /* of Ready, or of Eligible */
    void (*act)(struct trial *trial, const struct instance_sight *instance);
    bool heals_itself; /* unless a person did something to the Instance */
} remedies[] = {
    {"ClaimDeleted", adopt, true},
    {"ClusterDeleted", adopt, true},
    {"ClaimDeleting", delete_cluster, true}, /* a pod of its keeps the PVC */
    {"LeftoverDeleting", delete_cluster, true},
    {"ClusterUnrecoverable", delete_cluster, true},
    {"VolumeEdited", put_labels_back, true},
    {"VolumeLost", delete_instance, true},
    {"BoundToAnotherVolume", delete_own_claim, true},
    {"ClaimBoundElsewhere", delete_own_claim, true},
    {"VolumeTaken", delete_taking_claim, true},
    {"SanitizeFailed", delete_errands, false},
    {"LoginFailed", delete_errands, false},
    {"NameTaken", take_name_back, true}, /* but for what Retain has left */
    {"PoolNotFound", make_pool_again, false},
};

/* What keeps it from what it wants most: a volume, a reset, to be Ready. */
static const char *reason_of(const struct instance_sight *instance, const cJSON *value)
{
    const char *resetting =
        instance->reset_count > instance->resets_done ? sight_reason(value, "Resetting") : NULL;
    if (text_equal(resetting, "PoolNotFound")) {
        return resetting;
    }
    return instance->volume == NULL ? instance->eligible_reason : instance->ready_reason;
}

static bool help_instance(struct trial *trial, const struct record *record)
{
    struct instance_sight instance = instance_sight(record->value);
    const char *reason = reason_of(&instance, record->value);
    for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++) {
        if (!instance.is_deleting && text_equal(reason, remedies[i].reason)) {
            world_trace(trial->world, "a person helps %s: %s", instance.name, reason);
            bool is_left = trial->wish.retains && text_equal(reason, "NameTaken");
            if (remedies[i].heals_itself && !is_left &&
                !judge_was_touched(trial->judge, instance.uid)) {
                judge_break(trial->judge,
                            "I10: Instance %s needs a person (%s), and nobody had "
                            "touched it",
                            instance.name, reason);
            }
            judge_note_touch(trial->judge, instance.uid);
            remedies[i].act(trial, &instance);
            return true;
        }
    }
    return false;
}

static bool help_instances(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct resource *instances = people_kind(trial, "instances");
    struct record *record = record_keep(objects_next(objects, instances, NULL, NULL));
    bool helped = false;
    while (record != NULL) {
        helped = help_instance(trial, record) || helped;
        struct record *next = record_keep(objects_next(objects, instances, NULL, record));
        record_release(record);
        record = next;
    }
    return helped;
}

/* ---- the Pool, and the driver ---- */

static bool is_stuck(const struct trial *trial, const struct record *record)
{
    int64_t made_ms = 0;
    struct error error;
    const char *made = value_text(record->value, "metadata", "creationTimestamp", NULL);
    return made != NULL && timestamp_parse(made, &made_ms, &error) &&
           world_now(trial->world).wall_ms - made_ms >= FILL_STUCK_MS;
}

/* FillStuck: FSx failed, and the token pins the failed volume to this PVC's uid for ever. */
bool remedy_fill(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volume_claims, SCENE_POOLS,
                                  record)) != NULL) {
        struct claim_sight claim = claim_sight(record->value);
        if (claim.pool_uid != NULL && !claim.is_bound && !claim.is_deleting &&
            is_stuck(trial, record)) {
            world_trace(trial->world, "a person deletes %s, which is not filled", claim.name);
            people_delete(trial, record->resource, record->namespace, record->name);
            return true;
        }
    }
    return false;
}

/* StateEdited: its label says that nobody had it, and its annotations that somebody did. */
static bool help_edited(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        bool says_free = text_equal(volume.state, "warm") || text_equal(volume.state, "retiring");
        if (says_free && volume.bears_history) {
            world_trace(trial->world, "a person puts the state of %s back", volume.name);
            people_patch(trial, record->resource, NULL, record->name, NULL,
                         "{'metadata':{'labels':{'adjoint.dev/state':'claimed'}}}");
            return true;
        }
    }
    return false;
}

/* ForeignVolume: a holding PVC took a volume that was there before. */
static bool help_misbound(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        if (volume.state == NULL && text_equal(volume.claim_namespace, SCENE_POOLS) &&
            value_annotation(record->value, "pv.kubernetes.io/bound-by-controller") != NULL) {
            struct record *kept = record_keep(record);
            world_trace(trial->world, "a person parts %s from %s", volume.name, volume.claim_name);
            judge_note_edit(trial->judge, volume.name, EDIT_STATE);
            people_patch(trial, kept->resource, NULL, kept->name, NULL,
                         "{'spec':{'persistentVolumeReclaimPolicy':'Retain'}}");
            people_delete(trial, &resource_persistent_volume_claims, SCENE_POOLS,
                          volume.claim_name);
            record_release(kept);
            return true;
        }
    }
    return false;
}

struct lookup {
    const char *handle;
    bool found;
};

static void look(void *self, const struct fsx_volume_seen *volume)
{
    struct lookup *lookup = self;
    lookup->found = lookup->found || text_equal(volume->handle, lookup->handle);
}

/* DisposalStuck: the driver does not forget a PV whose volume went without its answer. */
static bool help_disposals(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        struct lookup lookup = {.handle = volume.handle};
        simulation_fsx_volumes(trial->simulation, look, &lookup);
        if (volume.handle != NULL && !lookup.found && text_equal(volume.phase, "Released")) {
            struct record *kept = record_keep(record);
            world_trace(trial->world, "a person deletes PV %s, whose volume is gone", kept->name);
            judge_note_edit(trial->judge, kept->name, EDIT_DATA);
            people_patch(trial, kept->resource, NULL, kept->name, NULL,
                         "{'spec':{'persistentVolumeReclaimPolicy':'Retain'}}");
            people_delete(trial, kept->resource, NULL, kept->name);
            record_release(kept);
            return true;
        }
    }
    return false;
}

/* A volume of an Instance that is deleted, freed by hand, is another PVC's by now. */
static bool help_taken(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        if (text_equal(volume.state, "claimed") && text_equal(volume.phase, "Bound") &&
            text_equal(volume.claim_name, SCENE_THIEF)) {
            world_trace(trial->world, "a person takes %s from %s", volume.name, volume.claim_name);
            people_delete(trial, &resource_persistent_volume_claims, volume.claim_namespace,
                          volume.claim_name);
            return true;
        }
    }
    return false;
}

bool remedy_apply(struct trial *trial)
{
    bool helped = help_instances(trial);
    helped = remedy_fill(trial) || helped;
    helped = help_edited(trial) || helped;
    helped = help_misbound(trial) || helped;
    helped = help_taken(trial) || helped;
    return help_disposals(trial) || helped;
}

/* ---- the end ---- */

static void delete_all(struct trial *trial, const struct resource *resource, const char *namespace)
{
    const struct objects *objects = apiserver_objects(trial->server);
    struct record *record = record_keep(objects_next(objects, resource, namespace, NULL));
    while (record != NULL) {
        struct record *next = record_keep(objects_next(objects, resource, namespace, record));
        if (!value_is_deleting(record->value)) {
            people_delete(trial, resource, record->namespace, record->name);
        }
        record_release(record);
        record = next;
    }
}

/* Unlabelled by now: nobody's but its user's. What was never Bound no provisioner destroys: its PV
   is deleted, and the storage by hand. */
static void delete_left_over(struct trial *trial)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record = NULL;
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        struct volume_sight volume = volume_sight(record->value);
        bool released = text_equal(volume.phase, "Released");
        if (volume.is_ours || !text_equal(volume.policy, "Retain") || volume.handle == NULL ||
            (!released && !text_equal(volume.phase, "Available")) ||
            judge_was_there_before(trial->judge, volume.handle)) {
            continue;
        }
        judge_note_edit(trial->judge, volume.name, EDIT_DATA);
        if (released) {
            people_patch(trial, record->resource, NULL, record->name, NULL,
                         "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}");
        } else {
            people_delete(trial, record->resource, NULL, record->name);
        }
        return; /* the record may be gone: the rest comes next time */
    }
}

static void delete_foreign(struct trial *trial, const struct resource *resource)
{
    const struct objects *objects = apiserver_objects(trial->server);
    struct record *record = record_keep(objects_next(objects, resource, SCENE_DEV, NULL));
    while (record != NULL) {
        struct record *next = record_keep(objects_next(objects, resource, SCENE_DEV, record));
        if (value_label(record->value, "adjoint.dev/role") == NULL &&
            !value_is_deleting(record->value)) {
            people_delete(trial, resource, record->namespace, record->name);
        }
        record_release(record);
        record = next;
    }
}

void remedy_clear_up(struct trial *trial)
{
    delete_all(trial, people_kind(trial, "instances"), NULL);
    delete_all(trial, people_kind(trial, "pools"), NULL);
    delete_foreign(trial, &resource_clusters);
    delete_foreign(trial, &resource_persistent_volume_claims);
    delete_left_over(trial);
    (void)remedy_fill(trial);
    (void)help_edited(trial);
    (void)help_disposals(trial);
}
