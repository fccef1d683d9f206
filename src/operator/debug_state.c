/* SPDX-License-Identifier: Apache-2.0 */
/* For a person who asks why something does not happen: what is believed here, beside what
   `kubectl get` says there is. */
#include "operator/telemetry.h"

#include "api/kind.h"
#include "base/json.h"
#include "operator/state.h"

static void write_watches(const struct operator* op, struct now now, struct json_writer *json)
{
    json_member_array(json, "watches");
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        const struct informer *informer = op->informers[kind];
        const struct error *error = informer_error(informer);
        json_begin_object(json);
        json_member_string(json, "kind", kind_of((enum object_kind)kind)->kind);
        json_member_bool(json, "synced", informer_synced(informer));
        json_member_int64(json, "objects", (int64_t)store_count(op->store, (enum object_kind)kind));
        json_member_int64(json, "lastContactMs", now.mono_ms - informer_last_contact(informer));
        json_member_optional(json, "error", error->class == ERROR_NONE ? NULL : error->message);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_places(const struct operator* op, struct json_writer *json)
{
    json_member_array(json, "queue");
    for (size_t i = 0; i < op->assignment.place_count; i++) {
        const struct assignment_place *place = &op->assignment.places[i];
        json_begin_object(json);
        json_member_string(json, "namespace", place->instance_namespace);
        json_member_string(json, "instance", place->instance_name);
        json_member_string(json, "poolNamespace", place->pool_namespace);
        json_member_string(json, "pool", place->pool_name);
        json_member_optional(json, "volume", place->volume);
        json_member_int64(json, "position", place->position);
        json_member_bool(json, "eligible", place->eligible);
        json_member_bool(json, "waits", place->waits);
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_memo(const struct memo *memo, struct now now, struct json_writer *json)
{
    static const char *const preflights[] = {NULL, "passed", "failed"};
    json_begin_object(json);
    json_member_string(json, "key", memo->key);
    json_member_bool(json, "processing", memo->processing);
    if (memo->trouble_class != ERROR_NONE) {
        json_member_string(json, "trouble", error_class_name(memo->trouble_class));
        json_member_string(json, "doing", purpose_name(memo->trouble_purpose));
        json_member_optional(json, "message", memo->trouble_message);
        json_member_int64(json, "failures", memo->failures);
    }
    if (memo_held(memo, now)) {
        json_member_int64(json, "heldMs", memo->held_until_ms - now.mono_ms);
    }
    json_member_optional(json, "preflight", preflights[memo->preflight.state]);
    json_member_optional(json, "assumedVolume", memo->assumed_volume);
    json_member_optional(json, "finding", memo->finding_reason);
    json_end_object(json);
}

static void write_memos(const struct operator* op, struct now now, struct json_writer *json)
{
    struct map_entry entry;
    size_t at = 0;
    json_member_array(json, "keys");
    while (map_next(&op->memos.by_key, &at, &entry)) {
        write_memo(entry.value, now, json);
    }
    json_end_array(json);
}

void operator_write_state(const struct operator* op, struct now now, struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_bool(&json, "leading", lease_held(op->lease, now));
    json_member_string(&json, "holder", lease_holder(op->lease));
    json_member_bool(&json, "synced", op->synced);
    json_member_bool(&json, "stopping", op->stopping);
    json_member_int64(&json, "requestsInFlight", (int64_t)client_in_flight(op->client));
    json_member_int64(&json, "keysReady", (int64_t)queue_length(op->queue));
    write_watches(op, now, &json);
    write_places(op, &json);
    write_memos(op, now, &json);
    json_end_object(&json);
    text_append_char(out, '\n');
}
