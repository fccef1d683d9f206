/* SPDX-License-Identifier: Apache-2.0 */
/* struct json is never defined: it is cJSON's node under a name that lets nobody else call cJSON.
   The first wrong type is kept, not the last: it is the one nearest to the cause. */
#include "base/json.h"

#include "base/memory.h"

#include <cjson/cJSON.h>

#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct json_document {
    cJSON *root;
};

static const cJSON *node(const struct json *value)
{
    return (const cJSON *)value;
}

static const struct json *value_of(const cJSON *node)
{
    return (const struct json *)node;
}

static bool only_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    return at == end;
}

bool json_parse(const char *text, size_t byte_count, struct json_document **out,
                struct error *error)
{
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(text, byte_count, &end, false);
    if (root == NULL) {
        size_t offset = end == NULL ? 0 : (size_t)(end - text);
        return error_set(error, ERROR_INVALID, "JSON that cannot be read at byte %zu", offset);
    }
    if (!only_space(end, text + byte_count)) {
        cJSON_Delete(root);
        return error_set(error, ERROR_INVALID, "JSON with something behind it at byte %zu",
                         (size_t)(end - text));
    }
    struct json_document *document = memory_new(1, sizeof(*document));
    document->root = root;
    *out = document;
    return true;
}

void json_document_free(struct json_document *document)
{
    if (document == NULL) {
        return;
    }
    cJSON_Delete(document->root);
    memory_free(document);
}

void json_document_cleanup(struct json_document **document)
{
    json_document_free(*document);
}

const struct json *json_root(const struct json_document *document)
{
    return value_of(document->root);
}

void json_reader_init(struct json_reader *reader, struct arena *arena)
{
    *reader = (struct json_reader){.arena = arena};
}

bool json_reader_check(const struct json_reader *reader, const char *what, struct error *error)
{
    if (reader->error.class == ERROR_NONE) {
        return true;
    }
    *error = reader->error;
    return error_wrap(error, "%s", what);
}

const struct json *json_member(const struct json *object, const char *key)
{
    if (!json_is_object(object)) {
        return NULL;
    }
    /* Most names differ in their first letter, and are looked for in every object of a watch. */
    const cJSON *member = node(object)->child;
    while (member != NULL && (member->string[0] != key[0] || strcmp(member->string, key) != 0)) {
        member = member->next;
    }
    return cJSON_IsNull(member) ? NULL : value_of(member);
}

const struct json *json_path(const struct json *object, const char *key, ...)
{
    va_list keys;
    va_start(keys, key);
    const struct json *at = object;
    for (const char *next = key; next != NULL; next = va_arg(keys, const char *)) {
        at = json_member(at, next);
    }
    va_end(keys);
    return at;
}

bool json_is_object(const struct json *value)
{
    return cJSON_IsObject(node(value));
}

bool json_is_array(const struct json *value)
{
    return cJSON_IsArray(node(value));
}

static void record(struct json_reader *reader, const char *key, const char *problem)
{
    if (reader->error.class == ERROR_NONE) {
        error_set(&reader->error, ERROR_INVALID, "%s %s", key, problem);
    }
}

/* The member, NULL when absent. What should hold it and is no object counts as a wrong type. */
static const cJSON *find(struct json_reader *reader, const struct json *object, const char *key)
{
    if (object == NULL || cJSON_IsNull(node(object))) {
        return NULL;
    }
    if (!json_is_object(object)) {
        record(reader, key, "is looked for in what is no object");
        return NULL;
    }
    return node(json_member(object, key));
}

/* Names, uids and namespaces stand in labels, references and status alike, and a store holds
   thousands of objects. */
static const char *find_kept(const struct json_kept *kept, size_t count, const char *string,
                             size_t length_bytes)
{
    for (const struct json_kept *at = kept; at < kept + count; at++) {
        const char *end = at->text + at->length_bytes - length_bytes;
        if (at->length_bytes >= length_bytes && memcmp(end, string, length_bytes) == 0) {
            return end;
        }
    }
    return NULL;
}

static const char *keep(struct json_reader *reader, const char *string, bool is_word)
{
    if (string == NULL) {
        return NULL;
    }
    size_t length_bytes = strlen(string);
    const char *kept = find_kept(reader->words, reader->word_count, string, length_bytes);
    if (kept == NULL) {
        kept = find_kept(reader->strings, reader->string_count, string, length_bytes);
    }
    if (kept != NULL) {
        return kept;
    }
    const char *copy = arena_copy_bytes(reader->arena, string, length_bytes);
    if (reader->string_count < JSON_READER_STRINGS) {
        reader->strings[reader->string_count++] =
            (struct json_kept){copy, (uint32_t)length_bytes, is_word};
        if (is_word) {
            text_append(reader->new_words, string);
            text_append_char(reader->new_words, JSON_WORD_END);
        }
    }
    return copy;
}

const char *json_keep(struct json_reader *reader, const char *string)
{
    return keep(reader, string, false);
}

const char *json_keep_word(struct json_reader *reader, const char *string)
{
    bool is_noted =
        reader->new_words != NULL && string != NULL && strchr(string, JSON_WORD_END) == NULL;
    return keep(reader, string, is_noted);
}

static bool is_word_of(const struct json_kept *kept, size_t count, const char *text)
{
    for (const struct json_kept *at = kept; at < kept + count; at++) {
        if (at->is_word && text >= at->text && text <= at->text + at->length_bytes) {
            return true;
        }
    }
    return false;
}

bool json_is_word(const struct json_reader *reader, const char *kept)
{
    return is_word_of(reader->words, reader->word_count, kept) ||
           is_word_of(reader->strings, reader->string_count, kept);
}

static const char *find_string(struct json_reader *reader, const struct json *object,
                               const char *key)
{
    const cJSON *member = find(reader, object, key);
    if (member == NULL || cJSON_IsString(member)) {
        return member == NULL ? NULL : member->valuestring;
    }
    record(reader, key, "is no string");
    return NULL;
}

const char *json_string(struct json_reader *reader, const struct json *object, const char *key)
{
    return json_keep(reader, find_string(reader, object, key));
}

const char *json_word(struct json_reader *reader, const struct json *object, const char *key)
{
    return json_keep_word(reader, find_string(reader, object, key));
}

bool json_bool(struct json_reader *reader, const struct json *object, const char *key,
               bool fallback)
{
    const cJSON *member = find(reader, object, key);
    if (member == NULL) {
        return fallback;
    }
    if (!cJSON_IsBool(member)) {
        record(reader, key, "is neither true nor false");
        return fallback;
    }
    return cJSON_IsTrue(member);
}

/* Up to 2^53 a double is the number that was written. */
static bool double_to_int64(double number, int64_t *out_number)
{
    const double exact_max = 9007199254740992.0;
    if (!(number >= -exact_max && number <= exact_max)) {
        return false;
    }
    int64_t integer = (int64_t)number;
    if ((double)integer != number) {
        return false;
    }
    *out_number = integer;
    return true;
}

int64_t json_int64(struct json_reader *reader, const struct json *object, const char *key,
                   int64_t fallback)
{
    const cJSON *member = find(reader, object, key);
    if (member == NULL) {
        return fallback;
    }
    int64_t number = fallback;
    struct error ignored;
    bool is_integer = cJSON_IsString(member)
                          ? text_parse_int64(member->valuestring, &number, &ignored)
                          : cJSON_IsNumber(member) && double_to_int64(member->valuedouble, &number);
    if (!is_integer) {
        record(reader, key, "is no integer of 64 bits");
    }
    return number;
}

const struct json *json_first(const struct json *container)
{
    bool is_container = json_is_object(container) || json_is_array(container);
    return is_container ? value_of(node(container)->child) : NULL;
}

const struct json *json_next(const struct json *value)
{
    return value_of(node(value)->next);
}

const char *json_key(const struct json *value)
{
    return node(value)->string;
}

const char *json_text(const struct json *value)
{
    return cJSON_IsString(node(value)) ? node(value)->valuestring : NULL;
}

size_t json_count(const struct json *container)
{
    size_t count = 0;
    for (const struct json *at = json_first(container); at != NULL; at = json_next(at)) {
        count++;
    }
    return count;
}

void json_append(struct text *text, const struct json *value)
{
    char *printed = cJSON_PrintUnformatted(node(value));
    assert(printed != NULL);
    text_append(text, printed);
    cJSON_free(printed);
}
