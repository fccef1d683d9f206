/* SPDX-License-Identifier: Apache-2.0 */
/* How a string is spelled between the quotes of JSON text. One string has many spellings: `a/b`,
   `a\/b`, `\u0061/b`; the API server writes `\u003c` where we write `<`. */
#ifndef ADJOINT_BASE_JSON_SPELLING_H
#define ADJOINT_BASE_JSON_SPELLING_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends the spelling of bytes (UTF-8, may hold NUL): the shortest, nothing escaped that need not
   be. */
void json_spelling_append(struct text *text, const char *bytes, size_t byte_count);

/* The same between quotes. */
void json_spelling_quote(struct text *text, const char *bytes, size_t byte_count);

/* Appends the shortest spelling of what is spelled here, so that equal strings are equal bytes.
   The spelling must have passed base/json_characters. Half a surrogate pair stays an escape. */
void json_spelling_normalize(struct text *text, const char *spelling, size_t byte_count);

/* Whether a spelling that passed base/json_characters means `string`, which is ASCII. */
bool json_spelling_is(const char *spelling, size_t byte_count, const char *string,
                      size_t string_byte_count);

#endif
