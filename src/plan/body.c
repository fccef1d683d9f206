/* SPDX-License-Identifier: Apache-2.0 */
/* Planners have no free of their own: the heap text behind a body goes with its scope. */
#include "plan/body.h"

#include "base/limits.h"
#include "base/timestamp.h"

#include <assert.h>

void body_init(struct body *body)
{
    text_init(&body->text, LIMIT_BODY_BYTES);
    json_writer_init(&body->json, &body->text);
}

void body_cleanup(struct body *body)
{
    text_release(&body->text);
}

const char *body_end(struct body *body, struct arena *arena)
{
    assert(!body->text.overflowed && body->json.depth == 0);
    return arena_copy_bytes(arena, body->text.bytes, body->text.length_bytes);
}

static void operation_begin(struct body *body, const char *operation, const char *path)
{
    json_begin_object(&body->json);
    json_member_string(&body->json, "op", operation);
    json_member_string(&body->json, "path", path);
}

void body_operation(struct body *body, const char *operation, const char *path, const char *string)
{
    operation_begin(body, operation, path);
    json_member_string(&body->json, "value", string);
    json_end_object(&body->json);
}

void body_operation_raw(struct body *body, const char *operation, const char *path, const char *raw)
{
    operation_begin(body, operation, path);
    json_member_raw(&body->json, "value", raw);
    json_end_object(&body->json);
}

static const char *map_path(struct arena *arena, const char *map, const char *key)
{
    struct text path cleanup_text;
    text_init(&path, LIMIT_BODY_BYTES);
    text_append(&path, map);
    for (const char *at = key; *at != '\0'; at++) {
        if (*at == '/') {
            text_append(&path, "~1");
        } else {
            text_append_char(&path, *at);
        }
    }
    return arena_copy(arena, path.bytes);
}

const char *body_label_path(struct arena *arena, const char *key)
{
    return map_path(arena, "/metadata/labels/", key);
}

const char *body_annotation_path(struct arena *arena, const char *key)
{
    return map_path(arena, "/metadata/annotations/", key);
}

void body_time(struct json_writer *json, const char *key, int64_t wall_ms)
{
    char at[TIMESTAMP_BYTES];
    json_write_key(json, key);
    if (wall_ms == 0) {
        json_write_null(json);
        return;
    }
    timestamp_format_seconds(wall_ms, at);
    json_write_string(json, at);
}
