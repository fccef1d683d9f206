/* SPDX-License-Identifier: Apache-2.0 */
/* Normalizing goes from spelling to spelling without decoding in between: a decoded string could
   hold a NUL or half a surrogate pair, which no C string and no UTF-8 can. */
#include "base/json_spelling.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { ESCAPE_BYTES_MAX = 6 };

/* The letter behind the backslash; 0: none, \u it is. */
static char short_escape(unsigned char byte)
{
    switch (byte) {
    case '"':
    case '\\':
        return (char)byte;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static unsigned char meaning_of_escape(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return (unsigned char)letter;
    }
}

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte != '"' && byte != '\\';
}

/* At most ESCAPE_BYTES_MAX; returns how many. */
static size_t spell_special(unsigned char byte, char *out)
{
    static const char hex_digits[] = "0123456789abcdef";
    char letter = short_escape(byte);
    out[0] = '\\';
    if (letter != 0) {
        out[1] = letter;
        return 2;
    }
    out[1] = 'u';
    out[2] = '0';
    out[3] = '0';
    out[4] = hex_digits[byte >> 4];
    out[5] = hex_digits[byte & 0xf];
    return ESCAPE_BYTES_MAX;
}

/* Whether one of eight bytes is not plain: of a byte below a limit, and so of a zero, subtraction
   borrows into the highest bit. */
static bool has_special(uint64_t bytes)
{
    const uint64_t each = 0x0101010101010101;
    uint64_t quotes = bytes ^ each * '"';
    uint64_t backslashes = bytes ^ each * '\\';
    uint64_t borrowed = ((bytes - each * ' ') & ~bytes) | ((quotes - each) & ~quotes) |
                        ((backslashes - each) & ~backslashes);
    return (borrowed & each * 0x80) != 0;
}

/* How many at the beginning are spelled as they are. */
static size_t count_plain(const char *bytes, size_t byte_count)
{
    size_t at = 0;
    uint64_t eight;
    while (at + sizeof(eight) <= byte_count) {
        memcpy(&eight, bytes + at, sizeof(eight));
        if (has_special(eight)) {
            break;
        }
        at += sizeof(eight);
    }
    while (at < byte_count && is_plain((unsigned char)bytes[at])) {
        at++;
    }
    return at;
}

void json_spelling_append(struct text *text, const char *bytes, size_t byte_count)
{
    size_t at = 0;
    while (at < byte_count) {
        size_t plain = count_plain(bytes + at, byte_count - at);
        text_append_bytes(text, bytes + at, plain);
        at += plain;
        if (at < byte_count) {
            char escape[ESCAPE_BYTES_MAX];
            text_append_bytes(text, escape, spell_special((unsigned char)bytes[at++], escape));
        }
    }
}

void json_spelling_quote(struct text *text, const char *bytes, size_t byte_count)
{
    if (count_plain(bytes, byte_count) < byte_count) {
        text_append_char(text, '"');
        json_spelling_append(text, bytes, byte_count);
        text_append_char(text, '"');
        return;
    }
    char *quoted = text_extend(text, byte_count + 2);
    if (quoted != NULL) {
        quoted[0] = quoted[byte_count + 1] = '"';
        memcpy(quoted + 1, bytes, byte_count);
    }
}

static unsigned int hex_unit(const char *digits)
{
    unsigned int unit = 0;
    for (int i = 0; i < 4; i++) {
        unsigned int byte = (unsigned char)digits[i];
        unsigned int digit = byte <= '9' ? byte - '0' : (byte | 0x20) - 'a' + 10;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high(unsigned int unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(unsigned int unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

static bool is_unicode_escape(const char *at, const char *end)
{
    return end - at >= 6 && at[0] == '\\' && at[1] == 'u';
}

static void append_utf8(struct text *text, unsigned int point)
{
    char bytes[4];
    size_t byte_count = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned int leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = byte_count - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    bytes[0] = (char)(leads[byte_count] | point);
    text_append_bytes(text, bytes, byte_count);
}

/* At a \u; returns what is behind it, or behind the pair it begins. */
static const char *normalize_unicode(struct text *text, const char *at, const char *end)
{
    unsigned int unit = hex_unit(at + 2);
    at += 6;
    if (unit < 0x80) {
        char byte = (char)unit;
        json_spelling_append(text, &byte, 1);
    } else if (is_high(unit) && is_unicode_escape(at, end) && is_low(hex_unit(at + 2))) {
        append_utf8(text, 0x10000 + ((unit - 0xd800) << 10) + (hex_unit(at + 2) - 0xdc00));
        at += 6;
    } else if (is_high(unit) || is_low(unit)) {
        text_print(text, "\\u%04x", unit);
    } else {
        append_utf8(text, unit);
    }
    return at;
}

void json_spelling_normalize(struct text *text, const char *spelling, size_t byte_count)
{
    const char *at = spelling;
    const char *end = spelling + byte_count;
    while (at < end) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        const char *plain_end = escape == NULL ? end : escape;
        text_append_bytes(text, at, (size_t)(plain_end - at));
        at = plain_end;
        if (at == end) {
            return;
        }
        assert(end - at >= 2);
        if (is_unicode_escape(at, end)) {
            at = normalize_unicode(text, at, end);
        } else {
            char byte = (char)meaning_of_escape(at[1]);
            json_spelling_append(text, &byte, 1);
            at += 2;
        }
    }
}

bool json_spelling_is(const char *spelling, size_t byte_count, const char *string,
                      size_t string_byte_count)
{
    const char *at = spelling;
    const char *end = spelling + byte_count;
    for (size_t i = 0; i < string_byte_count; i++) {
        unsigned int meaning = 0;
        if (at == end) {
            return false;
        }
        if (*at != '\\') {
            meaning = (unsigned char)*at;
            at += 1;
        } else if (is_unicode_escape(at, end)) {
            meaning = hex_unit(at + 2);
            at += 6;
        } else {
            meaning = meaning_of_escape(at[1]);
            at += 2;
        }
        if (meaning != (unsigned char)string[i]) {
            return false;
        }
    }
    return at == end;
}
