/* SPDX-License-Identifier: Apache-2.0 */
/* A member is known to be unwanted only when its key has been read; its comma and key are then cut
   off the text again, and its value never gets there. Levels are kept only where a path can still
   fit or did: below a skipped or stringified value there is nothing to know but its depth. */
#include "base/json_copy.h"

/* A double holds every integer of 15 digits. */
enum { INTEGER_DIGITS_MAX = 15 };
/* cJSON reads 63 bytes of a number and stumbles over the rest. */
enum { NUMBER_BYTES_MAX = 32 };

void json_copy_init(struct json_copy *copy, const struct json_filter *filter, size_t byte_count_max)
{
    *copy = (struct json_copy){.filter = filter, .mode = JSON_COPY_ALL};
    json_output_init(&copy->output, byte_count_max);
}

void json_copy_release(struct json_copy *copy)
{
    json_output_release(&copy->output);
}

static void begin_level(struct json_copy *copy, int depth, const struct json_copy_level *level)
{
    copy->levels[depth] = *level;
    copy->levels[depth].has_member = !level->is_object || level->paths == 0;
}

static void begin_container(struct json_copy *copy, int depth, bool is_object, const char *at)
{
    const struct json_copy_level *outer = &copy->levels[depth - 1];
    struct json_copy_level level = {
        .paths = outer->member_paths,
        .member_paths = is_object ? 0 : outer->member_paths,
        .names = (unsigned char)(outer->names + (outer->is_object ? 1 : 0)),
        .is_object = is_object,
    };
    begin_level(copy, depth, &level);
    copy->member_offset = json_output_offset(&copy->output, at);
}

void json_copy_begin(struct json_copy *copy, const struct json_lexer *lexer, uint64_t paths)
{
    json_output_clear(&copy->output);
    json_output_start(&copy->output, lexer->begin);
    copy->mode = JSON_COPY_ALL;
    copy->string_is_next = false;
    copy->root_depth = lexer->depth - 1;
    copy->member_offset = 1;
    struct json_copy_level root = {.paths = paths, .is_object = true};
    begin_level(copy, lexer->depth, &root);
}

static void leave_out(struct json_copy *copy, const char *from, const char *to)
{
    json_output_stop(&copy->output, from);
    json_output_start(&copy->output, to);
}

static void take_comma(struct json_copy *copy, const struct json_lexer *lexer, const char *at)
{
    if (copy->levels[lexer->depth].has_member) {
        copy->member_offset = json_output_offset(&copy->output, lexer->begin);
    } else {
        leave_out(copy, lexer->begin, at);
        copy->member_offset = json_output_offset(&copy->output, at);
    }
}

static void take_key(struct json_copy *copy, const struct json_lexer *lexer)
{
    struct json_copy_level *level = &copy->levels[lexer->depth];
    if (level->paths == 0) {
        return;
    }
    switch (json_filter_match(copy->filter, level->paths, level->names, lexer->key,
                              lexer->key_byte_count, &level->member_paths)) {
    case JSON_FILTER_KEEP:
        level->has_member = true;
        break;
    case JSON_FILTER_RAW:
        level->has_member = true;
        copy->string_is_next = true;
        break;
    case JSON_FILTER_SKIP:
        json_output_cut(&copy->output, copy->member_offset);
        copy->mode = JSON_COPY_NONE;
        copy->mode_depth = lexer->depth;
        break;
    }
}

static void take_colon(struct json_copy *copy, const struct json_lexer *lexer, const char *at)
{
    if (!copy->string_is_next) {
        return;
    }
    json_output_flush(&copy->output, at);
    text_append_char(&copy->output.text, '"');
    copy->output.is_string = true;
    copy->string_is_next = false;
    copy->mode = JSON_COPY_AS_STRING;
    copy->mode_depth = lexer->depth;
}

static void end_mode(struct json_copy *copy, const char *at)
{
    if (copy->mode == JSON_COPY_AS_STRING) {
        json_output_stop(&copy->output, at);
        copy->output.is_string = false;
        text_append_char(&copy->output.text, '"');
    }
    json_output_start(&copy->output, at);
    copy->mode = JSON_COPY_ALL;
}

static void take_apart(struct json_copy *copy, const struct json_lexer *lexer,
                       enum json_token token, const char *at)
{
    if (token == JSON_SPACE && copy->mode == JSON_COPY_AS_STRING) {
        leave_out(copy, lexer->begin, at);
    }
    if (json_token_ends_value(token) && lexer->depth == copy->mode_depth) {
        end_mode(copy, at);
    }
}

bool json_copy_token(struct json_copy *copy, const struct json_lexer *lexer, enum json_token token,
                     const char *at)
{
    if (copy->mode != JSON_COPY_ALL) {
        take_apart(copy, lexer, token, at);
        return false;
    }
    switch (token) {
    case JSON_SPACE:
        leave_out(copy, lexer->begin, at);
        break;
    case JSON_COMMA:
        take_comma(copy, lexer, at);
        break;
    case JSON_KEY:
        take_key(copy, lexer);
        break;
    case JSON_COLON:
        take_colon(copy, lexer, at);
        break;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        begin_container(copy, lexer->depth, token == JSON_OBJECT_BEGIN, at);
        break;
    case JSON_LONE_SURROGATE:
        json_output_replace(&copy->output, at, lexer->characters.surrogate_back);
        break;
    case JSON_NUMBER:
        if ((lexer->is_integer && lexer->digit_count > INTEGER_DIGITS_MAX) ||
            lexer->number_byte_count > NUMBER_BYTES_MAX) {
            json_output_quote(&copy->output, at, lexer->number_byte_count);
        }
        break;
    case JSON_OBJECT_END:
        if (lexer->depth == copy->root_depth) {
            json_output_stop(&copy->output, at);
            return true;
        }
        break;
    case JSON_MORE:
    case JSON_ARRAY_END:
    case JSON_STRING:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
    case JSON_INVALID:
    case JSON_TOO_DEEP:
        break;
    }
    return false;
}

void json_copy_pause(struct json_copy *copy, const char *end)
{
    if (copy->output.run != NULL) {
        json_output_stop(&copy->output, end);
    }
}

void json_copy_resume(struct json_copy *copy, const char *begin)
{
    if (copy->mode != JSON_COPY_NONE) {
        json_output_start(&copy->output, begin);
    }
}
