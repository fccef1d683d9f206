/* SPDX-License-Identifier: Apache-2.0 */
/* The status is this operator's own memory, written by whichever version ran before; so what it
   does not know there reads as absent, while a spec it does not know is refused. */
#include "api/instance.h"

#include "api/field.h"

#include <assert.h>

static const char *const DELETION_POLICIES[] = {
    [DELETION_DELETE] = "Delete", [DELETION_RETAIN] = "Retain", NULL};

static const char *const WHEN_EMPTY[] = {
    [WHEN_EMPTY_WAIT] = "Wait", [WHEN_EMPTY_FAIL] = "Fail", NULL};
static const char *const DURABILITIES[] = {
    [DURABILITY_STANDARD] = "Standard", [DURABILITY_ORDERED] = "Ordered", NULL};
enum golden_choice { GOLDEN_ANY, GOLDEN_CURRENT };
static const char *const GOLDENS[] = {[GOLDEN_ANY] = "Any", [GOLDEN_CURRENT] = "Current", NULL};

static const char *const PHASES[] = {
    [PHASE_PENDING] = "Pending",     [PHASE_WAITING] = "Waiting",
    [PHASE_CLAIMING] = "Claiming",   [PHASE_STARTING] = "Starting",
    [PHASE_READY] = "Ready",         [PHASE_HIBERNATED] = "Hibernated",
    [PHASE_RESETTING] = "Resetting", [PHASE_FAILED] = "Failed",
    [PHASE_DELETING] = "Deleting",   [PHASE_COUNT] = NULL,
};

static const char *const STEPS[STEP_COUNT] = {
    [STEP_CHOSEN] = "chosenAt",
    [STEP_CLAIM_CREATED] = "claimCreatedAt",
    [STEP_VOLUME_CLAIMED] = "volumeClaimedAt",
    [STEP_BOUND] = "boundAt",
    [STEP_CLUSTER_CREATED] = "clusterCreatedAt",
    [STEP_READY] = "readyAt",
};

static void read_overrides(struct json_reader *reader, const struct json *cluster,
                           struct instance *instance)
{
    const struct json *postgresql = field_object(reader, cluster, "postgresql");
    size_t parameter_count = 0;
    size_t label_count = 0;
    instance->resources = json_string(reader, cluster, "resources");
    instance->parameters = field_map(reader, postgresql, "parameters", &parameter_count);
    instance->cluster_labels = field_map(reader, cluster, "labels", &label_count);
    instance->parameter_count = (uint32_t)parameter_count;
    instance->cluster_label_count = (uint32_t)label_count;
}

static void read_spec(struct json_reader *reader, const struct json *spec,
                      struct instance *instance)
{
    const struct json *pool = field_object(reader, spec, "pool");
    instance->pool = field_word(reader, pool, "name");
    instance->pool_namespace = field_word(reader, pool, "namespace");
    instance->deletion_policy = (enum deletion_policy)field_choice(
        reader, spec, "deletionPolicy", DELETION_POLICIES, DELETION_DELETE);
    instance->when_empty =
        (enum when_empty)field_choice(reader, spec, "whenEmpty", WHEN_EMPTY, WHEN_EMPTY_WAIT);
    instance->durability = (enum durability)field_choice(reader, spec, "durability", DURABILITIES,
                                                         DURABILITY_STANDARD);
    read_overrides(reader, field_object(reader, spec, "cluster"), instance);
    instance->lifetime_ms = field_duration(reader, spec, "lifetime", 0);
    instance->protected_until_ms = field_time(reader, spec, "protectedUntil");
    instance->hibernated = json_bool(reader, spec, "hibernated", false);
    const struct json *reset = field_object(reader, spec, "reset");
    instance->reset_count = json_int64(reader, reset, "count", 0);
    instance->reset_current =
        field_choice(reader, reset, "golden", GOLDENS, GOLDEN_ANY) == GOLDEN_CURRENT;
    instance->current_only =
        field_choice(reader, spec, "golden", GOLDENS, GOLDEN_ANY) == GOLDEN_CURRENT;
}

static void read_claim(struct json_reader *reader, const struct json *status,
                       struct instance *instance)
{
    const struct json *volume = field_object(reader, status, "volume");
    instance->volume = json_string(reader, volume, "name");
    instance->volume_handle = json_string(reader, volume, "handle");
    instance->holding_uid = json_string(reader, volume, "holdingClaimUID");
    instance->offer = json_string(reader, volume, "offer");

    const struct json *golden = field_object(reader, status, "golden");
    instance->golden = json_word(reader, golden, "name");
    instance->golden_uid = json_word(reader, golden, "uid");
    instance->system_id = json_word(reader, golden, "systemID");

    const struct json *timings = field_object(reader, status, "timings");
    for (size_t step = 0; step < STEP_COUNT; step++) {
        instance->steps[step] = field_time(reader, timings, STEPS[step]);
    }
    instance->first_eta_ms = field_time(reader, timings, "firstETA");
}

static void read_cluster(struct json_reader *reader, const struct json *cluster,
                         struct instance *instance)
{
    instance->cluster_uid = json_string(reader, cluster, "uid");
    instance->cluster_generation = json_int64(reader, cluster, "generation", 0);
    instance->cluster_edited = json_bool(reader, cluster, "edited", false);
    const struct json *parameters = field_object(reader, cluster, "parameters");
    for (size_t i = 0; i < DURABILITY_PARAMETER_COUNT; i++) {
        instance->parameters_in_force[i] = json_word(reader, parameters, DURABILITY_PARAMETERS[i]);
    }
}

static void read_life(struct json_reader *reader, const struct json *status,
                      struct instance *instance)
{
    const struct json *reset = field_object(reader, status, "reset");
    instance->reset = (struct reset_progress){
        .count = json_int64(reader, reset, "count", 0),
        .asked_ms = field_time(reader, reset, "askedAt"),
        .volume = json_string(reader, reset, "volume"),
        .holding_uid = json_string(reader, reset, "holdingClaimUID"),
    };
    instance->served_ms = field_time(reader, status, "servedAt");
    instance->expires_ms = field_time(reader, status, "expiresAt");
}

static void read_status(struct json_reader *reader, const struct json *status,
                        struct instance *instance)
{
    instance->observed_generation = json_int64(reader, status, "observedGeneration", 0);
    instance->phase =
        (enum instance_phase)field_choice_or(reader, status, "phase", PHASES, PHASE_PENDING);
    conditions_read(reader, status, &instance->conditions);
    read_claim(reader, status, instance);
    read_life(reader, status, instance);
    const struct json *queue = field_object(reader, status, "queue");
    instance->queue_position = json_int64(reader, queue, "position", 0);
    instance->queue_eta_ms = field_time(reader, queue, "eta");

    read_cluster(reader, field_object(reader, status, "cluster"), instance);

    const struct json *connection = field_object(reader, status, "connection");
    instance->connection_host = json_string(reader, connection, "host");
    instance->connection_secret = json_string(reader, connection, "secret");
    instance->connection_database = json_word(reader, connection, "database");
    instance->connection_user = json_word(reader, connection, "user");
    const struct json *binding = field_object(reader, status, "binding");
    instance->binding_secret = json_string(reader, binding, "name");
    instance->binding_user = json_word(reader, binding, "user");
    instance->binding_database = json_word(reader, binding, "database");
}

void instance_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct instance *instance = arena_new(reader->arena, 1, sizeof(*instance));
    read_spec(reader, field_object(reader, root, "spec"), instance);
    read_status(reader, field_object(reader, root, "status"), instance);
    object->instance = instance;
}

bool instance_is_of(const struct object *instance, const struct object *pool)
{
    return text_equal(instance->instance->pool, pool->meta.name) &&
           text_equal(instance->instance->pool_namespace, pool->meta.namespace);
}

bool instance_is_special(const struct instance *instance)
{
    return instance->durability != DURABILITY_STANDARD || instance->resources != NULL ||
           instance->parameter_count > 0 || instance->cluster_label_count > 0;
}

const char *instance_phase_name(enum instance_phase phase)
{
    assert(phase < PHASE_COUNT);
    return PHASES[phase];
}

const char *claim_step_name(enum claim_step step)
{
    assert(step < STEP_COUNT);
    return STEPS[step];
}
