/* SPDX-License-Identifier: Apache-2.0 */
/* Two columns: what to type, and what it does. A left side that is too long has a line of its own,
   so that one long option does not push all others to the right. */
#include "cli/options.h"

#include <string.h>

enum { LEFT_COLUMNS = 30, LINE_COLUMNS = 96, LINE_BYTES_MAX = 4096 };

static void write_left(const struct option_row *row, struct text *out)
{
    if (row->letter != '\0') {
        text_print(out, "  -%c, ", row->letter);
    } else {
        text_append(out, "      ");
    }
    text_print(out, row->kind == OPTION_SWITCH ? "--[no-]%s" : "--%s", row->name);
    if (row->argument != NULL) {
        text_print(out, " %s", row->argument);
    }
}

static void write_right(const struct option_row *row, struct text *out)
{
    text_append(out, row->help);
    for (const char *const *at = row->choices; at != NULL && *at != NULL; at++) {
        text_print(out, "%s%s", at == row->choices ? ": " : ", ", *at);
    }
    if (row->fallback != NULL) {
        text_print(out, " (default %s)", row->fallback);
    }
    if (row->environment != NULL) {
        text_print(out, " [$%s]", row->environment);
    }
}

static void pad(struct text *out, size_t from_column)
{
    for (size_t column = from_column; column < LEFT_COLUMNS; column++) {
        text_append_char(out, ' ');
    }
}

static void wrap(const char *words, struct text *out)
{
    size_t column = LEFT_COLUMNS;
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        size_t byte_count = strcspn(at, " ");
        bool first = column == LEFT_COLUMNS;
        if (!first && column + 1 + byte_count > LINE_COLUMNS) {
            text_append_char(out, '\n');
            pad(out, 0);
            column = LEFT_COLUMNS;
            first = true;
        }
        if (!first) {
            text_append_char(out, ' ');
            column++;
        }
        text_append_bytes(out, at, byte_count);
        column += byte_count;
        at += byte_count;
    }
    text_append_char(out, '\n');
}

void options_write_help(const struct option_row *table, struct text *out)
{
    cleanup_text struct text left;
    cleanup_text struct text right;
    text_init(&left, LINE_BYTES_MAX);
    text_init(&right, LINE_BYTES_MAX);
    for (const struct option_row *row = table; row->name != NULL; row++) {
        text_clear(&left);
        text_clear(&right);
        write_left(row, &left);
        write_right(row, &right);
        text_append(out, left.bytes);
        size_t column = left.length_bytes;
        if (column + 2 > LEFT_COLUMNS) {
            text_append_char(out, '\n');
            column = 0;
        }
        pad(out, column);
        wrap(right.bytes, out);
    }
}
