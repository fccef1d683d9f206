/* SPDX-License-Identifier: Apache-2.0 */
/* What may stand between the quotes of a JSON string: checked, not copied, over chunks of any
   size. UTF-8 must be well formed (RFC 3629); escapes must be JSON's (RFC 8259). Half a surrogate
   pair, as `\ud800` alone, is grammatical JSON but no character; it is pointed out. */
#ifndef ADJOINT_BASE_JSON_CHARACTERS_H
#define ADJOINT_BASE_JSON_CHARACTERS_H

#include "base/error.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum json_characters_result {
    JSON_CHARACTERS_MORE, /* the chunk is used up */
    JSON_CHARACTERS_END,  /* the closing quote was taken */
    JSON_CHARACTERS_LONE_SURROGATE,
    JSON_CHARACTERS_INVALID, /* problem says why, *at where */
};

enum json_characters_state {
    JSON_CHARACTERS_PLAIN,
    JSON_CHARACTERS_ESCAPE,   /* behind a backslash */
    JSON_CHARACTERS_HEX,      /* behind \u */
    JSON_CHARACTERS_SEQUENCE, /* inside a UTF-8 sequence */
};

struct json_characters {
    enum json_characters_state state; /* private */
    bool has_escape;                  /* a backslash was met */
    const char *problem;              /* static text */
    size_t surrogate_back;            /* the lone surrogate's six bytes begin this far before *at */

    unsigned int hex_left; /* from here on private */
    unsigned int code_unit;
    bool after_high_surrogate;
    unsigned int sequence_left;
    unsigned char sequence_min;
    unsigned char sequence_max;
};

/* *at is behind the opening quote. */
void json_characters_init(struct json_characters *characters);

MUST_CHECK enum json_characters_result json_characters_next(struct json_characters *characters,
                                                            const char **at, const char *end);

/* The first byte that is a quote, a backslash, a control character or not ASCII. Inline: most
   strings of a Kubernetes object are short and have none but the quote at their end. In the word
   the high bit of such a byte becomes set; borrows only disturb bytes behind the first one. */
static inline const char *json_characters_skip_plain(const char *at, const char *end)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, sizeof(word));
        word = le64toh(word);
        uint64_t special = ((word ^ each * '"') - each) | ((word ^ each * '\\') - each) |
                           (word - each * ' ') | word;
        special &= each * 0x80;
        if (special != 0) {
            return at + __builtin_ctzll(special) / 8;
        }
        at += 8;
    }
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)(*at - ' ') < 0x80 - ' ') {
        at++;
    }
    return at;
}

#endif
