/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides are laid out and checked before anything is appended; then sorted members make the
   merge of two objects one walk along both. The recursion is bounded by the depth that laying out
   has let through. */
#include "base/json_merge.h"

#include "base/arena.h"
#include "base/json_spelling.h"
#include "base/json_tape.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

#define NO_VALUE SIZE_MAX

struct merge {
    const struct json_tape *target;
    const struct json_tape *patch;
    struct arena *arena;
    struct text *out;
};

struct members {
    struct json_tape_member *list;
    size_t count;
    size_t at;
};

static bool is_object(const struct json_tape *tape, size_t value)
{
    return value != NO_VALUE && tape->tokens[value].kind == JSON_OBJECT_BEGIN;
}

static struct members members_of(const struct json_tape *tape, size_t value, struct arena *arena)
{
    struct members members = {0};
    if (is_object(tape, value)) {
        members.list = json_tape_members(tape, value, arena, &members.count);
    }
    return members;
}

static void append_key(struct text *out, const struct json_tape_member *member, bool *has_member)
{
    text_append(out, *has_member ? ",\"" : "\"");
    text_append_bytes(out, member->key, member->key_byte_count);
    text_append(out, "\":");
    *has_member = true;
}

/* Negative: the target's member comes next and has no match; positive: the patch's; 0: both. */
static int next_side(const struct members *target, const struct members *patch)
{
    if (target->at == target->count) {
        return 1;
    }
    if (patch->at == patch->count) {
        return -1;
    }
    return json_tape_compare_keys(&target->list[target->at], &patch->list[patch->at]);
}

static const struct json_tape_member *take(struct members *members)
{
    assert(members->at < members->count);
    return &members->list[members->at++];
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static void append_merged(const struct merge *merge, size_t target_value, size_t patch_value)
{
    struct text *out = merge->out;
    if (!is_object(merge->patch, patch_value)) {
        json_tape_append(merge->patch, patch_value, out);
        return;
    }
    struct members target = members_of(merge->target, target_value, merge->arena);
    struct members patch = members_of(merge->patch, patch_value, merge->arena);
    bool has_member = false;
    text_append_char(out, '{');
    while (target.at < target.count || patch.at < patch.count) {
        int side = next_side(&target, &patch);
        if (side < 0) {
            const struct json_tape_member *kept = take(&target);
            append_key(out, kept, &has_member);
            json_tape_append(merge->target, kept->value, out);
            continue;
        }
        size_t target_member = side == 0 ? take(&target)->value : NO_VALUE;
        const struct json_tape_member *changed = take(&patch);
        if (merge->patch->tokens[changed->value].kind != JSON_NULL) {
            append_key(out, changed, &has_member);
            append_merged(merge, target_member, changed->value);
        }
    }
    text_append_char(out, '}');
}

bool json_merge(const char *target, const char *patch, struct text *out, struct error *error)
{
    cleanup_json_tape struct json_tape target_tape = {0};
    cleanup_json_tape struct json_tape patch_tape = {0};
    if (!json_tape_init(&target_tape, target == NULL ? "{}" : target, DEPTH_MAX, error)) {
        return error_wrap(error, "the text to patch");
    }
    if (!json_tape_init(&patch_tape, patch == NULL ? "{}" : patch, DEPTH_MAX, error)) {
        return error_wrap(error, "the merge patch");
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct merge merge = {
        .target = &target_tape, .patch = &patch_tape, .arena = &arena, .out = out};
    append_merged(&merge, 0, 0);
    return true;
}

/* The value of the last member of that name, as in base/json_tape; NO_VALUE: there is none. */
static size_t find_member(const struct json_tape *tape, size_t object, const char *name,
                          size_t byte_count)
{
    size_t found = NO_VALUE;
    if (!is_object(tape, object)) {
        return found;
    }
    size_t end = tape->tokens[object].next;
    for (size_t key = object + 1; key < end; key = tape->tokens[key + 1].next) {
        const struct json_tape_token *token = &tape->tokens[key];
        if (json_spelling_is(tape->text + token->begin + 1, token->end - token->begin - 2, name,
                             byte_count)) {
            found = key + 1;
        }
    }
    return found;
}

bool json_extract(const char *json, const char *path, struct text *out, bool *out_found,
                  struct error *error)
{
    cleanup_json_tape struct json_tape tape = {0};
    if (!json_tape_init(&tape, json, DEPTH_MAX, error)) {
        return false;
    }
    size_t value = 0;
    const char *name = path;
    while (name != NULL && value != NO_VALUE) {
        const char *dot = strchr(name, '.');
        size_t byte_count = dot == NULL ? strlen(name) : (size_t)(dot - name);
        value = find_member(&tape, value, name, byte_count);
        name = dot == NULL ? NULL : dot + 1;
    }
    if (value != NO_VALUE) {
        json_tape_append(&tape, value, out);
    }
    *out_found = value != NO_VALUE;
    return true;
}

struct canonical {
    const struct json_tape *tape;
    struct arena *arena;
    struct text *out;
};

static void append_canonical(const struct canonical *canonical, size_t value);

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static void append_canonical_object(const struct canonical *canonical, size_t value)
{
    struct members members = members_of(canonical->tape, value, canonical->arena);
    bool has_member = false;
    text_append_char(canonical->out, '{');
    for (; members.at < members.count; members.at++) {
        append_key(canonical->out, &members.list[members.at], &has_member);
        append_canonical(canonical, members.list[members.at].value);
    }
    text_append_char(canonical->out, '}');
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static void append_canonical_array(const struct canonical *canonical, size_t value)
{
    const struct json_tape_token *tokens = canonical->tape->tokens;
    text_append_char(canonical->out, '[');
    for (size_t at = value + 1; at < tokens[value].next; at = tokens[at].next) {
        if (at > value + 1) {
            text_append_char(canonical->out, ',');
        }
        append_canonical(canonical, at);
    }
    text_append_char(canonical->out, ']');
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static void append_canonical(const struct canonical *canonical, size_t value)
{
    const struct json_tape_token *token = &canonical->tape->tokens[value];
    if (token->kind == JSON_OBJECT_BEGIN) {
        append_canonical_object(canonical, value);
    } else if (token->kind == JSON_ARRAY_BEGIN) {
        append_canonical_array(canonical, value);
    } else if (token->kind == JSON_STRING) {
        text_append_char(canonical->out, '"');
        json_spelling_normalize(canonical->out, canonical->tape->text + token->begin + 1,
                                token->end - token->begin - 2);
        text_append_char(canonical->out, '"');
    } else {
        json_tape_append(canonical->tape, value, canonical->out);
    }
}

bool json_canonical(const char *json, struct text *out, struct error *error)
{
    cleanup_json_tape struct json_tape tape = {0};
    if (!json_tape_init(&tape, json, DEPTH_MAX, error)) {
        return false;
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct canonical canonical = {.tape = &tape, .arena = &arena, .out = out};
    append_canonical(&canonical, 0);
    return true;
}
