/* SPDX-License-Identifier: Apache-2.0 */
/* cJSON reads 9007199254740993 as its neighbour, ends a string at \u0000, finds the first of equal
   keys where Go finds the last, and lets control characters, broken UTF-8 and 01 pass. A simulated
   API server that takes what the real one refuses, or gives back another value, hides the client's
   mistake; so the trees are built here. */
#include "sim/value.h"

#include "base/limits.h"
#include "base/map.h"
#include "sim/member_name.h"
#include "sim/value_string.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

enum { FRACTION_BYTES_MAX = 60, FEW_MEMBERS = 16 };

struct parser {
    const char *begin, *at;
    int depth;
    struct error *error;
};

#define cleanup_value __attribute__((cleanup(value_cleanup)))
static void value_cleanup(cJSON **value)
{
    cJSON_Delete(*value);
}

static bool refuse(const struct parser *parser, const char *problem)
{
    return error_set(parser->error, ERROR_INVALID, "JSON at byte %zu: %s",
                     (size_t)(parser->at - parser->begin), problem);
}

static void skip_space(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\n' || *parser->at == '\r' ||
           *parser->at == '\t') {
        parser->at++;
    }
}

static bool take(struct parser *parser, char byte)
{
    if (*parser->at != byte) {
        return false;
    }
    parser->at++;
    skip_space(parser);
    return true;
}

/* ---- scalars ---- */

static bool take_word(struct parser *parser, const char *word)
{
    size_t length = strlen(word);
    bool is_there = strncmp(parser->at, word, length) == 0;
    parser->at += is_there ? length : 0;
    return is_there;
}

static bool parse_word(struct parser *parser, cJSON **out)
{
    if (take_word(parser, "true")) {
        *out = cJSON_CreateTrue();
    } else if (take_word(parser, "false")) {
        *out = cJSON_CreateFalse();
    } else if (take_word(parser, "null")) {
        *out = cJSON_CreateNull();
    } else {
        return refuse(parser, "no value");
    }
    return true;
}

/* Past the digits; false: there is none. */
static bool skip_digits(const char **at)
{
    const char *begin = *at;
    while (isdigit((unsigned char)**at)) {
        (*at)++;
    }
    return *at != begin;
}

static bool skip_fraction(const char **at)
{
    if (**at == '.') {
        (*at)++;
        if (!skip_digits(at)) {
            return false;
        }
    }
    if (**at == 'e' || **at == 'E') {
        (*at)++;
        *at += **at == '+' || **at == '-' ? 1 : 0;
        return skip_digits(at);
    }
    return true;
}

static bool parse_integer(struct parser *parser, const char *end, cJSON **out)
{
    static const int64_t tenth_max = INT64_C(920000000000000000); /* as far as value_print */
    bool is_negative = *parser->at == '-';
    bool fits = true;
    int64_t number = 0;
    for (const char *at = parser->at + (is_negative ? 1 : 0); at < end && fits; at++) {
        fits = number < tenth_max;
        number = fits ? number * 10 + (*at - '0') : number;
    }
    if (!fits || (number > VALUE_INTEGER_MAX && (int64_t)(double)number != number)) {
        return refuse(parser, "an integer beyond 2^53 that a double does not hold");
    }
    parser->at = end;
    *out = cJSON_CreateNumber((double)(is_negative ? -number : number));
    return true;
}

static bool parse_number(struct parser *parser, cJSON **out)
{
    const char *end = parser->at + (*parser->at == '-' ? 1 : 0);
    const char *digits = end;
    if (!skip_digits(&end) || (*digits == '0' && end - digits > 1)) {
        return refuse(parser, "a number with no digits, or with a 0 in front");
    }
    const char *integer_end = end;
    if (!skip_fraction(&end)) {
        return refuse(parser, "a number that ends in the middle");
    }
    if (end == integer_end) {
        return parse_integer(parser, end, out);
    }
    size_t length = (size_t)(end - parser->at);
    if (length > FRACTION_BYTES_MAX) {
        return refuse(parser, "a number that is too long");
    }
    cJSON *number cleanup_value = cJSON_ParseWithLength(parser->at, length);
    assert(cJSON_IsNumber(number));
    if (!isfinite(number->valuedouble)) {
        return refuse(parser, "a number beyond a double");
    }
    parser->at = end;
    *out = number;
    number = NULL;
    return true;
}

static bool parse_text(struct parser *parser, char **out)
{
    const char *problem = value_string_read(&parser->at, out);
    return problem == NULL || refuse(parser, problem);
}

static bool parse_string(struct parser *parser, cJSON **out)
{
    char *text = NULL;
    if (!parse_text(parser, &text)) {
        return false;
    }
    cJSON *string = cJSON_CreateNull();
    string->type = cJSON_String;
    string->valuestring = text;
    *out = string;
    return true;
}

/* ---- containers ---- */

static void drop(cJSON *object, cJSON *member)
{
    cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
}

static void drop_same_name_before(cJSON *object, const cJSON *member)
{
    for (cJSON *at = object->child; at != member; at = at->next) {
        if (strcmp(at->string, member->string) == 0) {
            drop(object, at);
            return;
        }
    }
}

/* Most objects have so few members that looking at each pair is fastest; a large one must not take
   the square of its size. */
static void keep_last_of_equal_names(cJSON *object, size_t member_count)
{
    if (member_count <= FEW_MEMBERS) {
        for (const cJSON *at = object->child; at != NULL; at = at->next) {
            drop_same_name_before(object, at);
        }
        return;
    }
    struct map names;
    map_init(&names);
    for (cJSON *at = object->child; at != NULL; at = at->next) {
        cJSON *before = map_put(&names, at->string, at);
        if (before != NULL) {
            drop(object, before);
        }
    }
    map_release(&names);
}

/* *out_own: the same if it is the tree's own, NULL if it is one of those that all share. */
static bool parse_name(struct parser *parser, char **out, char **out_own)
{
    const char *begin = parser->at + 1;
    const char *end = begin;
    while (*end != '"' && *end != '\\' && *end != '\0') {
        end++;
    }
    *out_own = NULL;
    *out = *end == '"' ? member_name_known(begin, (size_t)(end - begin)) : NULL;
    if (*out != NULL) {
        parser->at = end + 1;
        return true;
    }
    if (!parse_text(parser, out_own)) {
        return false;
    }
    *out = member_name_keep(*out_own);
    if (*out == NULL) {
        *out = *out_own;
    } else {
        cJSON_free(*out_own);
        *out_own = NULL;
    }
    return true;
}

static bool parse_value(struct parser *parser, cJSON **out);

/* NOLINTBEGIN(misc-no-recursion): parse_value bounds the depth */
static bool parse_member(struct parser *parser, cJSON *object)
{
    char *name = NULL;
    char *own_name = NULL;
    if (*parser->at != '"') {
        return refuse(parser, "no name of a member");
    }
    if (!parse_name(parser, &name, &own_name)) {
        return false;
    }
    skip_space(parser);
    cJSON *value = NULL;
    bool ok = take(parser, ':') ? parse_value(parser, &value) : refuse(parser, "no colon");
    if (!ok) {
        cJSON_free(own_name);
        return false;
    }
    assert(value != NULL);
    value->string = name;
    value->type |= own_name == NULL ? cJSON_StringIsConst : 0;
    (void)cJSON_AddItemToArray(object, value);
    return true;
}

static bool parse_object(struct parser *parser, cJSON **out)
{
    cJSON *object cleanup_value = cJSON_CreateObject();
    (void)take(parser, '{');
    size_t member_count = 0;
    while (!take(parser, '}')) {
        if (member_count > 0 && !take(parser, ',')) {
            return refuse(parser, "no comma or } behind a member");
        }
        if (!parse_member(parser, object)) {
            return false;
        }
        member_count++;
    }
    keep_last_of_equal_names(object, member_count);
    *out = object;
    object = NULL;
    return true;
}

static bool parse_array(struct parser *parser, cJSON **out)
{
    cJSON *array cleanup_value = cJSON_CreateArray();
    (void)take(parser, '[');
    while (!take(parser, ']')) {
        if (array->child != NULL && !take(parser, ',')) {
            return refuse(parser, "no comma or ] behind an element");
        }
        cJSON *element = NULL;
        if (!parse_value(parser, &element)) {
            return false;
        }
        (void)cJSON_AddItemToArray(array, element);
    }
    *out = array;
    array = NULL;
    return true;
}

static bool parse_container(struct parser *parser, cJSON **out)
{
    if (parser->depth == LIMIT_JSON_DEPTH) {
        return error_set(parser->error, ERROR_LIMIT, "JSON of more than %d levels",
                         LIMIT_JSON_DEPTH);
    }
    parser->depth++;
    bool ok = *parser->at == '{' ? parse_object(parser, out) : parse_array(parser, out);
    parser->depth--;
    return ok;
}

/* Takes the space behind it, too. */
static bool parse_value(struct parser *parser, cJSON **out)
{
    bool ok = false;
    switch (*parser->at) {
    case '{':
    case '[':
        return parse_container(parser, out);
    case '"':
        ok = parse_string(parser, out);
        break;
    case 't':
    case 'f':
    case 'n':
        ok = parse_word(parser, out);
        break;
    default:
        ok = parse_number(parser, out);
        break;
    }
    if (ok) {
        skip_space(parser);
    }
    return ok;
}
/* NOLINTEND(misc-no-recursion) */

bool value_parse(const char *text, cJSON **out_value, struct error *error)
{
    struct parser parser = {.begin = text, .at = text, .error = error};
    skip_space(&parser);
    cJSON *value cleanup_value = NULL;
    if (!parse_value(&parser, &value)) {
        return false;
    }
    if (*parser.at != '\0') {
        return refuse(&parser, "something behind the value");
    }
    *out_value = value;
    value = NULL;
    return true;
}
