/* SPDX-License-Identifier: Apache-2.0 */
/* Plain ASCII goes eight bytes at a time; everything else is a byte-wise automaton, so that
   resuming is nothing but looking at the state again. */
#include "base/json_characters.h"

#include <string.h>

void json_characters_init(struct json_characters *characters)
{
    *characters = (struct json_characters){.state = JSON_CHARACTERS_PLAIN};
}

static enum json_characters_result refuse(struct json_characters *characters, const char *problem)
{
    characters->problem = problem;
    return JSON_CHARACTERS_INVALID;
}

static enum json_characters_result lone_surrogate(struct json_characters *characters, size_t back)
{
    characters->surrogate_back = back;
    return JSON_CHARACTERS_LONE_SURROGATE;
}

/* The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF. */
static enum json_characters_result begin_sequence(struct json_characters *characters,
                                                  unsigned char lead)
{
    if (lead < 0xc2 || lead > 0xf4) {
        return refuse(characters, "a string that is not UTF-8");
    }
    characters->sequence_left = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    characters->sequence_min = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    characters->sequence_max = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    characters->state = JSON_CHARACTERS_SEQUENCE;
    return JSON_CHARACTERS_MORE;
}

static enum json_characters_result step_sequence(struct json_characters *characters,
                                                 const char **at, const char *end)
{
    for (; characters->sequence_left > 0; characters->sequence_left--) {
        if (*at == end) {
            return JSON_CHARACTERS_MORE;
        }
        unsigned char byte = (unsigned char)**at;
        if (byte < characters->sequence_min || byte > characters->sequence_max) {
            return refuse(characters, "a string that is not UTF-8");
        }
        (*at)++;
        characters->sequence_min = 0x80;
        characters->sequence_max = 0xbf;
    }
    characters->state = JSON_CHARACTERS_PLAIN;
    return JSON_CHARACTERS_MORE;
}

static enum json_characters_result step_plain(struct json_characters *characters, const char **at,
                                              const char *end)
{
    if (characters->after_high_surrogate && **at != '\\') {
        characters->after_high_surrogate = false;
        return lone_surrogate(characters, 6);
    }
    *at = json_characters_skip_plain(*at, end);
    if (*at == end) {
        return JSON_CHARACTERS_MORE;
    }
    unsigned char byte = (unsigned char)**at;
    if (byte < ' ') {
        return refuse(characters, "a control character in a string");
    }
    if (byte >= 0x80) {
        enum json_characters_result result = begin_sequence(characters, byte);
        *at += result == JSON_CHARACTERS_MORE;
        return result;
    }
    (*at)++;
    if (byte == '"') {
        return JSON_CHARACTERS_END;
    }
    characters->has_escape = true;
    characters->state = JSON_CHARACTERS_ESCAPE;
    return JSON_CHARACTERS_MORE;
}

static enum json_characters_result step_escape(struct json_characters *characters, const char **at)
{
    if (**at == 'u') {
        (*at)++;
        characters->hex_left = 4;
        characters->code_unit = 0;
        characters->state = JSON_CHARACTERS_HEX;
        return JSON_CHARACTERS_MORE;
    }
    if (characters->after_high_surrogate) {
        characters->after_high_surrogate = false;
        return lone_surrogate(characters, 7);
    }
    if (**at == '\0' || strchr("\"\\/bfnrt", **at) == NULL) {
        return refuse(characters, "an escape that JSON does not have");
    }
    (*at)++;
    characters->state = JSON_CHARACTERS_PLAIN;
    return JSON_CHARACTERS_MORE;
}

static enum json_characters_result end_hex(struct json_characters *characters)
{
    bool after_high = characters->after_high_surrogate;
    bool is_high = characters->code_unit >= 0xd800 && characters->code_unit <= 0xdbff;
    bool is_low = characters->code_unit >= 0xdc00 && characters->code_unit <= 0xdfff;
    characters->state = JSON_CHARACTERS_PLAIN;
    characters->after_high_surrogate = is_high;
    if (after_high && !is_low) {
        return lone_surrogate(characters, 12);
    }
    if (is_low && !after_high) {
        return lone_surrogate(characters, 6);
    }
    return JSON_CHARACTERS_MORE;
}

static enum json_characters_result step_hex(struct json_characters *characters, const char **at)
{
    unsigned int byte = (unsigned char)**at;
    unsigned int lower = byte | 0x20;
    unsigned int digit = 0;
    if (byte >= '0' && byte <= '9') {
        digit = byte - '0';
    } else if (lower >= 'a' && lower <= 'f') {
        digit = lower - 'a' + 10;
    } else {
        return refuse(characters, "an escape without its four hex digits");
    }
    (*at)++;
    characters->code_unit = characters->code_unit * 16 + digit;
    characters->hex_left--;
    return characters->hex_left == 0 ? end_hex(characters) : JSON_CHARACTERS_MORE;
}

enum json_characters_result json_characters_next(struct json_characters *characters,
                                                 const char **at, const char *end)
{
    enum json_characters_result result = JSON_CHARACTERS_MORE;
    while (result == JSON_CHARACTERS_MORE && *at < end) {
        switch (characters->state) {
        case JSON_CHARACTERS_PLAIN:
            result = step_plain(characters, at, end);
            break;
        case JSON_CHARACTERS_ESCAPE:
            result = step_escape(characters, at);
            break;
        case JSON_CHARACTERS_HEX:
            result = step_hex(characters, at);
            break;
        case JSON_CHARACTERS_SEQUENCE:
            result = step_sequence(characters, at, end);
            break;
        }
    }
    return result;
}
