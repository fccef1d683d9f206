/* SPDX-License-Identifier: Apache-2.0 */
#include "support/json_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COLUMN_COUNT = 240, STEP_COLUMNS = 2 };

/* Up to the comma or bracket behind it, or the end. */
static size_t value_bytes(const char *at)
{
    size_t count = 0;
    int depth = 0;
    bool quoted = false;
    for (;; count++) {
        char byte = at[count];
        bool ends = !quoted && depth == 0 && strchr(",}]", byte) != NULL; /* NUL as well */
        if (ends) {
            return count;
        }
        assert_true(byte != '\0');
        if (quoted && byte == '\\') {
            count++;
        } else if (byte == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += byte == '{' || byte == '[';
            depth -= byte == '}' || byte == ']';
        }
    }
}

static void append_spaces(struct text *out, size_t count)
{
    while (count-- > 0) {
        text_append_char(out, ' ');
    }
}

static void lay_out(const char *at, size_t length, size_t column, size_t indent, struct text *out)
{
    bool open = (at[0] == '{' || at[0] == '[') && length > 2;
    if (!open || column + length <= COLUMN_COUNT) {
        text_append_bytes(out, at, length);
        return;
    }
    bool object = at[0] == '{';
    size_t inner = indent + STEP_COLUMNS;
    text_append_char(out, at[0]);
    for (size_t i = 1; i < length; i++) {
        const char *member = at + i;
        size_t member_bytes = value_bytes(member);
        text_append_char(out, '\n');
        append_spaces(out, inner);
        size_t skip = 0;
        if (object) {
            const char *colon = strstr(member + 1, "\":");
            skip = (size_t)(colon - member) + 2;
            text_append_bytes(out, member, skip);
            text_append_char(out, ' ');
        }
        lay_out(member + skip, member_bytes - skip, inner + skip + 1, inner, out);
        i += member_bytes;
        if (at[i] == ',') {
            text_append_char(out, ',');
        }
    }
    text_append_char(out, '\n');
    append_spaces(out, indent);
    text_append_char(out, at[length - 1]);
}

void json_lines(const char *json, size_t indent_columns, struct text *out)
{
    append_spaces(out, indent_columns);
    lay_out(json, value_bytes(json), indent_columns, indent_columns, out);
    text_append_char(out, '\n');
}
