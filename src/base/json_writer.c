/* SPDX-License-Identifier: Apache-2.0 */
/* What is written is our own code's doing, so a wrong order of calls is a bug and asserted; only
   the text's size depends on the world, and the text keeps that. */
#include "base/json.h"

#include "base/json_spelling.h"

#include <assert.h>
#include <string.h>

void json_writer_init(struct json_writer *writer, struct text *text)
{
    *writer = (struct json_writer){.text = text};
}

static void begin_value(struct json_writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->has_member[writer->depth]) {
        assert(writer->depth > 0); /* one value at the top */
        text_append_char(writer->text, ',');
    }
    writer->has_member[writer->depth] = true;
}

static void begin_container(struct json_writer *writer, char bracket)
{
    begin_value(writer);
    text_append_char(writer->text, bracket);
    assert(writer->depth < JSON_WRITER_DEPTH_MAX);
    writer->depth++;
    writer->has_member[writer->depth] = false;
}

static void end_container(struct json_writer *writer, char bracket)
{
    assert(writer->depth > 0);
    assert(!writer->after_key);
    writer->depth--;
    text_append_char(writer->text, bracket);
}

void json_begin_object(struct json_writer *writer)
{
    begin_container(writer, '{');
}

void json_end_object(struct json_writer *writer)
{
    end_container(writer, '}');
}

void json_begin_array(struct json_writer *writer)
{
    begin_container(writer, '[');
}

void json_end_array(struct json_writer *writer)
{
    end_container(writer, ']');
}

void json_write_key(struct json_writer *writer, const char *key)
{
    assert(writer->depth > 0 && !writer->after_key);
    begin_value(writer);
    json_spelling_quote(writer->text, key, strlen(key));
    text_append_char(writer->text, ':');
    writer->after_key = true;
}

void json_write_string(struct json_writer *writer, const char *string)
{
    if (string == NULL) {
        json_write_null(writer);
        return;
    }
    begin_value(writer);
    json_spelling_quote(writer->text, string, strlen(string));
}

void json_write_int64(struct json_writer *writer, int64_t number)
{
    begin_value(writer);
    text_append_int64(writer->text, number);
}

void json_write_bool(struct json_writer *writer, bool value)
{
    json_write_raw(writer, value ? "true" : "false");
}

void json_write_null(struct json_writer *writer)
{
    json_write_raw(writer, "null");
}

void json_write_raw(struct json_writer *writer, const char *raw)
{
    begin_value(writer);
    text_append(writer->text, raw);
}

void json_member_string(struct json_writer *writer, const char *key, const char *string)
{
    json_write_key(writer, key);
    json_write_string(writer, string);
}

void json_member_optional(struct json_writer *writer, const char *key, const char *string)
{
    if (string != NULL) {
        json_member_string(writer, key, string);
    }
}

void json_member_int64(struct json_writer *writer, const char *key, int64_t number)
{
    json_write_key(writer, key);
    json_write_int64(writer, number);
}

void json_member_bool(struct json_writer *writer, const char *key, bool value)
{
    json_write_key(writer, key);
    json_write_bool(writer, value);
}

void json_member_raw(struct json_writer *writer, const char *key, const char *raw)
{
    json_write_key(writer, key);
    json_write_raw(writer, raw);
}

void json_member_object(struct json_writer *writer, const char *key)
{
    json_write_key(writer, key);
    json_begin_object(writer);
}

void json_member_array(struct json_writer *writer, const char *key)
{
    json_write_key(writer, key);
    json_begin_array(writer);
}
