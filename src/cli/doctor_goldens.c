/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's own judgement of each golden (plan/golden.h), and what would take a golden away
   from its clones later: policies. */
#include "api/names.h"
#include "api/pool.h"
#include "api/volume.h"
#include "cli/doctor.h"
#include "plan/golden.h"

#define SNAPSHOTS "/apis/snapshot.storage.k8s.io/v1"
#define SNAPSHOT_CLASSES SNAPSHOTS "/volumesnapshotclasses"
#define KEEP_VOLUME                                                                                \
    "kubectl patch pv %s -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'"

static const struct object *volume_with_handle(const struct doctor *doctor, const char *handle)
{
    for (size_t i = 0; handle != NULL && i < doctor->volumes.count; i++) {
        if (text_equal(doctor->volumes.objects[i]->volume->handle, handle)) {
            return doctor->volumes.objects[i];
        }
    }
    return NULL;
}

static void judge_volume(struct doctor *doctor, const struct object *volume)
{
    const char *class_name = volume->volume->storage_class;
    const struct object *class =
        class_name == NULL ? NULL
                           : store_get(doctor->cluster.store, KIND_STORAGE_CLASS, NULL, class_name);
    bool takes_clones = class != NULL && class->storage_class->options_on_deletion;
    const char *subject = doctor_name(doctor, volume);
    if (volume->volume->policy != RECLAIM_RETAIN) {
        doctor_find(doctor, takes_clones ? FINDING_FAIL : FINDING_WARN, subject,
                    "the golden is on it, and who deletes its PVC destroys it%s: " KEEP_VOLUME,
                    takes_clones ? " with every clone of it, claimed databases too "
                                   "(OptionsOnDeletion of its class)"
                                 : "",
                    volume->meta.name);
    } else if (takes_clones) {
        doctor_find(doctor, FINDING_WARN, subject,
                    "the golden is on it, and its class %s has OptionsOnDeletion: never set its "
                    "policy to Delete, which would destroy every clone, claimed databases too",
                    class_name);
    }
}

static void judge_class(struct doctor *doctor, const char *name, const struct json *class)
{
    const char *policy = json_text(json_member(class, "deletionPolicy"));
    if (!text_equal(policy, "Retain")) {
        doctor_find(doctor, FINDING_WARN,
                    arena_print(&doctor->arena, "VolumeSnapshotClass %s", name),
                    "its deletionPolicy is %s: who deletes a VolumeSnapshot of it destroys that "
                    "golden; make a class with Retain for the next one",
                    policy == NULL ? "(none)" : policy);
    }
}

static void look_at_class(struct doctor *doctor, const char *name)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    const char *path = arena_print(&doctor->arena, SNAPSHOT_CLASSES "/%s", name);
    if (fetch_json(doctor->cli, path, &document, &error)) {
        judge_class(doctor, name, json_root(document));
    } else {
        doctor_cannot_see(doctor, arena_print(&doctor->arena, "VolumeSnapshotClass %s", name),
                          &error);
    }
}

/* Before there is a Pool: all of the driver's. */
static void look_at_classes(struct doctor *doctor)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (!fetch_json(doctor->cli, SNAPSHOT_CLASSES, &document, &error)) {
        doctor_cannot_see(doctor, "VolumeSnapshotClasses", &error);
        return;
    }
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        const char *name = json_text(json_path(at, "metadata", "name", NULL));
        if (name != NULL && text_equal(json_text(json_member(at, "driver")), DRIVER_FSX_OPENZFS)) {
            judge_class(doctor, name, at);
        }
    }
}

static void judge_content(struct doctor *doctor, const struct object *content)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    const char *name = content->meta.name;
    const char *subject = doctor_name(doctor, content);
    if (!fetch_json(doctor->cli,
                    arena_print(&doctor->arena, SNAPSHOTS "/volumesnapshotcontents/%s", name),
                    &document, &error)) {
        doctor_cannot_see(doctor, subject, &error);
        return;
    }
    const struct json *spec = json_member(json_root(document), "spec");
    const char *policy = json_text(json_member(spec, "deletionPolicy"));
    if (!text_equal(policy, "Retain")) {
        doctor_find(doctor, FINDING_WARN, subject,
                    "its deletionPolicy is %s: who deletes its VolumeSnapshot destroys the golden "
                    "as soon as it has no clone: kubectl patch volumesnapshotcontent %s --type "
                    "merge -p '{\"spec\":{\"deletionPolicy\":\"Retain\"}}'",
                    policy == NULL ? "(none)" : policy, name);
    }
    const char *class = json_text(json_member(spec, "volumeSnapshotClassName"));
    if (class != NULL) {
        look_at_class(doctor, class);
    }
    const struct object *volume =
        volume_with_handle(doctor, json_text(json_path(spec, "source", "volumeHandle", NULL)));
    if (volume != NULL) {
        judge_volume(doctor, volume);
    }
}

static void look_at(struct doctor *doctor, const struct object *pool)
{
    struct key key = {.kind = KIND_POOL};
    char text[KEY_BYTES];
    struct pool_observation seen;
    key_write(KIND_POOL, pool->meta.namespace, pool->meta.name, text);
    if (!key_read(text, &key) || !observe_pool(&doctor->seen, &key, &doctor->arena, &seen)) {
        return;
    }
    struct golden golden = golden_judge(pool, &seen.golden, &doctor->arena);
    doctor_find(doctor, golden.ready ? FINDING_OK : FINDING_FAIL, doctor_name(doctor, pool),
                "%s: %s", golden.reason, golden.message);
    if (seen.golden.content != NULL) {
        judge_content(doctor, seen.golden.content);
    }
}

void doctor_goldens(struct doctor *doctor)
{
    size_t count = 0;
    const struct object *const *pools = doctor_objects(doctor, KIND_POOL, &count);
    for (size_t i = 0; i < count; i++) {
        look_at(doctor, pools[i]);
    }
    if (count == 0) {
        look_at_classes(doctor);
    }
}
