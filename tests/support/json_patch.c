/* SPDX-License-Identifier: Apache-2.0 */
/* By merge patches, which base/json_merge can do: a member is set by removing it and merging the
   new one in; an array is set as a whole. */
#include "support/json_patch.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_merge.h"
#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEGMENT_COUNT_MAX = 8 };

struct path {
    size_t count;
    const char *segments[SEGMENT_COUNT_MAX];
};

static struct path split(const char *text, struct arena *arena)
{
    struct path path = {0};
    char *copy = arena_copy(arena, text);
    for (char *at = strchr(copy, '/'); at != NULL;) {
        assert_true(path.count < SEGMENT_COUNT_MAX);
        char *segment = at + 1;
        path.segments[path.count++] = segment;
        at = strchr(segment, '/');
        if (at != NULL) {
            *at = '\0';
        }
        for (char *escape = strstr(segment, "~1"); escape != NULL; escape = strstr(segment, "~1")) {
            *escape = '/';
            memmove(escape + 1, escape + 2, strlen(escape + 2) + 1);
        }
    }
    return path;
}

static const struct json *element(const struct json *array, const char *index)
{
    const struct json *at = json_first(array);
    int64_t number = 0;
    struct error error;
    if (!text_parse_int64(index, &number, &error)) {
        return NULL;
    }
    while (at != NULL && number-- > 0) {
        at = json_next(at);
    }
    return at;
}

static const struct json *find(const struct json *root, const struct path *path, size_t depth)
{
    const struct json *at = root;
    for (size_t i = 0; i < depth && at != NULL; i++) {
        at =
            json_is_array(at) ? element(at, path->segments[i]) : json_member(at, path->segments[i]);
    }
    return at;
}

static const char *text_of(const struct json *value, struct arena *arena)
{
    cleanup_text struct text text;
    text_init(&text, LIMIT_BODY_BYTES);
    if (value != NULL) {
        json_append(&text, value);
    }
    return value == NULL ? "null" : arena_copy(arena, text.bytes);
}

static bool is_same(const char *one, const char *other)
{
    cleanup_text struct text left;
    cleanup_text struct text right;
    text_init(&left, LIMIT_BODY_BYTES);
    text_init(&right, LIMIT_BODY_BYTES);
    struct error error;
    assert_true(json_canonical(one, &left, &error) && json_canonical(other, &right, &error));
    return text_equal(left.bytes, right.bytes);
}

static void merge_at(struct text *document, const struct path *path, size_t depth,
                     const char *value)
{
    cleanup_text struct text patch;
    cleanup_text struct text merged;
    text_init(&patch, LIMIT_BODY_BYTES);
    text_init(&merged, LIMIT_BODY_BYTES);
    for (size_t i = 0; i < depth; i++) {
        text_print(&patch, "{\"%s\":", path->segments[i]);
    }
    text_append(&patch, value);
    for (size_t i = 0; i < depth; i++) {
        text_append_char(&patch, '}');
    }
    struct error error;
    assert_true(json_merge(document->bytes, patch.bytes, &merged, &error));
    text_clear(document);
    text_append(document, merged.bytes);
}

static void set_at(struct text *document, const struct path *path, size_t depth, const char *value)
{
    merge_at(document, path, depth, "null");
    if (!text_equal(value, "null")) {
        merge_at(document, path, depth, value);
    }
}

/* The array with value inserted before the index ("-": at the end), or, value NULL, without it. */
static const char *change_array(const struct json *array, const char *index, const char *value,
                                struct arena *arena)
{
    cleanup_text struct text text;
    text_init(&text, LIMIT_BODY_BYTES);
    const struct json *place = element(array, index);
    text_append_char(&text, '[');
    const char *comma = "";
    for (const struct json *at = json_first(array); at != NULL; at = json_next(at)) {
        if (at == place && value != NULL) {
            text_print(&text, "%s%s", comma, value);
            comma = ",";
        }
        if (at != place || value != NULL) {
            text_print(&text, "%s%s", comma, text_of(at, arena));
            comma = ",";
        }
    }
    if (place == NULL && value != NULL) {
        text_print(&text, "%s%s", comma, value);
    }
    text_append_char(&text, ']');
    return arena_copy(arena, text.bytes);
}

static bool apply_one(struct text *document, const struct json *operation, struct arena *arena)
{
    const char *name = json_text(json_member(operation, "op"));
    struct path path = split(json_text(json_member(operation, "path")), arena);
    const char *value = text_of(json_member(operation, "value"), arena);
    cleanup_json struct json_document *parsed = NULL;
    struct error error;
    assert_true(json_parse(document->bytes, document->length_bytes, &parsed, &error));
    const struct json *parent = find(json_root(parsed), &path, path.count - 1);
    const struct json *there = find(json_root(parsed), &path, path.count);
    if (text_equal(name, "test")) {
        return parent != NULL && is_same(text_of(there, arena), value);
    }
    if (parent == NULL || (text_equal(name, "remove") && there == NULL)) {
        return false;
    }
    if (text_equal(name, "remove")) {
        value = NULL;
    } else {
        assert_true(text_equal(name, "add") || text_equal(name, "replace"));
    }
    if (json_is_array(parent)) {
        value = change_array(parent, path.segments[path.count - 1], value, arena);
        set_at(document, &path, path.count - 1, value);
    } else {
        set_at(document, &path, path.count, value == NULL ? "null" : value);
    }
    return true;
}

bool json_patch_apply(const char *target, const char *patch, struct text *out)
{
    cleanup_text struct text document;
    text_init(&document, LIMIT_BODY_BYTES);
    text_append(&document, target);
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cleanup_json struct json_document *parsed = NULL;
    struct error error;
    assert_true(json_parse(patch, strlen(patch), &parsed, &error));
    const struct json *at = json_first(json_root(parsed));
    while (at != NULL && apply_one(&document, at, &arena)) {
        at = json_next(at);
    }
    if (at == NULL) {
        text_append(out, document.bytes);
    }
    return at == NULL;
}
