/* SPDX-License-Identifier: Apache-2.0 */
/* Integers all the way: a double would round 9223372036854775807 and turn 0.1Gi into something
   next to it. A quantity is digits * 2^binary * 10^decimal; the digits fit in 64 bits and binary is
   at most 60, so the product before the division fits in 128. */
#include "api/quantity.h"

#include "base/text.h"

#include <string.h>

/* A real quantity has three digits of exponent at most; more would only take longer to refuse. */
enum { EXPONENT_MAX = 999 };

struct parts {
    bool negative;
    uint64_t digits;
    int binary;
    int decimal;
};

static const struct {
    const char *suffix;
    int binary, decimal;
} SUFFIXES[] = {
    {"", 0, 0},    {"Ki", 10, 0}, {"Mi", 20, 0}, {"Gi", 30, 0}, {"Ti", 40, 0}, {"Pi", 50, 0},
    {"Ei", 60, 0}, {"n", 0, -9},  {"u", 0, -6},  {"m", 0, -3},  {"k", 0, 3},   {"M", 0, 6},
    {"G", 0, 9},   {"T", 0, 12},  {"P", 0, 15},  {"E", 0, 18},
};

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool add_digit(struct parts *parts, char byte)
{
    unsigned digit = (unsigned)(byte - '0');
    if (parts->digits > (UINT64_MAX - digit) / 10) {
        return false;
    }
    parts->digits = parts->digits * 10 + digit;
    return true;
}

/* Zeros at the end of a fraction say nothing and must not use up the 64 bits. */
static const char *fraction_end(const char *fraction)
{
    const char *end = fraction;
    for (const char *at = fraction; is_digit(*at); at++) {
        if (*at != '0') {
            end = at + 1;
        }
    }
    return end;
}

/* NULL: no digits, or more than fit. */
static const char *read_digits(const char *at, struct parts *parts)
{
    size_t whole = strspn(at, "0123456789");
    bool fits = true;
    for (size_t i = 0; i < whole; i++) {
        fits = fits && add_digit(parts, at[i]);
    }
    at += whole;
    if (*at != '.') {
        return whole > 0 && fits ? at : NULL;
    }
    at++;
    const char *end = fraction_end(at);
    for (const char *digit = at; digit < end; digit++) {
        fits = fits && add_digit(parts, *digit);
        parts->decimal--;
    }
    size_t fraction = strspn(at, "0123456789");
    return whole + fraction > 0 && fits ? at + fraction : NULL;
}

static bool read_exponent(const char *at, struct parts *parts)
{
    struct error error;
    int64_t exponent = 0;
    if (at[0] == '+' && is_digit(at[1])) {
        at++;
    }
    if (!text_parse_int64(at, &exponent, &error) || exponent > EXPONENT_MAX ||
        exponent < -EXPONENT_MAX) {
        return false;
    }
    parts->decimal += (int)exponent;
    return true;
}

static bool read_suffix(const char *at, struct parts *parts)
{
    for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
        if (text_equal(at, SUFFIXES[i].suffix)) {
            parts->binary = SUFFIXES[i].binary;
            parts->decimal += SUFFIXES[i].decimal;
            return true;
        }
    }
    return (*at == 'e' || *at == 'E') && read_exponent(at + 1, parts);
}

/* Away from zero, as Quantity.Value() rounds. */
static bool round_up(const struct parts *parts, uint64_t *out_magnitude)
{
    __extension__ unsigned __int128 value = parts->digits;
    value <<= parts->binary;
    bool remainder = false;
    for (int i = parts->decimal; i < 0 && value > 0; i++) {
        remainder = remainder || value % 10 != 0;
        value /= 10;
    }
    value += remainder;
    for (int i = 0; i < parts->decimal && value > 0 && value <= INT64_MAX; i++) {
        value *= 10;
    }
    if (value > INT64_MAX) {
        return false;
    }
    *out_magnitude = (uint64_t)value;
    return true;
}

bool quantity_parse(const char *text, int64_t *out_value, struct error *error)
{
    struct parts parts = {.negative = text[0] == '-'};
    const char *at = text + (text[0] == '-' || text[0] == '+');
    at = read_digits(at, &parts);
    if (at == NULL || !read_suffix(at, &parts)) {
        return error_set(error, ERROR_INVALID, "'%s' is no quantity such as 1Gi or 500M", text);
    }
    uint64_t magnitude = 0;
    if (!round_up(&parts, &magnitude)) {
        return error_set(error, ERROR_INVALID, "'%s' is larger than 64 bits hold", text);
    }
    *out_value = parts.negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}
