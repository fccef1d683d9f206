/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_api.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/memory.h"
#include "support/api_list.h"
#include "support/api_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LEASES "/apis/coordination.k8s.io/"
#define DRY_RUN "dryRun=All"

enum { CALL_COUNT_MAX = 256, EVENT_COUNT_MAX = 20000 };

struct fake_call_slot {
    bool used, late;
    int late_status; /* what was answered, while it is late */
    struct text late_body;
    struct request request;
    struct sink sink;
    struct arena arena;
    bool watching; /* its head was sent */
    size_t event;  /* the next to tell */
};

struct event {
    enum api_event event;
    enum object_kind kind;
    char *json;
    int64_t version;
};

struct fake_api {
    struct api_table *table;
    struct fake_leases leases;
    struct fake_call_slot calls[CALL_COUNT_MAX];
    struct event events[EVENT_COUNT_MAX];
    size_t event_count, write_count;
    struct fake_faults faults;
    bool hold_watches, stopped;
    size_t stop_at; /* write_count; 0: never */
    struct text log, taken;
};

static void note_change(void *self, enum api_event event, const struct api_entry *entry)
{
    struct fake_api *api = self;
    assert_true(api->event_count < EVENT_COUNT_MAX);
    api->events[api->event_count++] = (struct event){
        event, entry->kind, memory_copy_text(entry->json), api_table_version(api->table)};
}

struct fake_api *fake_api_new(void)
{
    struct fake_api *api = memory_new(1, sizeof(*api));
    api->table = api_table_new(note_change, api);
    fake_leases_init(&api->leases);
    text_init(&api->log, LIMIT_BODY_BYTES);
    text_init(&api->taken, LIMIT_BODY_BYTES);
    return api;
}

static void call_clear(struct fake_call_slot *call)
{
    if (call->used) {
        arena_release(&call->arena);
    }
    if (call->late) {
        text_release(&call->late_body);
    }
    *call = (struct fake_call_slot){0};
}

void fake_api_free(struct fake_api *api)
{
    for (size_t i = 0; i < CALL_COUNT_MAX; i++) {
        call_clear(&api->calls[i]);
    }
    for (size_t i = 0; i < api->event_count; i++) {
        memory_free(api->events[i].json);
    }
    fake_leases_release(&api->leases);
    text_release(&api->log);
    text_release(&api->taken);
    api_table_free(api->table);
    memory_free(api);
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct fake_api *api = self;
    struct fake_call_slot *call = api->calls;
    while (call->used) {
        call++;
        assert_true(call < api->calls + CALL_COUNT_MAX);
    }
    *call = (struct fake_call_slot){.used = true, .request = *request, .sink = sink};
    arena_init(&call->arena, 0);
    call->request.path = arena_copy(&call->arena, request->path);
    call->request.body = arena_copy_bytes(&call->arena, request->body, request->body_bytes);
    return (struct call *)call;
}

static void cancel(void *self, struct call *call)
{
    (void)self;
    call_clear((struct fake_call_slot *)call);
}

struct transport fake_api_seam(struct fake_api *api)
{
    return (struct transport){.start = start, .cancel = cancel, .self = api};
}

struct api_table *fake_api_table(struct fake_api *api)
{
    return api->table;
}

struct fake_leases *fake_api_leases(struct fake_api *api)
{
    return &api->leases;
}

static bool is_watch(const struct request *request)
{
    return request->method == METHOD_GET && strstr(request->path, "watch=1") != NULL;
}

static void begin_watch(const struct fake_api *api, struct fake_call_slot *call)
{
    const char *version = strstr(call->request.path, "resourceVersion=");
    assert_non_null(version);
    int64_t after = 0;
    struct error error;
    assert_true(text_parse_int64(version + strlen("resourceVersion="), &after, &error));
    while (call->event < api->event_count && api->events[call->event].version <= after) {
        call->event++;
    }
    call->watching = true;
    call->sink.head(call->sink.self, 200, 0);
}

/* One event, if there is one. */
static bool tell_watch(struct fake_api *api, struct fake_call_slot *call)
{
    static const char *const names[] = {"ADDED", "MODIFIED", "DELETED"};
    if (call->event == api->event_count) {
        return false; /* as nearly always: the path is not looked at */
    }
    enum object_kind kind = api_path_parse(call->request.path).kind;
    while (call->event < api->event_count) {
        const struct event *event = &api->events[call->event++];
        if (event->kind != kind) {
            continue;
        }
        bool selected = api_list_selects(&call->request, event->json);
        if (!selected && event->event == API_ADDED) {
            continue;
        }
        cleanup_text struct text line;
        text_init(&line, LIMIT_BODY_BYTES);
        text_print(&line, "{\"type\":\"%s\",\"object\":%s}\n",
                   selected ? names[event->event] : "DELETED", event->json);
        call->sink.bytes(call->sink.self, line.bytes, line.length_bytes);
        return true;
    }
    return false;
}

/* ---- requests ---- */

static int write_object(struct fake_api *api, const struct request *request,
                        const struct api_path *target, struct text *out)
{
    struct api_table *table = api->table;
    const char *body = request->body;
    switch (request->method) {
    case METHOD_POST:
        return api_table_create(table, target->kind, target->namespace, body,
                                strstr(request->path, DRY_RUN) != NULL, out);
    case METHOD_PATCH:
        if (text_equal(request->content_type, "application/json-patch+json")) {
            return api_table_json_patch(table, target->kind, target->namespace, target->name, body,
                                        out);
        }
        return api_table_merge_patch(table, target->kind, target->namespace, target->name,
                                     target->status, body, out);
    case METHOD_DELETE: {
        cleanup_json struct json_document *document = NULL;
        struct error error;
        assert_true(json_parse(body, strlen(body), &document, &error));
        const char *uid = json_text(json_path(json_root(document), "preconditions", "uid", NULL));
        assert_non_null(uid);
        return api_table_delete(table, target->kind, target->namespace, target->name, uid, out);
    }
    case METHOD_GET:
    case METHOD_PUT:
        break;
    }
    fail_msg("not expected: %s %s", method_name(request->method), request->path);
    return 0;
}

static int answer(struct fake_api *api, const struct request *request, struct text *out)
{
    if (text_starts_with(request->path, LEASES)) {
        return fake_leases_answer(&api->leases, request, out);
    }
    struct api_path target = api_path_parse(request->path);
    if (target.kind == KIND_COUNT) {
        fail_msg("no such path: %s", request->path);
    }
    if (request->method != METHOD_GET) {
        return write_object(api, request, &target, out);
    }
    if (target.name[0] == '\0') {
        api_list(api->table, request, target.kind, out);
        return 200;
    }
    return api_table_get(api->table, target.kind, target.namespace, target.name, out);
}

/* That changed something. */
static bool is_write(const struct request *request, int http_status)
{
    return request->method != METHOD_GET && http_status < 300 &&
           !text_starts_with(request->path, LEASES) && strstr(request->path, DRY_RUN) == NULL;
}

static void note_request(struct fake_api *api, const struct request *request)
{
    bool lease = text_starts_with(request->path, LEASES);
    bool dry_run = strstr(request->path, DRY_RUN) != NULL;
    struct api_path target =
        lease ? (struct api_path){.kind = KIND_COUNT} : api_path_parse(request->path);
    if (lease || (request->method == METHOD_GET && target.name[0] == '\0')) {
        return;
    }
    text_append(&api->log, method_name(request->method));
    text_append_char(&api->log, ' ');
    text_append_bytes(&api->log, request->path, strcspn(request->path, "?"));
    text_append(&api->log, dry_run ? "?dryRun=All\n" : "\n");
}

static void hand_over(struct fake_call_slot *slot, int http_status, const struct text *body,
                      bool lost)
{
    struct fake_call_slot call = *slot; /* the sink is told last: then the slot is free */
    *slot = (struct fake_call_slot){0};
    struct error error = {.class = ERROR_NONE};
    if (lost) {
        (void)error_set(&error, ERROR_UNKNOWN, "the reply was lost");
    } else {
        call.sink.head(call.sink.self, http_status, 0);
        call.sink.bytes(call.sink.self, body->bytes, body->length_bytes);
    }
    call.sink.end(call.sink.self, &error);
    arena_release(&call.arena);
}

static void reply(struct fake_api *api, struct fake_call_slot *call)
{
    const struct fake_fault_row *fault = fake_faults_meet(&api->faults, &call->request);
    cleanup_text struct text body;
    text_init(&body, LIMIT_BODY_BYTES);
    if (fault != NULL && fault->fault == FAKE_REFUSE) {
        text_print(&body, "{\"kind\":\"Status\",\"reason\":\"%s\",\"message\":\"asked to refuse\"}",
                   fault->reason);
        hand_over(call, fault->http_status, &body, false);
        return;
    }
    int http_status = answer(api, &call->request, &body);
    api->write_count += is_write(&call->request, http_status);
    if (api->stop_at != 0 && api->write_count >= api->stop_at) {
        api->stopped = true;
        return;
    }
    if (fault != NULL && fault->fault == FAKE_LATE) {
        call->late = true;
        call->late_status = http_status;
        text_init(&call->late_body, LIMIT_BODY_BYTES);
        text_append(&call->late_body, body.bytes);
        return;
    }
    hand_over(call, http_status, &body, fault != NULL);
}

static bool deliver_one(struct fake_api *api, struct fake_call_slot *call)
{
    if (!call->used || call->late || api->stopped) {
        return false;
    }
    if (is_watch(&call->request)) {
        if (!call->watching) {
            begin_watch(api, call);
            return true;
        }
        bool told = false;
        while (!api->hold_watches && call->used && tell_watch(api, call)) {
            told = true;
        }
        return told;
    }
    note_request(api, &call->request);
    reply(api, call);
    return true;
}

bool fake_api_deliver(struct fake_api *api)
{
    bool any = false;
    for (size_t i = 0; i < CALL_COUNT_MAX; i++) {
        any = deliver_one(api, &api->calls[i]) || any;
    }
    return any;
}

void fake_api_fault(struct fake_api *api, enum fake_fault fault, enum method method,
                    const char *path_part, int http_status, const char *reason)
{
    fake_faults_add(&api->faults, fault, method, path_part, http_status, reason);
}

void fake_api_release(struct fake_api *api)
{
    for (size_t i = 0; i < CALL_COUNT_MAX; i++) {
        struct fake_call_slot *call = &api->calls[i];
        if (call->late) {
            struct text body = call->late_body;
            call->late = false;
            hand_over(call, call->late_status, &body, false);
            text_release(&body);
        }
    }
}

void fake_api_stop_after(struct fake_api *api, size_t write_count)
{
    api->stop_at = write_count == 0 ? 0 : api->write_count + write_count;
    api->stopped = false;
}

bool fake_api_stopped(const struct fake_api *api)
{
    return api->stopped;
}

size_t fake_api_running(const struct fake_api *api)
{
    size_t count = 0;
    for (size_t i = 0; i < CALL_COUNT_MAX; i++) {
        count += api->calls[i].used;
    }
    return count;
}

void fake_api_forgive(struct fake_api *api)
{
    api->faults = (struct fake_faults){0};
}

void fake_api_hold_watches(struct fake_api *api, bool hold)
{
    api->hold_watches = hold;
}

size_t fake_api_write_count(const struct fake_api *api)
{
    return api->write_count;
}

const char *fake_api_take_log(struct fake_api *api)
{
    text_clear(&api->taken);
    text_append(&api->taken, api->log.bytes);
    text_clear(&api->log);
    return api->taken.bytes;
}
