/* SPDX-License-Identifier: Apache-2.0 */
/* A growable string with a maximum. `bytes` is never NULL after init and always ends in NUL.
   What does not fit sets `overflowed`, appends nothing more, and is reported by text_check: an
   append needs no check of its own. */
#ifndef ADJOINT_BASE_TEXT_H
#define ADJOINT_BASE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *bytes;
    size_t length_bytes; /* without the NUL */
    size_t capacity_bytes;
    size_t length_bytes_max;
    bool overflowed;
};

void text_init(struct text *text, size_t length_bytes_max);
void text_release(struct text *text);
void text_cleanup(struct text *text);
#define cleanup_text __attribute__((cleanup(text_cleanup)))

/* Empty again, memory kept, overflowed forgotten. */
void text_clear(struct text *text);

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const char *bytes, size_t byte_count);
static inline void text_append_char(struct text *text, char byte);
void text_append_int64(struct text *text, int64_t number);
/* Percent-encoded (RFC 3986): all but letters, digits and -._~ */
void text_append_encoded(struct text *text, const char *string);
void text_print(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Room for so many bytes more, for the caller to fill: they are part of the text, NUL behind them.
   NULL if they do not fit. Good until the text is touched again. */
char *text_extend(struct text *text, size_t byte_count);

/* ERROR_LIMIT if anything did not fit; `what` names it in the message. */
MUST_CHECK bool text_check(const struct text *text, const char *what, struct error *error);

/* The string, now the caller's (memory_free); the text is as after init. */
char *text_take(struct text *text);

/* string == other; NULL equals only NULL. */
bool text_equal(const char *string, const char *other);
bool text_starts_with(const char *string, const char *prefix);
bool text_ends_with(const char *string, const char *suffix);

/* A whole decimal number, nothing around it; ERROR_INVALID otherwise. */
MUST_CHECK bool text_parse_int64(const char *string, int64_t *out_number, struct error *error);

/* Here, because a body is written by them. */
static inline void text_append_char(struct text *text, char byte)
{
    if (text->overflowed || text->length_bytes + 1 >= text->capacity_bytes) {
        text_append_bytes(text, &byte, 1);
        return;
    }
    text->bytes[text->length_bytes++] = byte;
    text->bytes[text->length_bytes] = '\0';
}

#endif
