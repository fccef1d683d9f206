/* SPDX-License-Identifier: Apache-2.0 */
/* A deletion is sent again until the API server says that there is nothing of that name, or a watch
   has shown that it went: a request whose reply was lost may have made it. */
#include "cli/field_item.h"

#include "api/names.h"
#include "cli/create.h"

enum {
    BODY_BYTES_MAX = 8 * 1024,
    PATH_BYTES_MAX = 2 * 1024,
    REQUEST_DEADLINE_MS = 30 * 1000,
    AGAIN_MS = 2000,
};

/* ---- requests ---- */

static void take_made(void *self, const struct reply *reply)
{
    struct field_item *item = self;
    enum error_class class = reply->error.class;
    item->state = FIELD_AHEAD;
    item->try_ms = item->test->cli->now.mono_ms + AGAIN_MS;
    if (class == ERROR_NONE || class == ERROR_EXISTS) {
        item->state = FIELD_MADE;
        item->try_ms = INT64_MIN;
    } else if (class == ERROR_UNKNOWN || class == ERROR_TIMEOUT) {
        item->may_be_there = true;
    } else if (class != ERROR_THROTTLED && class != ERROR_UNAVAILABLE) {
        item->state = item->may_be_there ? FIELD_MADE : FIELD_GONE;
        item->why = arena_copy(&item->test->arena, reply->error.message);
        field_test_refuse(item->test, &reply->error);
    }
}

static void make(struct field_item *item, struct now now)
{
    struct field_test *test = item->test;
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&body, BODY_BYTES_MAX);
    kind_path(kind_of(test->kind), test->namespace, NULL, NULL, &path);
    struct json_writer json;
    json_writer_init(&json, &body);
    create_begin(&json, test->kind, test->namespace, item->name);
    json_member_object(&json, "labels");
    json_member_string(&json, LABEL_FIELD_TEST, test->name);
    json_member_string(&json, LABEL_FIELD_TEST_RUN, test->run);
    json_end_object(&json);
    json_end_object(&json);
    test->write_spec(test->self, &json);
    json_end_object(&json);
    struct error error;
    if (!text_check(&path, "the namespace", &error) || !text_check(&body, "the options", &error)) {
        item->state = FIELD_GONE;
        field_test_refuse(test, &error);
        return;
    }
    struct request request = {.method = METHOD_POST,
                              .path = path.bytes,
                              .content_type = "application/json",
                              .body = body.bytes,
                              .body_bytes = body.length_bytes,
                              .deadline_ms = REQUEST_DEADLINE_MS};
    item->asked_ms = item->asked_ms == NOW_NEVER ? now.mono_ms : item->asked_ms;
    item->state = FIELD_MAKING;
    client_send(test->cli->client, &request, CLIENT_URGENT, false, take_made, item);
}

static void take_deleted(void *self, const struct reply *reply)
{
    struct field_item *item = self;
    item->try_ms = item->test->cli->now.mono_ms + AGAIN_MS;
    if (reply->error.class == ERROR_NOT_FOUND) {
        item->state = FIELD_GONE;
    } else if (reply->error.class == ERROR_NONE) {
        item->state = FIELD_DELETED;
    } else {
        item->state = FIELD_MADE;
        item->test->refusal = reply->error;
    }
}

static void delete (struct field_item *item)
{
    struct field_test *test = item->test;
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(test->kind), test->namespace, item->name, NULL, &path);
    struct request request = {
        .method = METHOD_DELETE, .path = path.bytes, .deadline_ms = REQUEST_DEADLINE_MS};
    item->state = FIELD_DELETING;
    client_send(test->cli->client, &request, CLIENT_URGENT, false, take_deleted, item);
}

/* ---- one object ---- */

static void judge(struct field_item *item, const struct object *object, struct now now)
{
    struct field_test *test = item->test;
    const char *why = NULL;
    if (item->done_ms != NOW_NEVER || item->why != NULL || object->meta.deleting_ms != 0) {
        return;
    }
    enum field_verdict verdict = test->judge(test->self, object, item, &why);
    if (verdict == FIELD_WAITS) {
        return;
    }
    if (verdict == FIELD_DONE) {
        item->done_ms = now.mono_ms;
    } else {
        item->why = arena_copy(&test->arena, why);
    }
    bool lives = verdict == FIELD_DONE && test->life_ms != NOW_NEVER;
    item->end_ms = lives ? now.mono_ms + test->life_ms : NOW_NEVER;
    item->end_ms = verdict == FIELD_FAILED ? now.mono_ms : item->end_ms;
}

void field_item_look(struct field_item *item, struct now now)
{
    struct field_test *test = item->test;
    const struct object *object = store_get(test->store, test->kind, test->namespace, item->name);
    if (object != NULL) {
        item->seen = true;
        judge(item, object, now);
    } else if (item->seen && (item->state == FIELD_MADE || item->state == FIELD_DELETED)) {
        bool by_us = item->state == FIELD_DELETED;
        item->state = FIELD_GONE;
        if (!by_us && item->done_ms == NOW_NEVER && item->why == NULL) {
            item->why = "somebody else has deleted it";
        }
    }
}

int64_t field_item_act_at(const struct field_item *item)
{
    const struct field_test *test = item->test;
    bool ends = test->ended_ms != NOW_NEVER;
    int64_t at_ms = NOW_NEVER;
    if (item->state == FIELD_AHEAD) {
        at_ms = ends ? INT64_MIN : test->started_ms + item->due_ms;
    } else if (item->state == FIELD_MADE) {
        at_ms = ends ? INT64_MIN : item->end_ms;
    } else if (item->state == FIELD_DELETED && !item->seen) {
        at_ms = INT64_MIN;
    }
    return at_ms > item->try_ms || at_ms == NOW_NEVER ? at_ms : item->try_ms;
}

void field_item_act(struct field_item *item, struct now now)
{
    if (item->state == FIELD_AHEAD && item->test->ended_ms == NOW_NEVER) {
        make(item, now);
    } else if (item->state == FIELD_AHEAD && !item->may_be_there) {
        item->state = FIELD_GONE;
    } else {
        delete (item);
    }
}
