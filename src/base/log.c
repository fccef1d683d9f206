/* SPDX-License-Identifier: Apache-2.0 */
/* A line is built in one buffer on the stack and written by one call, so that lines are never mixed
   and logging needs no memory. What closes a line is kept free at the buffer's end: a value can be
   cut anywhere between two characters and the line still parses. It writes its own JSON because
   base/json may fail and a log line may not. */
#include "base/log.h"

#include "base/timestamp.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CLOSING_QUOTE "\""
#define CUT_MARK ",\"cut\":true"
#define LINE_END "}\n"
#define REPLACEMENT_CHARACTER "\xEF\xBF\xBD"

enum {
    LINE_BYTES_MAX = 16 * 1024,
    LENGTH_MAX = LINE_BYTES_MAX - (int)(sizeof(CLOSING_QUOTE CUT_MARK LINE_END) - 1),
};

struct line {
    size_t length;
    bool is_cut;
    char bytes[LINE_BYTES_MAX + 1];
};

static void write_to_stderr(void *self, const char *line)
{
    (void)self;
    (void)fputs(line, stderr);
}

static struct {
    enum log_level level;
    void (*write)(void *self, const char *line);
    void *self;
} sink = {.level = LOG_INFO, .write = write_to_stderr};

void log_configure(enum log_level level, void (*write)(void *self, const char *line), void *self)
{
    sink.level = level;
    sink.write = write == NULL ? write_to_stderr : write;
    sink.self = self;
}

static const char *level_name(enum log_level level)
{
    switch (level) {
    case LOG_DEBUG:
        return "debug";
    case LOG_INFO:
        return "info";
    case LOG_WARNING:
        return "warning";
    case LOG_ERROR:
        return "error";
    }
    assert(false);
    return "";
}

static void put_bytes(struct line *line, const char *bytes, size_t byte_count)
{
    if (line->is_cut || line->length + byte_count > LENGTH_MAX) {
        line->is_cut = true;
        return;
    }
    memcpy(line->bytes + line->length, bytes, byte_count);
    line->length += byte_count;
}

static void put_text(struct line *line, const char *text)
{
    put_bytes(line, text, strlen(text));
}

/* Into the space kept free. */
static void put_closing(struct line *line, const char *text)
{
    size_t byte_count = strlen(text);
    assert(line->length + byte_count <= LINE_BYTES_MAX);
    memcpy(line->bytes + line->length, text, byte_count);
    line->length += byte_count;
}

/* Bytes of the well-formed character at text (RFC 3629), which ends in NUL; 0: there is none. */
static size_t character_bytes(const char *text)
{
    static const uint32_t least_codes[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80) {
        return 1;
    }
    size_t width = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    uint32_t code = at[0] & (0x7FU >> width);
    for (size_t i = 1; i < width; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3FU);
    }
    bool is_lead = at[0] >= 0xC0 && at[0] < 0xF8;
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    bool is_valid = is_lead && code >= least_codes[width] && code <= 0x10FFFF && !is_surrogate;
    return is_valid ? width : 0;
}

static void put_single_byte(struct line *line, char byte)
{
    if (byte == '"' || byte == '\\') {
        put_bytes(line, (const char[]){'\\', byte}, 2);
    } else if (byte == '\n') {
        put_text(line, "\\n");
    } else if (byte == '\t') {
        put_text(line, "\\t");
    } else if ((unsigned char)byte < 0x20 || byte == 0x7F) {
        char escape[sizeof("\\u0000")];
        (void)snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)(unsigned char)byte);
        put_text(line, escape);
    } else {
        put_bytes(line, &byte, 1);
    }
}

static void put_escaped(struct line *line, const char *text)
{
    const char *at = text;
    while (*at != '\0' && !line->is_cut) {
        size_t width = character_bytes(at);
        if (width == 0) {
            put_text(line, REPLACEMENT_CHARACTER);
            at++;
        } else if (width == 1) {
            put_single_byte(line, *at);
            at++;
        } else {
            put_bytes(line, at, width);
            at += width;
        }
    }
}

/* A key that does not fit, and every field behind a cut, is left out whole; a value is cut. */
static void put_field(struct line *line, const char *key, const char *value)
{
    size_t start = line->length;
    put_text(line, start == 0 ? "{\"" : ",\"");
    put_escaped(line, key);
    put_text(line, "\":\"");
    if (line->is_cut) {
        line->length = start;
        return;
    }
    put_escaped(line, value);
    put_closing(line, CLOSING_QUOTE);
}

void log_write(enum log_level level, int64_t wall_ms, const char *message, ...)
{
    if (level < sink.level) {
        return;
    }
    char time[TIMESTAMP_BYTES];
    timestamp_format_millis(wall_ms, time);

    struct line line;
    line.length = 0;
    line.is_cut = false;
    put_field(&line, "time", time);
    put_field(&line, "level", level_name(level));
    put_field(&line, "message", message);

    va_list fields;
    va_start(fields, message);
    for (const char *key = va_arg(fields, const char *); key != NULL;
         key = va_arg(fields, const char *)) {
        const char *value = va_arg(fields, const char *);
        if (value != NULL) {
            put_field(&line, key, value);
        }
    }
    va_end(fields);

    put_closing(&line, line.is_cut ? CUT_MARK LINE_END : LINE_END);
    line.bytes[line.length] = '\0';
    sink.write(sink.self, line.bytes);
}
