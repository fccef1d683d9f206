/* SPDX-License-Identifier: Apache-2.0 */
/* JSON's grammar (RFC 8259) over bytes that come in chunks of any size: one call gives one token,
   and a chunk may end anywhere inside one. Strings are checked as UTF-8. It copies nothing but a
   key that a chunk's end cuts, and holds no more than this struct. */
#ifndef ADJOINT_BASE_JSON_LEXER_H
#define ADJOINT_BASE_JSON_LEXER_H

#include "base/error.h"
#include "base/json_characters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A longer key that a chunk's end cuts has its length known but not its spelling. */
#define JSON_LEXER_KEY_BYTES_MAX 256
/* One bit a level. */
#define JSON_LEXER_DEPTH_MAX 64

enum json_token {
    JSON_MORE,  /* the chunk is used up */
    JSON_SPACE, /* a run of white space, or what this chunk has of it */
    JSON_COMMA,
    JSON_COLON,
    JSON_KEY, /* without its colon */
    JSON_OBJECT_BEGIN,
    JSON_ARRAY_BEGIN,
    JSON_LONE_SURROGATE, /* inside a string: an escape that is half a pair lies behind us */
    JSON_OBJECT_END,     /* from here to JSON_NULL: a value is complete */
    JSON_ARRAY_END,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_INVALID, /* problem says why, *at where */
    JSON_TOO_DEEP,
};

enum json_lexer_state {
    JSON_EXPECT_VALUE,
    JSON_EXPECT_ELEMENT_OR_END,
    JSON_EXPECT_KEY_OR_END,
    JSON_EXPECT_KEY,
    JSON_EXPECT_COLON,
    JSON_EXPECT_COMMA_OR_OBJECT_END,
    JSON_EXPECT_COMMA_OR_ARRAY_END,
    JSON_EXPECT_NOTHING,
    JSON_INSIDE_STRING,
    JSON_INSIDE_NUMBER,
    JSON_INSIDE_WORD,
};

enum json_number_state {
    JSON_NUMBER_MINUS,
    JSON_NUMBER_ZERO,
    JSON_NUMBER_INTEGER,
    JSON_NUMBER_POINT,
    JSON_NUMBER_FRACTION,
    JSON_NUMBER_E,
    JSON_NUMBER_SIGN,
    JSON_NUMBER_EXPONENT,
    JSON_NUMBER_END,
};

struct json_lexer {
    enum json_lexer_state state;
    bool many; /* values may follow each other, as in a watch */
    int depth; /* containers open now */
    int depth_max;
    uint64_t objects;    /* private: bit 0 is the innermost container, 1 for an object */
    const char *begin;   /* of the token, or of its part in this chunk */
    const char *problem; /* static text */

    const char *key;       /* after JSON_KEY, until the next call: its spelling between the quotes;
                              NULL when it was too long */
    size_t key_byte_count; /* of the spelling */
    struct json_characters characters; /* of the string or key now read, or the last one */

    size_t number_byte_count;
    size_t digit_count; /* of the integer part */
    bool is_integer;    /* no fraction, no exponent */

    bool is_key; /* from here on private */
    enum json_number_state number;
    enum json_token word;
    const char *word_rest;
    char key_bytes[JSON_LEXER_KEY_BYTES_MAX];
};

/* depth_max at most JSON_LEXER_DEPTH_MAX. */
void json_lexer_init(struct json_lexer *lexer, int depth_max, bool many);

/* The next token in [*at, end); *at moves behind it. After JSON_INVALID or JSON_TOO_DEEP the lexer
   is of no more use. */
MUST_CHECK enum json_token json_lexer_next(struct json_lexer *lexer, const char **at,
                                           const char *end);

/* Passes over tokens up to the one that completes a value at `depth`; JSON_MORE when that is not in
   this chunk. */
MUST_CHECK enum json_token json_lexer_skip(struct json_lexer *lexer, int depth, const char **at,
                                           const char *end);

/* The text may end here: nothing is open, and unless `many` one value was read. */
bool json_lexer_may_end(const struct json_lexer *lexer);

static inline bool json_token_ends_value(enum json_token token)
{
    return token >= JSON_OBJECT_END && token <= JSON_NULL;
}

#endif
