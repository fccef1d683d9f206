/* SPDX-License-Identifier: Apache-2.0 */
/* No string means more bytes than it is spelled in, so its memory is taken once, before it is
   decoded. Most have no escape and are copied whole. */
#include "sim/value_string.h"

#include <cjson/cJSON.h>

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char *const UTF_8 = "broken UTF-8";
static const char *const ESCAPE = "an escape that is none";

enum { REPLACEMENT = 0xFFFD, HEX_DIGITS = 4 };

/* ---- UTF-8, RFC 3629 section 4 ---- */

/* By the first byte; 0: no character begins with it. */
static size_t bytes_announced(unsigned char lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* What the second byte may be: narrower behind some, lest the character be spelled too long, a
   surrogate, or beyond U+10FFFF. */
static bool may_follow(unsigned char lead, unsigned char second)
{
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

/* How many bytes the character at `bytes` has; 0: it is none. A NUL is no continuation. */
static size_t character_bytes(const unsigned char *bytes)
{
    size_t count = bytes_announced(bytes[0]);
    if (count > 1 && !may_follow(bytes[0], bytes[1])) {
        return 0;
    }
    for (size_t i = 2; i < count; i++) {
        if (bytes[i] < 0x80 || bytes[i] > 0xBF) {
            return 0;
        }
    }
    return count;
}

bool value_string_is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        size_t count = character_bytes(at);
        if (count == 0) {
            return false;
        }
        at += count;
    }
    return true;
}

static const uint32_t LEADS[] = {0, 0xC0, 0xE0, 0xF0}; /* by how many bytes follow */

static char *put_character(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *out++ = (char)(LEADS[more] | code >> (6 * more));
    while (more-- > 0) {
        *out++ = (char)(0x80 | (code >> (6 * more) & 0x3F));
    }
    return out;
}

/* ---- escapes ---- */

static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";

/* The four digits at `digits`; -1: they are not. */
static int32_t hex_unit(const char *digits)
{
    int32_t unit = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
        const char *found = digits[i] == '\0' ? NULL : strchr(DIGITS, digits[i]);
        if (found == NULL) {
            return -1;
        }
        unit = unit << 4 | (int32_t)((found - DIGITS) % 16);
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* *at behind \u; moves behind the digits, of both halves where there are two. */
static const char *decode_unicode(const char **at, char **out)
{
    int32_t unit = hex_unit(*at);
    if (unit < 0) {
        return ESCAPE;
    }
    if (unit == 0) {
        return "\\u0000, which is not supported here";
    }
    *at += HEX_DIGITS;
    int32_t low = is_high(unit) && strncmp(*at, "\\u", 2) == 0 ? hex_unit(*at + 2) : -1;
    if (is_low(low)) {
        *at += 2 + HEX_DIGITS;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else if (is_high(unit) || is_low(unit)) {
        unit = REPLACEMENT;
    }
    *out = put_character(*out, (uint32_t)unit);
    return NULL;
}

static const char ESCAPE_NAMES[] = "\"\\/bfnrt";
static const char ESCAPE_BYTES[] = "\"\\/\b\f\n\r\t";

/* *at at the backslash. */
static const char *decode_escape(const char **at, char **out)
{
    char name = (*at)[1];
    const char *found = name == '\0' ? NULL : strchr(ESCAPE_NAMES, name);
    if (found != NULL) {
        *(*out)++ = ESCAPE_BYTES[found - ESCAPE_NAMES];
        *at += 2;
        return NULL;
    }
    if (name != 'u') {
        return ESCAPE;
    }
    *at += 2;
    return decode_unicode(at, out);
}

/* ---- the string ---- */

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Up to the closing quote: *at behind it, or at what is wrong. */
static const char *find_end(const char **at, bool *out_has_escape)
{
    const char *end = *at + 1;
    const char *problem = NULL;
    *out_has_escape = false;
    for (;;) {
        while (is_plain((unsigned char)*end)) {
            end++;
        }
        size_t bytes = character_bytes((const unsigned char *)end);
        if (*end == '"') {
            break;
        }
        if (*end == '\\' && end[1] != '\0') {
            *out_has_escape = true;
            bytes = 2;
        } else if (bytes == 0) {
            problem = UTF_8;
        } else if (bytes == 1) {
            problem =
                *end == '\0' || *end == '\\' ? "a string without its end" : "a control character";
        }
        if (problem != NULL) {
            break;
        }
        end += bytes;
    }
    *at = end + (problem == NULL ? 1 : 0);
    return problem;
}

/* Up to end; *at moves as far as all is well. */
static const char *decode(const char **at, const char *end, char *out)
{
    const char *problem = NULL;
    while (problem == NULL && *at < end) {
        if (**at == '\\') {
            problem = decode_escape(at, &out);
        } else {
            *out++ = *(*at)++;
        }
    }
    *out = '\0';
    return problem;
}

const char *value_string_read(const char **at, char **out_bytes)
{
    assert(**at == '"');
    const char *begin = *at + 1;
    bool has_escape = false;
    const char *problem = find_end(at, &has_escape);
    if (problem != NULL) {
        return problem;
    }
    size_t length = (size_t)(*at - 1 - begin);
    char *bytes = cJSON_malloc(length + 1);
    assert(bytes != NULL);
    if (has_escape) {
        const char *read = begin;
        problem = decode(&read, begin + length, bytes);
        *at = problem == NULL ? *at : read;
    } else {
        memcpy(bytes, begin, length);
        bytes[length] = '\0';
    }
    if (problem != NULL) {
        cJSON_free(bytes);
        return problem;
    }
    *out_bytes = bytes;
    return NULL;
}
