/* SPDX-License-Identifier: Apache-2.0 */
/* One merge patch of all our fields, when their text differs from that of the status as read. The
   times of steps alone are no news: they ride along with the next change, so that a claim costs
   three status writes (chosen, starting, ready) and not one a step.

   It is written at the resourceVersion it was made from, or not at all. A choice must not be made
   twice; and a status says which volume is the Instance's: made from a late view of an Instance
   that is gone, it would tell the next one of that name that it has the old one's. (The uid does
   not do: a custom resource's status strategy takes metadata from the stored object before it is
   compared.) */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "base/timestamp.h"
#include "plan/body.h"
#include "plan/trouble.h"

#include <string.h>

static void write_named(struct json_writer *json, const char *key, const char *value)
{
    json_write_key(json, key);
    json_write_string(json, value); /* NULL writes null, which removes the field */
}

static void write_volume(struct json_writer *json, const struct instance *status)
{
    if (status->volume == NULL) {
        json_member_raw(json, "volume", "null");
        json_member_raw(json, "golden", "null");
        return;
    }
    json_member_object(json, "volume");
    write_named(json, "name", status->volume);
    write_named(json, "handle", status->volume_handle);
    write_named(json, "holdingClaimUID", status->holding_uid);
    json_member_optional(json, "offer", status->offer);
    json_end_object(json);
    json_member_object(json, "golden");
    write_named(json, "name", status->golden);
    write_named(json, "uid", status->golden_uid);
    write_named(json, "systemID", status->system_id);
    json_end_object(json);
}

static void write_cluster(struct json_writer *json, const struct instance *status)
{
    if (status->cluster_uid == NULL) {
        return; /* never Ready yet; once known it is never forgotten */
    }
    json_member_object(json, "cluster");
    json_member_string(json, "uid", status->cluster_uid);
    json_member_int64(json, "generation", status->cluster_generation);
    json_member_bool(json, "edited", status->cluster_edited);
    json_member_object(json, "parameters");
    for (size_t i = 0; i < DURABILITY_PARAMETER_COUNT; i++) {
        write_named(json, DURABILITY_PARAMETERS[i], status->parameters_in_force[i]);
    }
    json_end_object(json);
    json_end_object(json);
}

static void write_connection(struct json_writer *json, const struct instance *status)
{
    if (status->connection_host == NULL) {
        json_member_raw(json, "connection", "null");
        return;
    }
    json_member_object(json, "connection");
    json_member_string(json, "host", status->connection_host);
    json_member_int64(json, "port", CNPG_PORT);
    write_named(json, "database", status->connection_database);
    write_named(json, "user", status->connection_user);
    write_named(json, "secret", status->connection_secret);
    json_end_object(json);
}

static void write_binding(struct json_writer *json, const struct instance *status)
{
    if (status->binding_secret != NULL) {
        json_member_object(json, "binding");
        json_member_string(json, "name", status->binding_secret);
        json_member_optional(json, "user", status->binding_user);
        json_member_optional(json, "database", status->binding_database);
        json_end_object(json);
    }
}

static void write_timings(struct json_writer *json, const struct instance *status)
{
    json_member_object(json, "timings");
    for (int step = 0; step < STEP_COUNT; step++) {
        char at[TIMESTAMP_BYTES];
        if (status->steps[step] != 0) {
            timestamp_format_millis(status->steps[step], at);
        }
        write_named(json, claim_step_name((enum claim_step)step),
                    status->steps[step] == 0 ? NULL : at);
    }
    if (status->first_eta_ms != 0) {
        body_time(json, "firstETA", status->first_eta_ms);
    }
    json_end_object(json);
}

/* What is counted from. */
static void write_moment(struct json_writer *json, const char *key, int64_t wall_ms)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_millis(wall_ms, at);
    write_named(json, key, wall_ms == 0 ? NULL : at);
}

/* null removes what was there; what never was is not written. */
static void write_life(struct json_writer *json, const struct instance *status,
                       const struct instance *before)
{
    if (status->served_ms != 0 || before->served_ms != 0) {
        write_moment(json, "servedAt", status->served_ms);
    }
    if (status->expires_ms != 0 || before->expires_ms != 0) {
        body_time(json, "expiresAt", status->expires_ms);
    }
}

static void write_reset(struct json_writer *json, const struct reset_progress *reset,
                        const struct reset_progress *before)
{
    bool was_there = before->count != 0 || before->asked_ms != 0 || before->volume != NULL;
    if (reset->count == 0 && reset->asked_ms == 0 && reset->volume == NULL && !was_there) {
        return;
    }
    json_member_object(json, "reset");
    json_member_int64(json, "count", reset->count);
    write_moment(json, "askedAt", reset->asked_ms);
    write_named(json, "volume", reset->volume);
    write_named(json, "holdingClaimUID", reset->holding_uid);
    json_end_object(json);
}

/* before: what the patch is put on. */
static const char *status_text(const struct instance *status, const struct instance *before,
                               const char *resource_version, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    if (resource_version != NULL) {
        json_member_object(json, "metadata");
        json_member_string(json, "resourceVersion", resource_version);
        json_end_object(json);
    }
    json_member_object(json, "status");
    json_member_string(json, "phase", instance_phase_name(status->phase));
    json_member_int64(json, "observedGeneration", status->observed_generation);
    write_volume(json, status);
    if (status->queue_position == 0) {
        json_member_raw(json, "queue", "null");
    } else {
        json_member_object(json, "queue");
        json_member_int64(json, "position", status->queue_position);
        body_time(json, "eta", status->queue_eta_ms);
        json_end_object(json);
    }
    write_cluster(json, status);
    write_connection(json, status);
    write_binding(json, status);
    write_timings(json, status);
    write_reset(json, &status->reset, &before->reset);
    write_life(json, status, before);
    json_write_key(json, "conditions");
    conditions_write(&status->conditions, json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

static bool is_news(const struct instance_turn *turn)
{
    struct instance next = turn->next;
    memcpy(next.steps, turn->before->steps, sizeof next.steps);
    struct arena *arena = turn->plan->arena;
    return !text_equal(status_text(&next, turn->before, NULL, arena),
                       status_text(turn->before, turn->before, NULL, arena));
}

bool instance_status_plan(struct instance_turn *turn)
{
    if (!is_news(turn)) {
        return false;
    }
    if (trouble_silences(&turn->seen->trouble, turn->seen->held)) {
        return true;
    }
    const char *version = turn->object->meta.resource_version;
    plan_add(
        turn->plan,
        (struct action){.kind = ACTION_STATUS_PATCH,
                        .purpose = turn->choosing ? PURPOSE_CHOOSE : PURPOSE_STATUS,
                        .object = KIND_INSTANCE,
                        .namespace = turn->object->meta.namespace,
                        .name = turn->object->meta.name,
                        .body = status_text(&turn->next, turn->before, version, turn->plan->arena),
                        .reason = instance_phase_name(turn->next.phase)});
    return true;
}
