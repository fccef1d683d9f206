/* SPDX-License-Identifier: Apache-2.0 */
/* A whole JSON text laid out as its tokens, for work that moves subtrees about without reading
   them: each value knows where its text begins and ends and which token follows it. */
#ifndef ADJOINT_BASE_JSON_TAPE_H
#define ADJOINT_BASE_JSON_TAPE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json_lexer.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct json_tape_token {
    enum json_token kind; /* JSON_KEY, or a value's: JSON_OBJECT_BEGIN, JSON_ARRAY_BEGIN,
                             JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL */
    bool has_escape;      /* a key or string with a backslash */
    size_t begin;         /* offsets in the text */
    size_t end;
    size_t next; /* index of the token behind this value and all in it */
};

struct json_tape {
    const char *text; /* borrowed */
    struct json_tape_token *tokens;
    size_t count;
    size_t capacity; /* private */
    bool has_space;  /* private: white space stands between tokens */
};

/* A member of an object. Keys are equal exactly when key_bytes are. */
struct json_tape_member {
    const char *key; /* its normalized spelling, in the arena or the tape's text */
    size_t key_byte_count;
    size_t value; /* index of its token */
};

/* ERROR_INVALID, or ERROR_LIMIT for more than depth_max levels. */
MUST_CHECK bool json_tape_init(struct json_tape *tape, const char *text, int depth_max,
                               struct error *error);
void json_tape_release(struct json_tape *tape);
void json_tape_cleanup(struct json_tape *tape);
#define cleanup_json_tape __attribute__((cleanup(json_tape_cleanup)))

/* The members of the object whose token is at `object`, in byte order of their keys; of equal keys
   the last one stays. */
struct json_tape_member *json_tape_members(const struct json_tape *tape, size_t object,
                                           struct arena *arena, size_t *out_count);

/* Negative, 0 or positive, as memcmp. */
int json_tape_compare_keys(const struct json_tape_member *one,
                           const struct json_tape_member *other);

/* The value's text without white space, appended. */
void json_tape_append(const struct json_tape *tape, size_t value, struct text *out);

#endif
