/* SPDX-License-Identifier: Apache-2.0 */
/* One array and offsets instead of a tree: laid out by the same lexer that checks what the API
   server sends, without recursion, and freed at once. */
#include "base/json_tape.h"

#include "base/json_spelling.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct layout {
    struct json_tape *tape;
    struct json_lexer lexer;
    size_t open[JSON_LEXER_DEPTH_MAX]; /* indices of the containers that are open */
    size_t string_begin;
    bool is_inside_string;
};

static struct json_tape_token *add_token(struct json_tape *tape)
{
    if (tape->count == tape->capacity) {
        tape->capacity = tape->capacity == 0 ? 16 : tape->capacity * 2;
        tape->tokens = memory_resize(tape->tokens, tape->capacity, sizeof(*tape->tokens));
    }
    struct json_tape_token *token = &tape->tokens[tape->count];
    tape->count++;
    *token = (struct json_tape_token){.next = tape->count};
    return token;
}

static void add_scalar(struct layout *layout, enum json_token kind, size_t begin, size_t end)
{
    struct json_tape_token *token = add_token(layout->tape);
    token->kind = kind;
    token->begin = kind == JSON_NUMBER ? end - layout->lexer.number_byte_count : begin;
    token->end = end;
    if (kind != JSON_STRING && kind != JSON_KEY) {
        return;
    }
    token->has_escape = layout->lexer.characters.has_escape;
    if (layout->is_inside_string) {
        token->begin = layout->string_begin;
        layout->is_inside_string = false;
    }
}

static void take_token(struct layout *layout, enum json_token kind, size_t begin, size_t end)
{
    struct json_tape *tape = layout->tape;
    switch (kind) {
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        layout->open[layout->lexer.depth - 1] = tape->count;
        add_scalar(layout, kind, begin, end);
        break;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        tape->tokens[layout->open[layout->lexer.depth]].end = end;
        tape->tokens[layout->open[layout->lexer.depth]].next = tape->count;
        break;
    case JSON_KEY:
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        add_scalar(layout, kind, begin, end);
        break;
    case JSON_LONE_SURROGATE:
        layout->string_begin = layout->is_inside_string ? layout->string_begin : begin;
        layout->is_inside_string = true;
        break;
    case JSON_SPACE:
        tape->has_space = true;
        break;
    case JSON_MORE:
    case JSON_COMMA:
    case JSON_COLON:
    case JSON_INVALID:
    case JSON_TOO_DEEP:
        break;
    }
}

static bool lay_out(struct layout *layout, const char *bytes, size_t byte_count, size_t offset,
                    struct error *error)
{
    const char *at = bytes;
    for (;;) {
        enum json_token kind = json_lexer_next(&layout->lexer, &at, bytes + byte_count);
        size_t end = offset + (size_t)(at - bytes);
        if (kind == JSON_MORE) {
            return true;
        }
        if (kind == JSON_TOO_DEEP) {
            return error_set(error, ERROR_LIMIT, "JSON: more than %d levels at byte %zu",
                             layout->lexer.depth_max, end);
        }
        if (kind == JSON_INVALID) {
            return error_set(error, ERROR_INVALID, "JSON: %s at byte %zu", layout->lexer.problem,
                             end);
        }
        take_token(layout, kind, offset + (size_t)(layout->lexer.begin - bytes), end);
    }
}

bool json_tape_init(struct json_tape *tape, const char *text, int depth_max, struct error *error)
{
    size_t byte_count = strlen(text);
    struct json_tape laid_out = {.text = text};
    struct layout layout = {.tape = &laid_out};
    json_lexer_init(&layout.lexer, depth_max, false);
    /* The space ends a number that is the whole text. */
    bool good = lay_out(&layout, text, byte_count, 0, error);
    bool has_space = laid_out.has_space;
    good = good && lay_out(&layout, " ", 1, byte_count, error);
    laid_out.has_space = has_space;
    if (good && !json_lexer_may_end(&layout.lexer)) {
        good = error_set(error, ERROR_INVALID, "JSON: the text ended inside a value");
    }
    if (!good) {
        json_tape_release(&laid_out);
        return false;
    }
    *tape = laid_out;
    return true;
}

void json_tape_release(struct json_tape *tape)
{
    memory_free(tape->tokens);
    *tape = (struct json_tape){0};
}

void json_tape_cleanup(struct json_tape *tape)
{
    json_tape_release(tape);
}

static struct json_tape_member member_at(const struct json_tape *tape, size_t key,
                                         struct arena *arena)
{
    const struct json_tape_token *token = &tape->tokens[key];
    struct json_tape_member member = {
        .key = tape->text + token->begin + 1,
        .key_byte_count = token->end - token->begin - 2,
        .value = key + 1,
    };
    if (token->has_escape) {
        cleanup_text struct text normalized;
        text_init(&normalized, member.key_byte_count);
        json_spelling_normalize(&normalized, member.key, member.key_byte_count);
        assert(!normalized.overflowed);
        member.key = arena_copy_bytes(arena, normalized.bytes, normalized.length_bytes);
        member.key_byte_count = normalized.length_bytes;
    }
    return member;
}

int json_tape_compare_keys(const struct json_tape_member *one, const struct json_tape_member *other)
{
    size_t shared =
        one->key_byte_count < other->key_byte_count ? one->key_byte_count : other->key_byte_count;
    int order = memcmp(one->key, other->key, shared);
    if (order != 0) {
        return order;
    }
    return (one->key_byte_count > other->key_byte_count) -
           (one->key_byte_count < other->key_byte_count);
}

static int compare_members(const void *one, const void *other)
{
    const struct json_tape_member *left = one;
    const struct json_tape_member *right = other;
    int order = json_tape_compare_keys(left, right);
    return order != 0 ? order : (left->value > right->value) - (left->value < right->value);
}

struct json_tape_member *json_tape_members(const struct json_tape *tape, size_t object,
                                           struct arena *arena, size_t *out_count)
{
    assert(tape->tokens[object].kind == JSON_OBJECT_BEGIN);
    size_t end = tape->tokens[object].next;
    size_t count = 0;
    for (size_t key = object + 1; key < end; key = tape->tokens[key + 1].next) {
        count++;
    }
    struct json_tape_member *members = arena_new(arena, count + 1, sizeof(*members));
    size_t filled = 0;
    for (size_t key = object + 1; key < end; key = tape->tokens[key + 1].next) {
        members[filled] = member_at(tape, key, arena);
        filled++;
    }
    qsort(members, count, sizeof(*members), compare_members);

    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count || json_tape_compare_keys(&members[i], &members[i + 1]) != 0;
        members[kept] = members[i];
        kept += is_last ? 1 : 0;
    }
    *out_count = kept;
    return members;
}

void json_tape_append(const struct json_tape *tape, size_t value, struct text *out)
{
    const char *at = tape->text + tape->tokens[value].begin;
    const char *end = tape->text + tape->tokens[value].end;
    const char *run = at;
    struct json_lexer lexer;
    json_lexer_init(&lexer, JSON_LEXER_DEPTH_MAX, false);
    enum json_token token = tape->has_space ? JSON_SPACE : JSON_MORE;
    while (token != JSON_MORE) {
        token = json_lexer_next(&lexer, &at, end);
        assert(token < JSON_INVALID);
        if (token == JSON_SPACE) {
            text_append_bytes(out, run, (size_t)(lexer.begin - run));
            run = at;
        }
    }
    text_append_bytes(out, run, (size_t)(end - run));
}
