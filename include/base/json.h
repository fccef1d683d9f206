/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values read-only, and JSON text written. cJSON stays behind this header. Keys are
   case-sensitive, as Kubernetes' are. A missing field is normal; a wrong type is an error that
   the typed getters record in the reader, so that a decoder checks once at its end.

   Numbers: base/json_scan turns integers of 16 digits and more into strings, because cJSON keeps
   doubles; json_int64 takes both. */
#ifndef ADJOINT_BASE_JSON_H
#define ADJOINT_BASE_JSON_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json; /* a value inside a parsed document; borrowed from it */

struct json_document;

/* One whole document and nothing behind it. Free with json_document_free. */
MUST_CHECK bool json_parse(const char *text, size_t byte_count, struct json_document **out,
                           struct error *error);
void json_document_free(struct json_document *document);
void json_document_cleanup(struct json_document **document);
#define cleanup_json __attribute__((cleanup(json_document_cleanup)))
const struct json *json_root(const struct json_document *document);

/* Wrong types met by the getters below go here: the first one, with its key. */
#define JSON_READER_STRINGS 48
#define JSON_WORD_END '\n'

struct json_kept {
    const char *text;
    uint32_t length_bytes;
    bool is_word;
};

struct json_reader {
    struct arena *arena; /* strings are copied into it */
    struct error error;  /* class ERROR_NONE while all is well */
    /* Those copied so far, the first ones: one that comes again, or as the end of another, is not
       copied again. */
    size_t string_count;
    struct json_kept strings[JSON_READER_STRINGS];
    /* Somebody else's, which outlive the arena: they are not copied either. And where words that
       are none of these are noted, each with a JSON_WORD_END behind it; NULL: nowhere. */
    size_t word_count;
    const struct json_kept *words;
    struct text *new_words;
};
void json_reader_init(struct json_reader *reader, struct arena *arena);
/* ERROR_INVALID with the first wrong type, `what` in front. */
MUST_CHECK bool json_reader_check(const struct json_reader *reader, const char *what,
                                  struct error *error);

/* `object` may be NULL or JSON null everywhere: then the field is absent. */
const struct json *json_member(const struct json *object,
                               const char *key); /* NULL: absent or null */
/* A member of a member: keys end with NULL. */
const struct json *json_path(const struct json *object, const char *key, ...)
    __attribute__((sentinel));
bool json_is_object(const struct json *value);
bool json_is_array(const struct json *value);

/* In the reader's arena, once for all that are equal; NULL stays NULL. _word: one that many
   documents have, see struct json_reader. */
const char *json_keep(struct json_reader *reader, const char *string);
const char *json_keep_word(struct json_reader *reader, const char *string);
/* Was it noted as a word, or found among them? Then it is no part of what is kept here. */
bool json_is_word(const struct json_reader *reader, const char *kept);

/* Kept so; NULL when absent. A string with \u0000 in it ends there. */
const char *json_string(struct json_reader *reader, const struct json *object, const char *key);
const char *json_word(struct json_reader *reader, const struct json *object, const char *key);
/* fallback when absent. An integer may come as a string of digits, and as a number only up to 2^53,
   which a double holds exactly. */
bool json_bool(struct json_reader *reader, const struct json *object, const char *key,
               bool fallback);
int64_t json_int64(struct json_reader *reader, const struct json *object, const char *key,
                   int64_t fallback);

/* Elements of an array or object, in order. `const struct json *at = json_first(list); at;
   at = json_next(at)`. json_key: the member's name, borrowed; json_text: a string value itself,
   borrowed, NULL when it is no string. */
const struct json *json_first(const struct json *container);
const struct json *json_next(const struct json *value);
const char *json_key(const struct json *value);
const char *json_text(const struct json *value);
size_t json_count(const struct json *container);

/* Compact text of a value, appended; numbers as cJSON keeps them, in doubles. */
void json_append(struct text *text, const struct json *value);

/* ---- writing: commas are kept by the writer; nesting is asserted ---- */
#define JSON_WRITER_DEPTH_MAX 32

struct json_writer {
    struct text *text;
    int depth;
    bool has_member[JSON_WRITER_DEPTH_MAX + 1]; /* by depth */
    bool after_key;
};

void json_writer_init(struct json_writer *writer, struct text *text);
void json_begin_object(struct json_writer *writer);
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer);
void json_end_array(struct json_writer *writer);
void json_write_key(struct json_writer *writer, const char *key);
void json_write_string(struct json_writer *writer, const char *string); /* NULL writes null */
void json_write_int64(struct json_writer *writer, int64_t number);
void json_write_bool(struct json_writer *writer, bool value);
void json_write_null(struct json_writer *writer);
/* raw: one JSON value as text, trusted to be one. */
void json_write_raw(struct json_writer *writer, const char *raw);
/* key and value at once; _optional leaves both out when the string is NULL. */
void json_member_string(struct json_writer *writer, const char *key, const char *string);
void json_member_optional(struct json_writer *writer, const char *key, const char *string);
void json_member_int64(struct json_writer *writer, const char *key, int64_t number);
void json_member_bool(struct json_writer *writer, const char *key, bool value);
void json_member_raw(struct json_writer *writer, const char *key, const char *raw);
void json_member_object(struct json_writer *writer, const char *key); /* key and { */
void json_member_array(struct json_writer *writer, const char *key);  /* key and [ */

#endif
