/* SPDX-License-Identifier: Apache-2.0 */
/* Corrections are made in place at the text's end, because a chunk may have ended between what has
   to be corrected and the byte that tells so. */
#include "base/json_output.h"

#include "base/json_lexer.h"
#include "base/json_spelling.h"

#include <assert.h>
#include <string.h>

/* A comma, quotes and a key that may yet be cut; longer keys never are. */
enum { UNDECIDED_BYTES_MAX = JSON_LEXER_KEY_BYTES_MAX + 3 };

/* A text that has grown beyond this is given back between objects. */
enum { KEPT_BYTES_MAX = 64 * 1024 };

void json_output_init(struct json_output *output, size_t byte_count_max)
{
    *output = (struct json_output){.byte_count_max = byte_count_max};
    text_init(&output->text, byte_count_max + UNDECIDED_BYTES_MAX);
}

void json_output_release(struct json_output *output)
{
    text_release(&output->text);
}

void json_output_clear(struct json_output *output)
{
    if (output->text.capacity_bytes > KEPT_BYTES_MAX) {
        size_t length_bytes_max = output->text.length_bytes_max;
        text_release(&output->text);
        text_init(&output->text, length_bytes_max);
    }
    text_clear(&output->text);
    output->run = NULL;
    output->is_string = false;
}

bool json_output_is_too_large(const struct json_output *output)
{
    return output->text.overflowed || output->text.length_bytes > output->byte_count_max;
}

void json_output_start(struct json_output *output, const char *from)
{
    assert(output->run == NULL);
    output->run = from;
}

void json_output_flush(struct json_output *output, const char *to)
{
    assert(output->run != NULL && output->run <= to);
    size_t byte_count = (size_t)(to - output->run);
    if (output->is_string) {
        json_spelling_append(&output->text, output->run, byte_count);
    } else {
        text_append_bytes(&output->text, output->run, byte_count);
    }
    output->run = to;
}

void json_output_stop(struct json_output *output, const char *to)
{
    json_output_flush(output, to);
    output->run = NULL;
}

size_t json_output_offset(const struct json_output *output, const char *at)
{
    assert(output->run != NULL && output->run <= at);
    return output->text.length_bytes + (size_t)(at - output->run);
}

void json_output_cut(struct json_output *output, size_t offset)
{
    struct text *text = &output->text;
    if (offset > text->length_bytes) {
        json_output_flush(output, output->run + (offset - text->length_bytes));
    } else {
        text->length_bytes = offset;
        text->bytes[offset] = '\0';
    }
    output->run = NULL;
}

void json_output_quote(struct json_output *output, const char *at, size_t byte_count)
{
    struct text *text = &output->text;
    json_output_flush(output, at);
    text_append(text, "\"\"");
    if (text->overflowed) {
        return;
    }
    assert(text->length_bytes >= byte_count + 2);
    char *number = text->bytes + text->length_bytes - 2 - byte_count;
    memmove(number + 1, number, byte_count);
    number[0] = '"';
}

void json_output_replace(struct json_output *output, const char *at, size_t back)
{
    struct text *text = &output->text;
    json_output_flush(output, at);
    if (text->overflowed) {
        return;
    }
    assert(text->length_bytes >= back);
    memcpy(text->bytes + text->length_bytes - back, "\\ufffd", 6);
}
