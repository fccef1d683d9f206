/* SPDX-License-Identifier: Apache-2.0 */
/* The compact text of one object while it is read. Compact input is its own output but for a few
   places, so what is copied is runs of the chunk, as long as possible, and only the places where
   input and output differ are events. */
#ifndef ADJOINT_BASE_JSON_OUTPUT_H
#define ADJOINT_BASE_JSON_OUTPUT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct json_output {
    struct text text;
    size_t byte_count_max;
    const char *run; /* the chunk's bytes from here on belong to the text; NULL: none do */
    bool is_string;  /* they become the inside of a JSON string */
};

/* More than byte_count_max bytes at the object's end are too many; while it is read, a member that
   will be cut may stand behind them for a moment. */
void json_output_init(struct json_output *output, size_t byte_count_max);
void json_output_release(struct json_output *output);
void json_output_clear(struct json_output *output);
bool json_output_is_too_large(const struct json_output *output);

/* Bytes of the chunk from `from` on belong to the text. */
void json_output_start(struct json_output *output, const char *from);
/* Appends the run up to `to`; it goes on from there. */
void json_output_flush(struct json_output *output, const char *to);
/* The same, and nothing belongs to the text behind it. */
void json_output_stop(struct json_output *output, const char *to);

/* Where in the text the chunk's byte `at` will come to stand; the run must reach it. */
size_t json_output_offset(const struct json_output *output, const char *at);
/* Takes back what came after the offset, and stops. */
void json_output_cut(struct json_output *output, size_t offset);

/* The last byte_count bytes before `at`, a number, get quotes. */
void json_output_quote(struct json_output *output, const char *at, size_t byte_count);
/* Six bytes, `back` before `at`, become U+FFFD's escape. */
void json_output_replace(struct json_output *output, const char *at, size_t back);

#endif
