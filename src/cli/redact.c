/* SPDX-License-Identifier: Apache-2.0 */
/* A word too many taken away costs a question; one too few costs a password. Names of Secrets stay:
   which one is meant is half of what a report is for. */
#include "cli/redact.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 24, TEXT_BYTES_MAX = 4 * 1024 * 1024, TOKEN_BYTES_MIN = 20 };

/* ---- words ---- */

static bool holds(const char *name, size_t byte_count, const char *word)
{
    size_t word_bytes = strlen(word);
    for (size_t i = 0; i + word_bytes <= byte_count; i++) {
        if (strncasecmp(name + i, word, word_bytes) == 0) {
            return true;
        }
    }
    return false;
}

static bool ends(const char *name, size_t byte_count, const char *word)
{
    size_t word_bytes = strlen(word);
    return byte_count >= word_bytes && holds(name + byte_count - word_bytes, word_bytes, word);
}

static bool is_telling(const char *name, size_t byte_count)
{
    static const char *const parts[] = {"password", "passwd", "passphrase", "credential",
                                        "privatekey"};
    static const char *const endings[] = {"token",      "accesskey", "secretkey",     "access_key",
                                          "secret_key", "apikey",    "authorization", "nonce"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (holds(name, byte_count, parts[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        if (ends(name, byte_count, endings[i])) {
            return true;
        }
    }
    /* "secret" alone is the name of one. */
    return byte_count > strlen("secret") && ends(name, byte_count, "secret");
}

/* Statements are somebody's, too: sanitize.sql, postInitSQL. */
static bool is_telling_key(const char *key)
{
    size_t byte_count = strlen(key);
    bool is_sql = ends(key, byte_count, "sql") && !ends(key, byte_count, "postgresql");
    return is_sql || is_telling(key, byte_count);
}

/* ---- text ---- */

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.';
}

static size_t word_bytes(const char *text)
{
    size_t byte_count = 0;
    while (is_word(text[byte_count])) {
        byte_count++;
    }
    return byte_count;
}

/* "user:password@" behind "://": the bytes up to the '@'; 0: there is none. */
static size_t user_bytes(const char *text)
{
    size_t byte_count = strcspn(text, "@/ \t\n\"'");
    return text[byte_count] == '@' && memchr(text, ':', byte_count) != NULL ? byte_count : 0;
}

/* What stands between a name and its value: `=`, `: `, `":"`. */
static size_t between_bytes(const char *text)
{
    size_t byte_count = strspn(text, "\"'\\");
    size_t signs = strspn(text + byte_count, "=:");
    return signs == 0 ? 0 : byte_count + signs + strspn(text + byte_count + signs, " \"'\\");
}

static size_t value_bytes(const char *text)
{
    if (strncasecmp(text, "bearer ", strlen("bearer ")) == 0) {
        return strlen("bearer ") + strcspn(text + strlen("bearer "), " \t\n\"'\\,;&");
    }
    return strcspn(text, " \t\n\"'\\,;&");
}

/* Appends what begins here, a word and perhaps what it gives; returns how far it read. */
static size_t take_word(const char *text, struct text *out)
{
    size_t byte_count = word_bytes(text);
    size_t between = between_bytes(text + byte_count);
    bool is_token = byte_count >= TOKEN_BYTES_MIN && text_starts_with(text, "eyJ");
    if (is_token) {
        text_append(out, REDACTED);
        return byte_count;
    }
    text_append_bytes(out, text, byte_count);
    if (between > 0 && is_telling(text, byte_count)) {
        text_append_bytes(out, text + byte_count, between);
        text_append(out, REDACTED);
        return byte_count + between + value_bytes(text + byte_count + between);
    }
    if (byte_count == strlen("bearer") && text[byte_count] == ' ' &&
        ends(text, byte_count, "bearer")) {
        text_append(out, " " REDACTED);
        return byte_count + 1 + strcspn(text + byte_count + 1, " \t\n\"'\\");
    }
    return byte_count;
}

void redact_text(const char *text, struct text *out)
{
    while (*text != '\0') {
        if (is_word(*text)) {
            text += take_word(text, out);
        } else if (text_starts_with(text, "://") && user_bytes(text + 3) > 0) {
            text += 3 + user_bytes(text + 3);
            text_append(out, "://" REDACTED);
        } else {
            text_append_char(out, *text++);
        }
    }
}

/* ---- JSON ---- */

/* NOLINTBEGIN(misc-no-recursion): a JSON tree, to DEPTH_MAX */

static void write_value(struct json_writer *json, const struct json *value, int depth);

/* JSON inside of a string; false: it is none. */
static bool write_inner(struct json_writer *json, const char *text, int depth)
{
    cleanup_json struct json_document *document = NULL;
    cleanup_text struct text inner;
    struct error ignored;
    text_init(&inner, TEXT_BYTES_MAX);
    if (text[0] != '{' || !json_parse(text, strlen(text), &document, &ignored)) {
        return false;
    }
    struct json_writer writer;
    json_writer_init(&writer, &inner);
    write_value(&writer, json_root(document), depth + 1);
    json_write_string(json, inner.bytes);
    return true;
}

static void write_text(struct json_writer *json, const char *text, int depth)
{
    cleanup_text struct text seen;
    text_init(&seen, TEXT_BYTES_MAX);
    if (!write_inner(json, text, depth)) {
        redact_text(text, &seen);
        json_write_string(json, seen.bytes);
    }
}

static void write_scalar(struct json_writer *json, const struct json *value)
{
    cleanup_text struct text scalar;
    text_init(&scalar, TEXT_BYTES_MAX);
    json_append(&scalar, value);
    json_write_raw(json, scalar.bytes);
}

/* {name, value}: the names say what is set. */
static void write_variable(struct json_writer *json, const struct json *variable, int depth)
{
    json_begin_object(json);
    for (const struct json *at = json_first(variable); at != NULL; at = json_next(at)) {
        json_write_key(json, json_key(at));
        if (text_equal(json_key(at), "value")) {
            json_write_string(json, REDACTED);
        } else {
            write_value(json, at, depth + 1);
        }
    }
    json_end_object(json);
}

static void write_environment(struct json_writer *json, const struct json *list, int depth)
{
    json_begin_array(json);
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        if (json_is_object(at)) {
            write_variable(json, at, depth + 1);
        } else {
            write_value(json, at, depth + 1);
        }
    }
    json_end_array(json);
}

/* ["--token", "x"]: the word before says what the next one is. */
static void write_words(struct json_writer *json, const struct json *list, int depth)
{
    bool told = false;
    json_begin_array(json);
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        const char *word = json_text(at);
        if (told && word != NULL) {
            json_write_string(json, REDACTED);
        } else {
            write_value(json, at, depth + 1);
        }
        told = !told && word != NULL && word[0] == '-' && is_telling(word, strlen(word));
    }
    json_end_array(json);
}

static bool is_list_of_texts(const struct json *value)
{
    return json_is_array(value) && json_text(json_first(value)) != NULL;
}

/* data of a Secret, in whichever list it may be. */
static bool is_secrets(const struct json *object, const char *key)
{
    return (text_equal(key, "data") || text_equal(key, "stringData")) &&
           text_equal(json_text(json_member(object, "kind")), "Secret");
}

static void write_member(struct json_writer *json, const struct json *object,
                         const struct json *member, int depth)
{
    const char *key = json_key(member);
    if (text_equal(key, "managedFields")) {
        return;
    }
    json_write_key(json, key);
    bool is_text = json_text(member) != NULL || is_list_of_texts(member);
    if (is_secrets(object, key) || (is_text && is_telling_key(key))) {
        json_write_string(json, REDACTED);
    } else if (text_equal(key, "env") && json_is_array(member)) {
        write_environment(json, member, depth + 1);
    } else if ((text_equal(key, "args") || text_equal(key, "command")) && json_is_array(member)) {
        write_words(json, member, depth + 1);
    } else {
        write_value(json, member, depth + 1);
    }
}

static void write_value(struct json_writer *json, const struct json *value, int depth)
{
    if (depth > DEPTH_MAX) {
        json_write_string(json, REDACTED);
    } else if (json_is_object(value)) {
        json_begin_object(json);
        for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
            write_member(json, value, at, depth);
        }
        json_end_object(json);
    } else if (json_is_array(value)) {
        json_begin_array(json);
        for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
            write_value(json, at, depth + 1);
        }
        json_end_array(json);
    } else if (json_text(value) != NULL) {
        write_text(json, json_text(value), depth);
    } else {
        write_scalar(json, value);
    }
}

/* NOLINTEND(misc-no-recursion) */

void redact_json(const struct json *value, struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    write_value(&json, value, 0);
}
