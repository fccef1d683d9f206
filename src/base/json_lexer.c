/* SPDX-License-Identifier: Apache-2.0 */
/* Tables say what may come next, so that resuming is nothing but looking at the state again. The
   containers that are open are a word of bits: no recursion and no allocation. */
#include "base/json_lexer.h"

#include <assert.h>
#include <string.h>

enum character_class {
    CLASS_OTHER,
    CLASS_SPACE,
    CLASS_OBJECT_BEGIN,
    CLASS_OBJECT_END,
    CLASS_ARRAY_BEGIN,
    CLASS_ARRAY_END,
    CLASS_COLON,
    CLASS_COMMA,
    CLASS_QUOTE,
    CLASS_WORD, /* t, f and n: true, false and null */
    CLASS_E,
    CLASS_MINUS,
    CLASS_PLUS,
    CLASS_POINT,
    CLASS_ZERO,
    CLASS_DIGIT, /* 1 to 9 */
    CLASS_COUNT,
};

static const unsigned char classes[256] = {
    [' '] = CLASS_SPACE,       ['\t'] = CLASS_SPACE,       ['\n'] = CLASS_SPACE,
    ['\r'] = CLASS_SPACE,      ['{'] = CLASS_OBJECT_BEGIN, ['}'] = CLASS_OBJECT_END,
    ['['] = CLASS_ARRAY_BEGIN, [']'] = CLASS_ARRAY_END,    [':'] = CLASS_COLON,
    [','] = CLASS_COMMA,       ['"'] = CLASS_QUOTE,        ['t'] = CLASS_WORD,
    ['f'] = CLASS_WORD,        ['n'] = CLASS_WORD,         ['e'] = CLASS_E,
    ['E'] = CLASS_E,           ['-'] = CLASS_MINUS,        ['+'] = CLASS_PLUS,
    ['.'] = CLASS_POINT,       ['0'] = CLASS_ZERO,         ['1'] = CLASS_DIGIT,
    ['2'] = CLASS_DIGIT,       ['3'] = CLASS_DIGIT,        ['4'] = CLASS_DIGIT,
    ['5'] = CLASS_DIGIT,       ['6'] = CLASS_DIGIT,        ['7'] = CLASS_DIGIT,
    ['8'] = CLASS_DIGIT,       ['9'] = CLASS_DIGIT,
};

/* What a byte does between tokens. Zero: it is not allowed there. */
enum action {
    REFUSE,
    TAKE_SPACE,
    BEGIN_OBJECT,
    END_OBJECT,
    BEGIN_ARRAY,
    END_ARRAY,
    BEGIN_KEY,
    BEGIN_STRING,
    BEGIN_NUMBER,
    BEGIN_WORD,
    TAKE_COLON,
    TAKE_COMMA,
};

#define VALUE_ACTIONS                                                                              \
    [CLASS_SPACE] = TAKE_SPACE, [CLASS_OBJECT_BEGIN] = BEGIN_OBJECT,                               \
    [CLASS_ARRAY_BEGIN] = BEGIN_ARRAY, [CLASS_QUOTE] = BEGIN_STRING, [CLASS_WORD] = BEGIN_WORD,    \
    [CLASS_MINUS] = BEGIN_NUMBER, [CLASS_ZERO] = BEGIN_NUMBER, [CLASS_DIGIT] = BEGIN_NUMBER

static const unsigned char actions[JSON_INSIDE_STRING][CLASS_COUNT] = {
    [JSON_EXPECT_VALUE] = {VALUE_ACTIONS},
    [JSON_EXPECT_ELEMENT_OR_END] = {VALUE_ACTIONS, [CLASS_ARRAY_END] = END_ARRAY},
    [JSON_EXPECT_KEY_OR_END] =
        {[CLASS_SPACE] = TAKE_SPACE, [CLASS_QUOTE] = BEGIN_KEY, [CLASS_OBJECT_END] = END_OBJECT},
    [JSON_EXPECT_KEY] = {[CLASS_SPACE] = TAKE_SPACE, [CLASS_QUOTE] = BEGIN_KEY},
    [JSON_EXPECT_COLON] = {[CLASS_SPACE] = TAKE_SPACE, [CLASS_COLON] = TAKE_COLON},
    [JSON_EXPECT_COMMA_OR_OBJECT_END] =
        {[CLASS_SPACE] = TAKE_SPACE, [CLASS_COMMA] = TAKE_COMMA, [CLASS_OBJECT_END] = END_OBJECT},
    [JSON_EXPECT_COMMA_OR_ARRAY_END] =
        {[CLASS_SPACE] = TAKE_SPACE, [CLASS_COMMA] = TAKE_COMMA, [CLASS_ARRAY_END] = END_ARRAY},
    [JSON_EXPECT_NOTHING] = {[CLASS_SPACE] = TAKE_SPACE},
};

static const char *const expectations[JSON_INSIDE_STRING] = {
    [JSON_EXPECT_VALUE] = "expected a value",
    [JSON_EXPECT_ELEMENT_OR_END] = "expected a value or ]",
    [JSON_EXPECT_KEY_OR_END] = "expected a key or }",
    [JSON_EXPECT_KEY] = "expected a key",
    [JSON_EXPECT_COLON] = "expected a colon",
    [JSON_EXPECT_COMMA_OR_OBJECT_END] = "expected a comma or }",
    [JSON_EXPECT_COMMA_OR_ARRAY_END] = "expected a comma or ]",
    [JSON_EXPECT_NOTHING] = "expected nothing behind the value",
};

/* Zero means that the byte is not part of the number; no state is entered again from its end, so
   JSON_NUMBER_MINUS (zero) never is a target. */
#define DIGITS_TO(target) [CLASS_ZERO] = (target), [CLASS_DIGIT] = (target)
static const unsigned char number_steps[JSON_NUMBER_END][CLASS_COUNT] = {
    [JSON_NUMBER_MINUS] = {[CLASS_ZERO] = JSON_NUMBER_ZERO, [CLASS_DIGIT] = JSON_NUMBER_INTEGER},
    [JSON_NUMBER_ZERO] = {[CLASS_POINT] = JSON_NUMBER_POINT, [CLASS_E] = JSON_NUMBER_E},
    [JSON_NUMBER_INTEGER] = {DIGITS_TO(JSON_NUMBER_INTEGER), [CLASS_POINT] = JSON_NUMBER_POINT,
                             [CLASS_E] = JSON_NUMBER_E},
    [JSON_NUMBER_POINT] = {DIGITS_TO(JSON_NUMBER_FRACTION)},
    [JSON_NUMBER_FRACTION] = {DIGITS_TO(JSON_NUMBER_FRACTION), [CLASS_E] = JSON_NUMBER_E},
    [JSON_NUMBER_E] = {DIGITS_TO(JSON_NUMBER_EXPONENT), [CLASS_MINUS] = JSON_NUMBER_SIGN,
                       [CLASS_PLUS] = JSON_NUMBER_SIGN},
    [JSON_NUMBER_SIGN] = {DIGITS_TO(JSON_NUMBER_EXPONENT)},
    [JSON_NUMBER_EXPONENT] = {DIGITS_TO(JSON_NUMBER_EXPONENT)},
};

void json_lexer_init(struct json_lexer *lexer, int depth_max, bool many)
{
    assert(depth_max > 0 && depth_max <= JSON_LEXER_DEPTH_MAX);
    *lexer = (struct json_lexer){.depth_max = depth_max, .many = many};
}

bool json_lexer_may_end(const struct json_lexer *lexer)
{
    if (lexer->depth > 0) {
        return false;
    }
    return lexer->state == (lexer->many ? JSON_EXPECT_VALUE : JSON_EXPECT_NOTHING);
}

static enum json_token refuse(struct json_lexer *lexer, const char *problem)
{
    lexer->problem = problem;
    return JSON_INVALID;
}

static unsigned char class_of(char byte)
{
    return classes[(unsigned char)byte];
}

static void expect_after_value(struct json_lexer *lexer)
{
    if (lexer->depth == 0) {
        lexer->state = lexer->many ? JSON_EXPECT_VALUE : JSON_EXPECT_NOTHING;
    } else if (lexer->objects & 1) {
        lexer->state = JSON_EXPECT_COMMA_OR_OBJECT_END;
    } else {
        lexer->state = JSON_EXPECT_COMMA_OR_ARRAY_END;
    }
}

static enum json_token begin_container(struct json_lexer *lexer, bool is_object)
{
    if (lexer->depth == lexer->depth_max) {
        return JSON_TOO_DEEP;
    }
    lexer->depth++;
    lexer->objects = lexer->objects << 1 | (is_object ? 1 : 0);
    lexer->state = is_object ? JSON_EXPECT_KEY_OR_END : JSON_EXPECT_ELEMENT_OR_END;
    return is_object ? JSON_OBJECT_BEGIN : JSON_ARRAY_BEGIN;
}

static enum json_token end_container(struct json_lexer *lexer, enum json_token token)
{
    assert(lexer->depth > 0);
    lexer->depth--;
    lexer->objects >>= 1;
    expect_after_value(lexer);
    return token;
}

/* ---- strings and keys ---- */

/* Keeps what this chunk has of a key that goes on in the next one. */
static void keep_key_part(struct json_lexer *lexer, const char *part, size_t byte_count)
{
    if (byte_count > 0 && lexer->key_byte_count + byte_count <= sizeof(lexer->key_bytes)) {
        memcpy(lexer->key_bytes + lexer->key_byte_count, part, byte_count);
    }
    lexer->key_byte_count += byte_count;
}

/* part is what this chunk has of it, without the quote. */
static enum json_token end_string(struct json_lexer *lexer, const char *part, size_t byte_count)
{
    if (!lexer->is_key) {
        expect_after_value(lexer);
        return JSON_STRING;
    }
    lexer->state = JSON_EXPECT_COLON;
    if (lexer->key_byte_count == 0) {
        lexer->key = part;
        lexer->key_byte_count = byte_count;
        return JSON_KEY;
    }
    keep_key_part(lexer, part, byte_count);
    bool fits = lexer->key_byte_count <= sizeof(lexer->key_bytes);
    lexer->key = fits ? lexer->key_bytes : NULL;
    return JSON_KEY;
}

static enum json_token continue_string(struct json_lexer *lexer, const char **at, const char *end)
{
    const char *part = *at;
    enum json_characters_result result = json_characters_next(&lexer->characters, at, end);
    if (result == JSON_CHARACTERS_INVALID) {
        return refuse(lexer, lexer->characters.problem);
    }
    size_t byte_count = (size_t)(*at - part);
    if (result == JSON_CHARACTERS_END) {
        return end_string(lexer, part, byte_count - 1);
    }
    if (lexer->is_key) {
        keep_key_part(lexer, part, byte_count);
    }
    return result == JSON_CHARACTERS_MORE ? JSON_MORE : JSON_LONE_SURROGATE;
}

static enum json_token begin_string(struct json_lexer *lexer, bool is_key, const char **at,
                                    const char *end)
{
    lexer->is_key = is_key;
    lexer->key_byte_count = 0;
    const char *part = *at;
    const char *plain_end = json_characters_skip_plain(part, end);
    if (plain_end < end && *plain_end == '"') {
        *at = plain_end + 1;
        lexer->characters.has_escape = false;
        return end_string(lexer, part, (size_t)(plain_end - part));
    }
    lexer->state = JSON_INSIDE_STRING;
    json_characters_init(&lexer->characters);
    return continue_string(lexer, at, end);
}

/* ---- numbers, words, and what is between tokens ---- */

/* A number has no end of its own: it ends where the next byte does not belong to it. */
static enum json_token continue_number(struct json_lexer *lexer, const char **at, const char *end)
{
    const char *part = *at;
    enum json_number_state state = lexer->number;
    while (*at < end && number_steps[state][class_of(**at)] != 0) {
        state = number_steps[state][class_of(**at)];
        lexer->digit_count += state <= JSON_NUMBER_INTEGER;
        (*at)++;
    }
    lexer->number = state;
    lexer->number_byte_count += (size_t)(*at - part);
    if (*at == end) {
        return JSON_MORE;
    }
    lexer->is_integer = state == JSON_NUMBER_ZERO || state == JSON_NUMBER_INTEGER;
    if (!lexer->is_integer && state != JSON_NUMBER_FRACTION && state != JSON_NUMBER_EXPONENT) {
        return refuse(lexer, "a number without its digits");
    }
    expect_after_value(lexer);
    return JSON_NUMBER;
}

static enum json_token begin_number(struct json_lexer *lexer, const char **at, const char *end)
{
    unsigned char class = class_of((*at)[-1]);
    lexer->state = JSON_INSIDE_NUMBER;
    lexer->number = class == CLASS_MINUS  ? JSON_NUMBER_MINUS
                    : class == CLASS_ZERO ? JSON_NUMBER_ZERO
                                          : JSON_NUMBER_INTEGER;
    lexer->number_byte_count = 1;
    lexer->digit_count = class == CLASS_MINUS ? 0 : 1;
    return continue_number(lexer, at, end);
}

static enum json_token continue_word(struct json_lexer *lexer, const char **at, const char *end)
{
    for (; *lexer->word_rest != '\0'; lexer->word_rest++, (*at)++) {
        if (*at == end) {
            return JSON_MORE;
        }
        if (**at != *lexer->word_rest) {
            return refuse(lexer, "a word that is not true, false or null");
        }
    }
    expect_after_value(lexer);
    return lexer->word;
}

static enum json_token begin_word(struct json_lexer *lexer, const char **at, const char *end)
{
    char first = (*at)[-1];
    lexer->state = JSON_INSIDE_WORD;
    lexer->word = first == 't' ? JSON_TRUE : first == 'f' ? JSON_FALSE : JSON_NULL;
    lexer->word_rest = first == 't' ? "rue" : first == 'f' ? "alse" : "ull";
    return continue_word(lexer, at, end);
}

static enum json_token take_space(const char **at, const char *end)
{
    while (*at < end && class_of(**at) == CLASS_SPACE) {
        (*at)++;
    }
    return JSON_SPACE;
}

static enum json_token begin_token(struct json_lexer *lexer, const char **at, const char *end)
{
    enum action action = actions[lexer->state][class_of(**at)];
    *at += action != REFUSE;
    switch (action) {
    case REFUSE:
        return refuse(lexer, expectations[lexer->state]);
    case TAKE_SPACE:
        return take_space(at, end);
    case BEGIN_OBJECT:
        return begin_container(lexer, true);
    case END_OBJECT:
        return end_container(lexer, JSON_OBJECT_END);
    case BEGIN_ARRAY:
        return begin_container(lexer, false);
    case END_ARRAY:
        return end_container(lexer, JSON_ARRAY_END);
    case BEGIN_KEY:
        return begin_string(lexer, true, at, end);
    case BEGIN_STRING:
        return begin_string(lexer, false, at, end);
    case BEGIN_NUMBER:
        return begin_number(lexer, at, end);
    case BEGIN_WORD:
        return begin_word(lexer, at, end);
    case TAKE_COLON:
        lexer->state = JSON_EXPECT_VALUE;
        return JSON_COLON;
    case TAKE_COMMA:
        lexer->state = lexer->objects & 1 ? JSON_EXPECT_KEY : JSON_EXPECT_VALUE;
        return JSON_COMMA;
    }
    return JSON_MORE;
}

enum json_token json_lexer_next(struct json_lexer *lexer, const char **at, const char *end)
{
    lexer->begin = *at;
    if (*at == end) {
        return JSON_MORE;
    }
    switch (lexer->state) {
    case JSON_INSIDE_STRING:
        return continue_string(lexer, at, end);
    case JSON_INSIDE_NUMBER:
        return continue_number(lexer, at, end);
    case JSON_INSIDE_WORD:
        return continue_word(lexer, at, end);
    case JSON_EXPECT_VALUE:
    case JSON_EXPECT_ELEMENT_OR_END:
    case JSON_EXPECT_KEY_OR_END:
    case JSON_EXPECT_KEY:
    case JSON_EXPECT_COLON:
    case JSON_EXPECT_COMMA_OR_OBJECT_END:
    case JSON_EXPECT_COMMA_OR_ARRAY_END:
    case JSON_EXPECT_NOTHING:
        break;
    }
    return begin_token(lexer, at, end);
}

enum json_token json_lexer_skip(struct json_lexer *lexer, int depth, const char **at,
                                const char *end)
{
    for (;;) {
        enum json_token token = json_lexer_next(lexer, at, end);
        bool is_end = json_token_ends_value(token) && lexer->depth == depth;
        if (is_end || token == JSON_MORE || token >= JSON_INVALID) {
            return token;
        }
    }
}
