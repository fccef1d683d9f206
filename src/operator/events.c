/* SPDX-License-Identifier: Apache-2.0 */
/* Told from changes of conditions in the store, not from plans: what could not be written did not
   happen. A condition's message may count down and change every minute; its reason is what makes an
   Event. */
#include "operator/events.h"

#include "api/instance.h"
#include "api/kind.h"
#include "api/names.h"
#include "api/pool.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/timestamp.h"

#include <inttypes.h>
#include <string.h>

#define EVENTS_API "events.k8s.io/v1"
#define REPORTING_CONTROLLER "adjoint.dev/operator"

enum {
    NOTED_MAX = 200,
    TOLD_MAX = 1000,
    NOTE_BYTES_MAX = 1024, /* (pkg/apis/core/validation/events.go) */
    SERIES_EACH_MS = 60 * 1000,
    SERIES_WITHIN_MS = 30 * 60 * 1000,
    DEADLINE_MS = 10 * 1000,
    PATH_BYTES = 1024,
};

struct noted_event {
    struct noted_event *next;
    enum object_kind kind;
    char *namespace, *name, *uid, *resource_version;
    char *action, *reason, *note;
    bool is_warning;
};

struct told_event {
    char *key, *path;       /* of the Event itself */
    int64_t count, sent_ms; /* sent_ms: wall, of the last write */
};

static void noted_free(struct noted_event *noted)
{
    memory_free(noted->namespace);
    memory_free(noted->name);
    memory_free(noted->uid);
    memory_free(noted->resource_version);
    memory_free(noted->action);
    memory_free(noted->reason);
    memory_free(noted->note);
    memory_free(noted);
}

static void told_free(struct told_event *told)
{
    memory_free(told->key);
    memory_free(told->path);
    memory_free(told);
}

static void forget_all(struct events *events)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&events->told, &at, &entry)) {
        told_free(entry.value);
    }
    map_release(&events->told);
    map_init(&events->told);
}

void events_init(struct events *events, const char *instance)
{
    *events = (struct events){.instance = memory_copy_text(instance)};
    map_init(&events->told);
}

static struct noted_event *take_first(struct events *events)
{
    struct noted_event *first = events->noted;
    if (first != NULL) {
        events->noted = first->next;
        events->noted_last = first->next == NULL ? NULL : events->noted_last;
        events->noted_count--;
    }
    return first;
}

void events_release(struct events *events)
{
    for (struct noted_event *noted = take_first(events); noted != NULL;
         noted = take_first(events)) {
        noted_free(noted);
    }
    forget_all(events);
    map_release(&events->told);
    memory_free(events->instance);
}

/* ---- noting ---- */

static void note(struct events *events, const struct object *about, const char *action,
                 const char *reason, const char *text, bool is_warning)
{
    if (events->instance == NULL || about->meta.uid == NULL) {
        return;
    }
    if (events->noted_count >= NOTED_MAX) {
        events->left_out++;
        return;
    }
    struct noted_event *noted = memory_new(1, sizeof(*noted));
    noted->kind = about->kind;
    noted->namespace =
        text_equal(about->meta.namespace, "") ? NULL : memory_copy_text(about->meta.namespace);
    noted->name = memory_copy_text(about->meta.name);
    noted->uid = memory_copy_text(about->meta.uid);
    noted->resource_version = memory_copy_text(about->meta.resource_version);
    noted->action = memory_copy_text(action);
    noted->reason = memory_copy_text(reason);
    noted->note = memory_copy_text(text);
    noted->is_warning = is_warning;
    *(events->noted_last == NULL ? &events->noted : &events->noted_last->next) = noted;
    events->noted_last = noted;
    events->noted_count++;
}

void events_note_warning(struct events *events, const struct object *about, const char *action,
                         const char *reason, const char *text)
{
    note(events, about, action, reason, text, true);
}

static const struct conditions *conditions_of(const struct object *object)
{
    static const struct conditions none = {.count = 0};
    if (object == NULL) {
        return &none;
    }
    return object->kind == KIND_POOL ? &object->pool->conditions : &object->instance->conditions;
}

static bool is_of(const struct condition *condition, const char *type)
{
    return text_equal(condition->type, type);
}

/* What another condition says already is not said again. */
static bool is_news(const struct object *object, const struct conditions *conditions,
                    const struct condition *condition)
{
    if (object->kind == KIND_POOL) {
        return true;
    }
    const struct condition *eligible = conditions_find(conditions, INSTANCE_CONDITION_ELIGIBLE);
    bool may_claim = eligible == NULL || eligible->status == CONDITION_TRUE;
    bool holds = condition->status == CONDITION_TRUE;
    return is_of(condition, INSTANCE_CONDITION_ELIGIBLE)       ? !holds
           : is_of(condition, INSTANCE_CONDITION_VOLUME_BOUND) ? holds
                                                               : may_claim;
}

/* Not being Ready yet is the ordinary course of things, and so are a rotation and its end, and a
   size that is not Adjoint's to say yet; what else does not hold asks for somebody, and so does an
   Instance that is given up, or about to go. */
static bool asks_for_somebody(const struct object *object, const struct condition *condition)
{
    if (is_of(condition, POOL_CONDITION_ROTATING)) {
        return false;
    }
    if (is_of(condition, INSTANCE_CONDITION_EXPIRING)) {
        return condition->status == CONDITION_TRUE;
    }
    bool waits = is_of(condition, CONDITION_READY) &&
                 (object->kind == KIND_POOL || object->instance->phase != PHASE_FAILED);
    bool has_time = text_equal(condition->reason, "HistoryShort") ||
                    text_equal(condition->reason, "ScaledByHand");
    return condition->status == CONDITION_FALSE && !waits && !has_time;
}

void events_changed(struct events *events, const struct object *before, const struct object *after)
{
    if (events->instance == NULL || after == NULL || before == NULL ||
        (after->kind != KIND_POOL && after->kind != KIND_INSTANCE)) {
        return;
    }
    const struct conditions *was = conditions_of(before);
    const struct conditions *is = conditions_of(after);
    for (size_t i = 0; i < is->count; i++) {
        const struct condition *condition = &is->items[i];
        const struct condition *old = conditions_find(was, condition->type);
        bool changed = old == NULL || old->status != condition->status ||
                       !text_equal(old->reason, condition->reason);
        if (changed && is_news(after, is, condition)) {
            note(events, after, condition->type, condition->reason, condition->message,
                 asks_for_somebody(after, condition));
        }
    }
}

/* ---- sending ---- */

static void ignore_reply(void *self, const struct reply *reply)
{
    (void)self; /* nothing depends on it; the tally of requests shows what was refused */
    (void)reply;
}

static void send(struct events *events, struct client *client, enum method method, const char *path,
                 const struct text *body)
{
    struct request request = {
        .method = method,
        .path = path,
        .content_type = method == METHOD_POST ? "application/json" : "application/merge-patch+json",
        .body = body->bytes,
        .body_bytes = body->length_bytes,
        .deadline_ms = DEADLINE_MS,
    };
    client_send(client, &request, CLIENT_LATER, false, ignore_reply, events);
}

static void write_regarding(const struct noted_event *noted, struct json_writer *json)
{
    const struct kind *kind = kind_of(noted->kind);
    json_member_object(json, "regarding");
    json_member_string(json, "apiVersion", kind->api_version);
    json_member_string(json, "kind", kind->kind);
    json_member_optional(json, "namespace", noted->namespace);
    json_member_string(json, "name", noted->name);
    json_member_string(json, "uid", noted->uid);
    json_member_optional(json, "resourceVersion", noted->resource_version);
    json_end_object(json);
}

static void write_event(const struct events *events, const struct noted_event *noted,
                        const char *event_namespace, const char *event_name, const char *now_text,
                        struct text *out)
{
    cleanup_text struct text shortened;
    struct json_writer json;
    text_init(&shortened, NOTE_BYTES_MAX);
    text_append_bytes(&shortened, noted->note, strnlen(noted->note, NOTE_BYTES_MAX));
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_string(&json, "apiVersion", EVENTS_API);
    json_member_string(&json, "kind", "Event");
    json_member_object(&json, "metadata");
    json_member_string(&json, "namespace", event_namespace);
    json_member_string(&json, "name", event_name);
    json_end_object(&json);
    json_member_string(&json, "eventTime", now_text);
    json_member_string(&json, "reportingController", REPORTING_CONTROLLER);
    json_member_string(&json, "reportingInstance", events->instance);
    json_member_string(&json, "action", noted->action);
    json_member_string(&json, "reason", noted->reason);
    json_member_string(&json, "type", noted->is_warning ? "Warning" : "Normal");
    write_regarding(noted, &json);
    json_member_string(&json, "note", shortened.bytes);
    json_end_object(&json);
}

static void write_series(int64_t count, const char *now_text, struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_object(&json, "series");
    json_member_int64(&json, "count", count);
    json_member_string(&json, "lastObservedTime", now_text);
    json_end_object(&json);
    json_end_object(&json);
}

static void tell_first(struct events *events, const struct noted_event *noted, const char *key,
                       struct client *client, struct now now)
{
    cleanup_text struct text name;
    cleanup_text struct text path;
    cleanup_text struct text body;
    char now_text[TIMESTAMP_BYTES];
    const char *namespace = noted->namespace == NULL ? "default" : noted->namespace;
    text_init(&name, PATH_BYTES);
    text_init(&path, PATH_BYTES);
    text_init(&body, LIMIT_BODY_BYTES);
    timestamp_format_micros(now.wall_ms, now_text);
    text_print(&name, "%s.%016" PRIx64, noted->name, digest_hash(key) ^ (uint64_t)now.wall_ms);
    text_print(&path, "/apis/" EVENTS_API "/namespaces/%s/events", namespace);
    write_event(events, noted, namespace, name.bytes, now_text, &body);
    send(events, client, METHOD_POST, path.bytes, &body);

    struct told_event *told = memory_new(1, sizeof(*told));
    text_print(&path, "/%s", name.bytes);
    told->key = memory_copy_text(key);
    told->path = text_take(&path);
    told->count = 1;
    told->sent_ms = now.wall_ms;
    (void)map_put(&events->told, told->key, told);
}

static void tell_again(struct events *events, struct told_event *told, struct client *client,
                       struct now now)
{
    told->count++;
    if (now.wall_ms - told->sent_ms < SERIES_EACH_MS) {
        return;
    }
    cleanup_text struct text body;
    char now_text[TIMESTAMP_BYTES];
    text_init(&body, LIMIT_BODY_BYTES);
    timestamp_format_micros(now.wall_ms, now_text);
    write_series(told->count, now_text, &body);
    told->sent_ms = now.wall_ms;
    send(events, client, METHOD_PATCH, told->path, &body);
}

static void tell(struct events *events, const struct noted_event *noted, struct client *client,
                 struct now now)
{
    cleanup_text struct text key;
    text_init(&key, LIMIT_BODY_BYTES);
    text_print(&key, "%s %s %s %s", noted->uid, noted->action, noted->reason, noted->note);
    struct told_event *told = map_get(&events->told, key.bytes);
    if (told != NULL && now.wall_ms - told->sent_ms > SERIES_WITHIN_MS) {
        told_free(map_remove(&events->told, key.bytes));
        told = NULL;
    }
    if (told != NULL) {
        tell_again(events, told, client, now);
        return;
    }
    if (events->told.count >= TOLD_MAX) {
        forget_all(events);
    }
    tell_first(events, noted, key.bytes, client, now);
}

void events_step(struct events *events, struct client *client, struct now now)
{
    for (struct noted_event *noted = take_first(events); noted != NULL;
         noted = take_first(events)) {
        tell(events, noted, client, now);
        noted_free(noted);
    }
}
