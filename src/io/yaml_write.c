/* SPDX-License-Identifier: Apache-2.0 */
/* Aliases make a document of a few hundred bytes as large as one likes when they are expanded, so
   three things are bounded here: depth, bytes, and values visited (merge keys can visit without
   writing). Recursion follows the depth. A merge key (`<<`) gives way to the mapping's own keys,
   wherever they stand, so those are written first. */
#include "io/yaml_value.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/map.h"

#include <assert.h>

enum { VISITED_MAX = 1000 * 1000 };

struct writing {
    struct text *json;
    size_t visited;
};

struct members {
    struct map keys; /* written so far */
    bool merged;     /* what comes gives way to what is there */
};

static void members_release(struct members *members)
{
    map_release(&members->keys);
}

/* NOLINTBEGIN(misc-no-recursion): bounded by visit */
static bool write_value(struct writing *writing, const struct yaml_value *value, int depth,
                        struct error *error);

static bool visit(struct writing *writing, const struct yaml_value *value, int depth,
                  struct error *error)
{
    if (depth > LIMIT_JSON_DEPTH) {
        return error_set(error, ERROR_LIMIT, "line %zu, column %zu: deeper than %d levels",
                         value->line, value->column, LIMIT_JSON_DEPTH);
    }
    if (++writing->visited > VISITED_MAX || writing->json->overflowed) {
        return error_set(
            error, ERROR_LIMIT,
            "line %zu, column %zu: the document is too large with its aliases expanded",
            value->line, value->column);
    }
    return true;
}

static bool write_sequence(struct writing *writing, const struct yaml_value *value, int depth,
                           struct error *error)
{
    text_append_char(writing->json, '[');
    for (const struct yaml_child *at = value->first; at != NULL; at = at->next) {
        if (at != value->first) {
            text_append_char(writing->json, ',');
        }
        if (!write_value(writing, at->value, depth + 1, error)) {
            return false;
        }
    }
    text_append_char(writing->json, ']');
    return true;
}

static bool is_merge_key(const struct yaml_value *key)
{
    return key->kind == YAML_KIND_SCALAR && key->plain && text_equal(key->text, "<<");
}

static bool check_key(const struct yaml_value *key, struct error *error)
{
    if (key->kind != YAML_KIND_SCALAR || yaml_scalar_is_null(key)) {
        return yaml_value_refuse(key, error, "a key must be a string");
    }
    return true;
}

static bool write_member(struct writing *writing, struct members *members,
                         const struct yaml_child *at, int depth, struct error *error)
{
    const struct yaml_value *key = at->value;
    const struct yaml_value *value = at->next->value;
    if (!check_key(key, error)) {
        return false;
    }
    if (map_get(&members->keys, key->text) != NULL) {
        return members->merged ||
               yaml_value_refuse(key, error, "the key %s is there twice", key->text);
    }
    map_put(&members->keys, key->text, members);
    if (members->keys.count > 1) {
        text_append_char(writing->json, ',');
    }
    struct yaml_value name = *key;
    name.plain = false;
    name.tag = NULL;
    if (!yaml_scalar_write(&name, writing->json, error)) {
        return false;
    }
    text_append_char(writing->json, ':');
    return write_value(writing, value, depth + 1, error);
}

static bool write_members(struct writing *writing, struct members *members,
                          const struct yaml_value *mapping, int depth, struct error *error);

static bool merge(struct writing *writing, struct members *members, const struct yaml_value *source,
                  int depth, struct error *error)
{
    if (!visit(writing, source, depth, error)) {
        return false;
    }
    members->merged = true;
    if (source->kind == YAML_KIND_MAPPING) {
        return write_members(writing, members, source, depth + 1, error);
    }
    if (source->kind != YAML_KIND_SEQUENCE) {
        return yaml_value_refuse(source, error, "<< takes a mapping or a list of mappings");
    }
    for (const struct yaml_child *at = source->first; at != NULL; at = at->next) {
        if (at->value->kind != YAML_KIND_MAPPING) {
            return yaml_value_refuse(at->value, error, "<< takes mappings only");
        }
        if (!merge(writing, members, at->value, depth + 1, error)) {
            return false;
        }
    }
    return true;
}

/* The value of the merge key, if it has one. */
static bool find_merged(const struct yaml_value *mapping, const struct yaml_value **out,
                        struct error *error)
{
    const struct yaml_value *merged = NULL;
    for (const struct yaml_child *at = mapping->first; at != NULL; at = at->next->next) {
        assert(at->next != NULL);
        if (!is_merge_key(at->value)) {
            continue;
        }
        if (merged != NULL) {
            return yaml_value_refuse(at->value, error, "the key << is there twice");
        }
        merged = at->next->value;
    }
    *out = merged;
    return true;
}

static bool write_members(struct writing *writing, struct members *members,
                          const struct yaml_value *mapping, int depth, struct error *error)
{
    const struct yaml_value *merged = NULL;
    if (!find_merged(mapping, &merged, error)) {
        return false;
    }
    for (const struct yaml_child *at = mapping->first; at != NULL; at = at->next->next) {
        if (!visit(writing, at->value, depth, error) ||
            (!is_merge_key(at->value) && !write_member(writing, members, at, depth, error))) {
            return false;
        }
    }
    return merged == NULL || merge(writing, members, merged, depth + 1, error);
}

static bool write_mapping(struct writing *writing, const struct yaml_value *value, int depth,
                          struct error *error)
{
    __attribute__((cleanup(members_release))) struct members members = {.merged = false};
    map_init(&members.keys);
    text_append_char(writing->json, '{');
    if (!write_members(writing, &members, value, depth, error)) {
        return false;
    }
    text_append_char(writing->json, '}');
    return true;
}

static bool write_value(struct writing *writing, const struct yaml_value *value, int depth,
                        struct error *error)
{
    if (!visit(writing, value, depth, error)) {
        return false;
    }
    switch (value->kind) {
    case YAML_KIND_SCALAR:
        return yaml_scalar_write(value, writing->json, error);
    case YAML_KIND_SEQUENCE:
        return write_sequence(writing, value, depth, error);
    case YAML_KIND_MAPPING:
        return write_mapping(writing, value, depth, error);
    }
    assert(false);
    return false;
}
/* NOLINTEND(misc-no-recursion) */

bool yaml_value_write(const struct yaml_value *value, struct text *json, struct error *error)
{
    struct writing writing = {.json = json};
    return write_value(&writing, value, 0, error) && text_check(json, "a YAML document", error);
}
