/* SPDX-License-Identifier: Apache-2.0 */
/* By name and not by pointer, so that a deed can wait: what it is done to may be gone by then. */
#include "simulation/deed.h"

#include "base/text.h"
#include "sim/value.h"
#include "simulation/people.h"
#include "simulation/scene.h"
#include "simulation/sight.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 300 };

static void touch(struct trial *trial, const char *instance)
{
    const struct record *record =
        people_see(trial, people_kind(trial, "instances"), SCENE_DEV, instance);
    if (record != NULL) {
        judge_note_touch(trial->judge, record->uid);
    }
}

/* Whoever has or has chosen this volume. */
static void touch_owner(struct trial *trial, const struct record *volume)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct resource *instances = people_kind(trial, "instances");
    const struct record *record = NULL;
    while ((record = objects_next(objects, instances, NULL, record)) != NULL) {
        struct instance_sight instance = instance_sight(record->value);
        if (text_equal(instance.volume, volume->name) ||
            text_equal(volume_sight(volume->value).instance_uid, instance.uid)) {
            judge_note_touch(trial->judge, instance.uid);
        }
    }
}

static void delete_holding(struct trial *trial, const char *instance)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *volume = people_see_volume(trial, instance);
    const struct record *record = NULL;
    while (volume != NULL && (record = objects_next(objects, &resource_persistent_volume_claims,
                                                    SCENE_POOLS, record)) != NULL) {
        if (text_equal(claim_sight(record->value).volume, volume->name)) {
            people_delete(trial, record->resource, record->namespace, record->name);
            return;
        }
    }
}

static void delete_claim(struct trial *trial, const char *instance)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof(name), "%s-1", instance);
    touch(trial, instance);
    people_delete(trial, &resource_persistent_volume_claims, SCENE_DEV, name);
}

static void delete_cluster(struct trial *trial, const char *instance)
{
    touch(trial, instance);
    people_delete(trial, &resource_clusters, SCENE_DEV, instance);
}

static void delete_both(struct trial *trial, const char *instance)
{
    delete_cluster(trial, instance);
    delete_claim(trial, instance);
}

static void delete_instance(struct trial *trial, const char *instance)
{
    people_delete_instance(trial, instance);
}

static void make_again(struct trial *trial, const char *instance)
{
    if (trial->is_over) {
        return;
    }
    if (people_see(trial, people_kind(trial, "instances"), SCENE_DEV, instance) == NULL) {
        people_make_instance(trial, SCENE_DEV, SCENE_POOL, instance);
    } else {
        trial_at(trial, 1000, make_again, instance);
    }
}

/* What controllers fall for most: of one name, and another one. */
static void replace_instance(struct trial *trial, const char *instance)
{
    people_delete_instance(trial, instance);
    trial_at(trial, trial_draw(trial, 0, 500), make_again, instance);
}

static void strip_finalizer(struct trial *trial, const char *instance)
{
    people_delete_instance(trial, instance);
    people_patch(trial, people_kind(trial, "instances"), SCENE_DEV, instance, NULL,
                 "{'metadata':{'finalizers':null}}");
}

static void clear_status(struct trial *trial, const char *instance)
{
    touch(trial, instance);
    people_patch(trial, people_kind(trial, "instances"), SCENE_DEV, instance, "status",
                 "{'status':{'volume':null,'phase':null,'timings':null}}");
}

static void edit_volume(struct trial *trial, const char *instance, enum edit edit,
                        const char *patch)
{
    const struct record *volume = people_see_volume(trial, instance);
    if (volume == NULL) {
        return;
    }
    judge_note_edit(trial->judge, volume->name, edit);
    touch_owner(trial, volume);
    people_patch(trial, volume->resource, NULL, volume->name, NULL, "%s", patch);
}

static void edit_policy(struct trial *trial, const char *instance)
{
    edit_volume(trial, instance, EDIT_POLICY,
                "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}");
}

static void edit_state(struct trial *trial, const char *instance)
{
    edit_volume(trial, instance, EDIT_STATE,
                "{'metadata':{'labels':{'adjoint.dev/state':'warm'}}}");
}

static void free_volume(struct trial *trial, const char *instance)
{
    edit_volume(trial, instance, EDIT_CLAIM_REF, "{'spec':{'claimRef':null}}");
}

static void strip_labels(struct trial *trial, const char *instance)
{
    edit_volume(trial, instance, EDIT_STATE, "{'metadata':{'labels':null}}");
}

static void post_thief(struct trial *trial, const char *volume)
{
    people_create(trial, &resource_persistent_volume_claims, SCENE_DEV,
                  "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':"
                  "'" SCENE_THIEF "'},'spec':{'accessModes':['ReadWriteOncePod'],"
                  "'storageClassName':'" SCENE_CLASS "',%s%s%s"
                  "'resources':{'requests':{'storage':'1Gi'}}}}",
                  volume == NULL ? "" : "'volumeName':'", volume == NULL ? "" : volume,
                  volume == NULL ? "" : "',");
}

static void steal_by_name(struct trial *trial, const char *instance)
{
    const struct record *volume = people_see_volume(trial, instance);
    if (volume != NULL) {
        post_thief(trial, volume->name);
    }
}

static void steal_by_size(struct trial *trial, const char *instance)
{
    (void)instance;
    post_thief(trial, NULL);
}

static void change_template(struct trial *trial, const char *instance)
{
    (void)instance;
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, NULL,
                 "{'spec':{'cluster':{'postgresql':{'parameters':{'work_mem':'%dMB'}}}}}",
                 (int)trial_draw(trial, 4, 64));
}

static void patch_instance(struct trial *trial, const char *instance, const char *spec)
{
    people_patch(trial, people_kind(trial, "instances"), SCENE_DEV, instance, NULL, "{'spec':{%s}}",
                 spec);
}

static void hibernate(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'hibernated':true");
}

static void wake(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'hibernated':false");
}

static void shorten(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'lifetime':'" SCENE_SHORT_LIFE "'");
}

static void extend(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'lifetime':'30d'");
}

static void protect(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'protectedUntil':'2027-03-01T09:00:00Z'");
}

static void protect_no_longer(struct trial *trial, const char *instance)
{
    patch_instance(trial, instance, "'protectedUntil':null");
}

static void count_resets(struct trial *trial, const char *instance, bool takes_back)
{
    const struct record *record =
        people_see(trial, people_kind(trial, "instances"), SCENE_DEV, instance);
    if (record == NULL) {
        return;
    }
    struct instance_sight seen = instance_sight(record->value);
    int64_t last = seen.reset_count > seen.resets_done ? seen.reset_count : seen.resets_done;
    people_patch(trial, record->resource, SCENE_DEV, instance, NULL,
                 "{'spec':{'reset':{'count':%d}}}",
                 (int)(takes_back ? seen.resets_done : last + 1));
}

static void reset(struct trial *trial, const char *instance)
{
    count_resets(trial, instance, false);
}

/* When the old database goes already, its Cluster is missed afterwards. */
static void take_reset_back(struct trial *trial, const char *instance)
{
    touch(trial, instance);
    count_resets(trial, instance, true);
}

const struct deed deeds[] = {
    {"deletes-holding", delete_holding},
    {"deletes-claim", delete_claim},
    {"deletes-cluster", delete_cluster},
    {"deletes-both", delete_both},
    {"deletes-instance", delete_instance},
    {"replaces-instance", replace_instance},
    {"strips-finalizer", strip_finalizer},
    {"clears-status", clear_status},
    {"edits-policy", edit_policy},
    {"edits-state", edit_state},
    {"frees-volume", free_volume},
    {"strips-labels", strip_labels},
    {"steals-by-name", steal_by_name},
    {"steals-by-size", steal_by_size},
    {"changes-template", change_template},
    {"hibernates", hibernate},
    {"wakes", wake},
    {"shortens", shorten},
    {"extends", extend},
    {"protects", protect},
    {"protects-no-longer", protect_no_longer},
    {"resets", reset},
    {"takes-reset-back", take_reset_back},
    {NULL, NULL},
};

/* "deed instance" */
static void do_it(struct trial *trial, const char *argument)
{
    const char *instance = strchr(argument, ' ');
    size_t bytes = (size_t)(instance - argument);
    if (trial->is_over) {
        return;
    }
    world_trace(trial->world, "a person %s", argument);
    for (const struct deed *deed = deeds; deed->name != NULL; deed++) {
        if (strlen(deed->name) == bytes && strncmp(deed->name, argument, bytes) == 0) {
            deed->act(trial, instance + 1);
        }
    }
}

void deed_at(struct trial *trial, const char *name, const char *instance, int64_t delay_ms)
{
    char argument[2 * NAME_BYTES];
    (void)snprintf(argument, sizeof(argument), "%s %s", name, instance);
    trial_at(trial, delay_ms, do_it, argument);
}

void deed_draw(struct trial *trial, int64_t count, int64_t within_ms)
{
    int64_t known = 0;
    while (deeds[known].name != NULL) {
        known++;
    }
    for (int64_t i = 0; i < count; i++) {
        char instance[NAME_BYTES];
        (void)snprintf(instance, sizeof(instance), "i%d",
                       (int)trial_draw(trial, 1, trial->wish.claim_count));
        deed_at(trial, deeds[trial_draw(trial, 0, known - 1)].name, instance,
                trial_draw(trial, 0, within_ms));
    }
}
