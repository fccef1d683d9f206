/* SPDX-License-Identifier: Apache-2.0 */
/* On the text and not on parsed values: numbers and strings must stay as the server spelled them,
   and cJSON would lose that. */
#include "cli/json_layout.h"

#include <assert.h>

enum { INDENT_COLUMNS = 4 };

/* Of the string at `at`, both quotes included. */
static size_t string_bytes(const char *at)
{
    size_t byte_count = 1;
    for (; at[byte_count] != '"'; byte_count++) {
        assert(at[byte_count] != '\0');
        byte_count += at[byte_count] == '\\' ? 1 : 0;
    }
    return byte_count + 1;
}

static void break_line(struct text *out, int depth)
{
    text_append_char(out, '\n');
    for (int column = 0; column < depth * INDENT_COLUMNS; column++) {
        text_append_char(out, ' ');
    }
}

static bool is_open(char byte)
{
    return byte == '{' || byte == '[';
}

static bool is_close(char byte)
{
    return byte == '}' || byte == ']';
}

static void lay_out(const char *at, int *depth, struct text *out)
{
    bool is_empty = is_open(*at) && is_close(at[1]);
    bool after_open = is_close(*at) && is_open(at[-1]);
    if (is_close(*at)) {
        --*depth;
        if (!after_open) {
            break_line(out, *depth);
        }
    }
    text_append_char(out, *at);
    if (is_open(*at)) {
        ++*depth;
    }
    if (*at == ',' || (is_open(*at) && !is_empty)) {
        break_line(out, *depth);
    } else if (*at == ':') {
        text_append_char(out, ' ');
    }
}

void json_layout(const char *json, struct text *out)
{
    int depth = 0;
    for (const char *at = json; *at != '\0';) {
        if (*at == '"') {
            size_t byte_count = string_bytes(at);
            text_append_bytes(out, at, byte_count);
            at += byte_count;
        } else {
            lay_out(at, &depth, out);
            at++;
        }
    }
    text_append_char(out, '\n');
}

/* Of the value at `at`, up to the comma or bracket behind it. */
static size_t value_bytes(const char *at)
{
    size_t byte_count = 0;
    int depth = 0;
    while (depth > 0 || (at[byte_count] != ',' && !is_close(at[byte_count]))) {
        char byte = at[byte_count];
        assert(byte != '\0');
        depth += is_open(byte) ? 1 : 0;
        depth -= is_close(byte) ? 1 : 0;
        byte_count += byte == '"' ? string_bytes(at + byte_count) : 1;
    }
    return byte_count;
}

const char *json_element_first(const char *array, size_t *out_byte_count)
{
    assert(*array == '[');
    if (array[1] == ']') {
        return NULL;
    }
    *out_byte_count = value_bytes(array + 1);
    return array + 1;
}

const char *json_element_next(const char *element, size_t *in_out_byte_count)
{
    const char *behind = element + *in_out_byte_count;
    if (*behind == ']') {
        return NULL;
    }
    assert(*behind == ',');
    *in_out_byte_count = value_bytes(behind + 1);
    return behind + 1;
}
