/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/expectation.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

static bool is_met(const struct json *expected, const struct json *actual, const char *path,
                   struct text *difference);

static bool differs(const char *path, const struct json *expected, const struct json *actual,
                    struct text *difference)
{
    text_print(difference, "%s: expected ", path[0] == '\0' ? "(all)" : path);
    json_append(difference, expected);
    text_append(difference, ", found ");
    if (actual == NULL) {
        text_append(difference, "nothing");
    } else {
        json_append(difference, actual);
    }
    return false;
}

static bool is_null(const struct json *value)
{
    cleanup_text struct text text;
    text_init(&text, LIMIT_OBJECT_BYTES);
    json_append(&text, value);
    return text_equal(text.bytes, "null");
}

static bool same_text(const struct json *expected, const struct json *actual)
{
    cleanup_text struct text left;
    cleanup_text struct text right;
    text_init(&left, LIMIT_OBJECT_BYTES);
    text_init(&right, LIMIT_OBJECT_BYTES);
    json_append(&left, expected);
    json_append(&right, actual);
    return text_equal(left.bytes, right.bytes);
}

static bool object_is_met(const struct json *expected, const struct json *actual, const char *path,
                          struct text *difference)
{
    for (const struct json *at = json_first(expected); at != NULL; at = json_next(at)) {
        cleanup_text struct text below;
        text_init(&below, LIMIT_BODY_BYTES);
        text_print(&below, "%s%s%s", path, path[0] == '\0' ? "" : ".", json_key(at));
        if (!is_met(at, json_member(actual, json_key(at)), below.bytes, difference)) {
            return false;
        }
    }
    return true;
}

static bool some_is_met(const struct json *expected, const struct json *actual)
{
    for (const struct json *at = json_first(actual); at != NULL; at = json_next(at)) {
        cleanup_text struct text ignored;
        text_init(&ignored, LIMIT_BODY_BYTES);
        if (is_met(expected, at, "", &ignored)) {
            return true;
        }
    }
    return false;
}

static bool array_is_met(const struct json *expected, const struct json *actual, const char *path,
                         struct text *difference)
{
    const struct json *first = json_first(expected);
    const struct json *found = json_first(actual);
    if (first != NULL && text_equal(json_text(first), "some")) {
        for (const struct json *at = json_next(first); at != NULL; at = json_next(at)) {
            if (!some_is_met(at, actual)) {
                return differs(path, at, actual, difference);
            }
        }
        return true;
    }
    if (json_count(expected) != json_count(actual)) {
        return differs(path, expected, actual, difference);
    }
    for (const struct json *at = first; at != NULL; at = json_next(at), found = json_next(found)) {
        if (!is_met(at, found, path, difference)) {
            return false;
        }
    }
    return true;
}

static bool text_is_met(const char *expected, const struct json *actual)
{
    const char *text = json_text(actual);
    return text_equal(expected, "*") ||
           (expected[0] == '~' ? text != NULL && strstr(text, expected + 1) != NULL
                               : text_equal(text, expected));
}

static bool is_met(const struct json *expected, const struct json *actual, const char *path,
                   struct text *difference)
{
    bool met = false;
    if (is_null(expected)) {
        met = actual == NULL || is_null(actual);
    } else if (actual == NULL) {
        met = false;
    } else if (json_is_object(expected)) {
        return json_is_object(actual) ? object_is_met(expected, actual, path, difference)
                                      : differs(path, expected, actual, difference);
    } else if (json_is_array(expected)) {
        return json_is_array(actual) ? array_is_met(expected, actual, path, difference)
                                     : differs(path, expected, actual, difference);
    } else if (json_text(expected) != NULL) {
        met = text_is_met(json_text(expected), actual);
    } else {
        met = same_text(expected, actual);
    }
    return met || differs(path, expected, actual, difference);
}

bool expectation_is_met(const char *expected, const char *actual, struct text *out_difference)
{
    cleanup_json struct json_document *wanted = NULL;
    cleanup_json struct json_document *found = NULL;
    struct error error;
    if (expected[0] == '~') {
        bool has = strstr(actual, expected + 1) != NULL;
        text_print(out_difference, "expected `%s` in it", expected + 1);
        return has;
    }
    if (!json_parse(expected, strlen(expected), &wanted, &error)) {
        text_print(out_difference, "this expectation is no JSON: %s: %s", error.message, expected);
        return false;
    }
    if (!json_parse(actual, strlen(actual), &found, &error)) {
        text_print(out_difference, "no JSON: %s", error.message);
        return false;
    }
    return is_met(json_root(wanted), json_root(found), "", out_difference);
}

static const struct json *element(const struct json *container, const char *name)
{
    int64_t number = 0;
    struct error ignored;
    if (!json_is_array(container)) {
        return json_member(container, name);
    }
    const struct json *at = json_first(container);
    if (!text_parse_int64(name, &number, &ignored)) {
        return NULL;
    }
    for (; number > 0 && at != NULL; number--) {
        at = json_next(at);
    }
    return at;
}

bool expectation_find(const char *json, const char *path, struct text *out)
{
    cleanup_json struct json_document *document = NULL;
    cleanup_memory char *names = memory_copy_text(path);
    struct error ignored;
    if (!json_parse(json, strlen(json), &document, &ignored)) {
        return false;
    }
    const struct json *value = json_root(document);
    for (char *name = names; name != NULL && value != NULL;) {
        char *dot = strchr(name, '.');
        if (dot != NULL) {
            *dot = '\0';
        }
        value = element(value, name);
        name = dot == NULL ? NULL : dot + 1;
    }
    if (value == NULL) {
        return false;
    }
    if (json_text(value) != NULL) {
        text_append(out, json_text(value));
    } else {
        json_append(out, value);
    }
    return true;
}
