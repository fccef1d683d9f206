/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes strings (b''), triple quotes and numeric escapes are refused: nobody needs them to say
   which objects are good. */
#include "sim/cel_lexer.h"

#include "sim/cel_tree.h"
#include "sim/value.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

enum { STRING_BYTES_MAX = 16 * 1024 };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
static const char digits[] = "0123456789";
static const char escapes[] = "\\'\"`?nrtabfv";
static const char escaped[] = "\\'\"`?\n\r\t\a\b\f\v";
static const char *const marks[] = {"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "?",
                                    ":",  ".",  ",",  "(",  ")",  "[",  "]", "+", "-"};

static bool starts_letter(char byte)
{
    return byte != '\0' && strchr(letters, byte) != NULL;
}

static bool starts_digit(char byte)
{
    return byte != '\0' && strchr(digits, byte) != NULL;
}

static bool refuse(const struct cel_lexer *lexer, const char *what, struct error *error)
{
    return error_set(error, ERROR_INVALID, "%s at byte %zu", what, lexer->at + 1);
}

static void take(struct cel_lexer *lexer, size_t byte_count, enum cel_token_kind kind,
                 struct cel_token *out_token)
{
    *out_token = (struct cel_token){
        .kind = kind,
        .text = arena_copy_bytes(lexer->arena, lexer->source + lexer->at, byte_count),
        .at = lexer->at,
    };
    lexer->at += byte_count;
}

static bool take_number(struct cel_lexer *lexer, struct cel_token *out_token, struct error *error)
{
    const char *from = lexer->source + lexer->at;
    size_t byte_count = strspn(from, digits);
    bool is_double = from[byte_count] == '.' && starts_digit(from[byte_count + 1]);
    if (is_double) {
        byte_count += 1 + strspn(from + byte_count + 1, digits);
    }
    if (starts_letter(from[byte_count])) {
        return refuse(lexer, "this kind of number is not supported here,", error);
    }
    take(lexer, byte_count, is_double ? TOKEN_DOUBLE : TOKEN_INTEGER, out_token);
    cJSON *number = NULL;
    if (!value_parse(out_token->text, &number, error)) {
        return false;
    }
    out_token->number = number->valuedouble;
    cJSON_Delete(number);
    return true;
}

/* The byte behind a backslash. */
static bool read_escape(struct cel_lexer *lexer, struct text *out, struct error *error)
{
    char byte = lexer->source[lexer->at];
    const char *meant = byte == '\0' ? NULL : strchr(escapes, byte);
    if (meant == NULL) {
        return refuse(lexer, "this escape is not supported here,", error);
    }
    text_append_char(out, escaped[meant - escapes]);
    return true;
}

/* From the opening quote to behind the closing one. */
static bool unquote(struct cel_lexer *lexer, bool is_raw, struct text *out, struct error *error)
{
    char quote = lexer->source[lexer->at++];
    if (lexer->source[lexer->at] == quote && lexer->source[lexer->at + 1] == quote) {
        return refuse(lexer, "triple quotes are not supported here,", error);
    }
    for (; lexer->source[lexer->at] != quote; lexer->at++) {
        char byte = lexer->source[lexer->at];
        if (byte == '\0' || byte == '\n') {
            return refuse(lexer, "the string has no end,", error);
        }
        if (byte != '\\' || is_raw) {
            text_append_char(out, byte);
            continue;
        }
        lexer->at++;
        if (!read_escape(lexer, out, error)) {
            return false;
        }
    }
    lexer->at++;
    return text_check(out, "the string", error);
}

static bool take_string(struct cel_lexer *lexer, bool is_raw, struct cel_token *out_token,
                        struct error *error)
{
    cleanup_text struct text meant;
    text_init(&meant, STRING_BYTES_MAX);
    size_t at = lexer->at;
    lexer->at += is_raw ? 1 : 0;
    if (!unquote(lexer, is_raw, &meant, error)) {
        return false;
    }
    *out_token = (struct cel_token){
        .kind = TOKEN_STRING, .text = arena_copy(lexer->arena, meant.bytes), .at = at};
    return true;
}

static bool take_mark(struct cel_lexer *lexer, struct cel_token *out_token, struct error *error)
{
    const char *from = lexer->source + lexer->at;
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        if (text_starts_with(from, marks[i])) {
            take(lexer, strlen(marks[i]), TOKEN_MARK, out_token);
            return true;
        }
    }
    return refuse(lexer, "this is not supported here,", error);
}

bool cel_lexer_next(struct cel_lexer *lexer, struct cel_token *out_token, struct error *error)
{
    lexer->at += strspn(lexer->source + lexer->at, " \t\r\n");
    const char *from = lexer->source + lexer->at;
    bool is_raw = (from[0] == 'r' || from[0] == 'R') && (from[1] == '\'' || from[1] == '"');
    if (*from == '\0') {
        take(lexer, 0, TOKEN_END, out_token);
        return true;
    }
    if (is_raw || *from == '\'' || *from == '"') {
        return take_string(lexer, is_raw, out_token, error);
    }
    if (starts_letter(*from)) {
        size_t first = strspn(from, letters);
        while (starts_letter(from[first]) || starts_digit(from[first])) {
            first++;
        }
        take(lexer, first, TOKEN_IDENTIFIER, out_token);
        return true;
    }
    if (starts_digit(*from)) {
        return take_number(lexer, out_token, error);
    }
    return take_mark(lexer, out_token, error);
}
