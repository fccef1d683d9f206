/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG's conditions are more than a struct conditions holds, and of them two matter, so
   those are looked up in place. */
#include "api/cluster.h"

#include "api/field.h"
#include "api/names.h"
#include "base/text.h"

const char *const DURABILITY_PARAMETERS[DURABILITY_PARAMETER_COUNT] = {
    [PARAMETER_FSYNC] = "fsync",
    [PARAMETER_FULL_PAGE_WRITES] = "full_page_writes",
    [PARAMETER_SYNCHRONOUS_COMMIT] = "synchronous_commit",
};

static const struct json *find_condition(struct json_reader *reader, const struct json *status,
                                         const char *type)
{
    const struct json *conditions = field_array(reader, status, "conditions");
    for (const struct json *at = json_first(conditions); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(json_member(at, "type")), type)) {
            return at;
        }
    }
    return NULL;
}

void cluster_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct cluster *cluster = arena_new(reader->arena, 1, sizeof(*cluster));
    const struct json *status = field_object(reader, root, "status");
    cluster->phase = json_word(reader, status, "phase");
    cluster->image = json_word(reader, status, "image");
    cluster->phase_reason = json_word(reader, status, "phaseReason");
    cluster->system_id = json_word(reader, status, "systemID");
    cluster->current_primary = json_string(reader, status, "currentPrimary");
    cluster->ready_instances = json_int64(reader, status, "readyInstances", 0);

    const struct json *ready = find_condition(reader, status, "Ready");
    const char *ready_status = json_text(json_member(ready, "status"));
    cluster->ready = text_equal(ready_status, "True");
    if (text_equal(ready_status, "False")) {
        cluster->problem = field_string(reader, ready, "message");
    }
    const struct json *parameters =
        json_path(root, "spec", "postgresql", "parameters", (const char *)NULL);
    for (size_t i = 0; i < DURABILITY_PARAMETER_COUNT; i++) {
        cluster->parameters[i] = json_word(reader, parameters, DURABILITY_PARAMETERS[i]);
    }
    cluster->secret = json_string(
        reader, json_path(root, "spec", "bootstrap", "recovery", "secret", (const char *)NULL),
        "name");
    const struct json *hibernation = find_condition(reader, status, CNPG_ANNOTATION_HIBERNATION);
    cluster->hibernating = hibernation != NULL;
    cluster->hibernated = text_equal(json_text(json_member(hibernation, "status")), "True");
    object->cluster = cluster;
}

void job_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    (void)root;
    struct job *job = arena_new(reader->arena, 1, sizeof(*job));
    job->cluster = object_label(object, CNPG_LABEL_CLUSTER);
    object->job = job;
}

void pod_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    static const char *const phases[] = {
        [POD_PENDING] = "Pending", [POD_RUNNING] = "Running", [POD_SUCCEEDED] = "Succeeded",
        [POD_FAILED] = "Failed",   [POD_UNKNOWN] = "Unknown", NULL};
    struct pod *pod = arena_new(reader->arena, 1, sizeof(*pod));
    const struct json *status = field_object(reader, root, "status");
    pod->phase = (enum pod_phase)field_choice_or(reader, status, "phase", phases, POD_PENDING);
    pod->reason = json_string(reader, status, "reason");
    object->pod = pod;
}

void config_map_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct config_map *config_map = arena_new(reader->arena, 1, sizeof(*config_map));
    config_map->data = field_map(reader, root, "data", &config_map->count);
    object->config_map = config_map;
}

void kube_namespace_decode(struct json_reader *reader, const struct json *root,
                           struct object *object)
{
    struct kube_namespace *kube_namespace = arena_new(reader->arena, 1, sizeof(*kube_namespace));
    const struct json *phase = json_member(field_object(reader, root, "status"), "phase");
    kube_namespace->terminating = text_equal(json_text(phase), "Terminating");
    object->kube_namespace = kube_namespace;
}
