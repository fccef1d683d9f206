/* SPDX-License-Identifier: Apache-2.0 */
/* Written anew rather than taken from api/: the two sides of the wire must not share a mistake. In
   integers, because a double makes of 1.0955160G a thousandth more than that. */
#include "sim/amount.h"

#include "base/memory.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

#define MILLI 1000
#define KI INT64_C(1024)
#define K INT64_C(1000)

enum { MILLI_POWER = 3, EXPONENT_DIGITS_MAX = 8 };

static const struct suffix {
    const char *text;
    int shift, power; /* of two, of ten */
} SUFFIXES[] = {
    {"", 0, 0},    {"n", 0, -9},  {"u", 0, -6},  {"m", 0, -3},  {"k", 0, 3},   {"M", 0, 6},
    {"G", 0, 9},   {"T", 0, 12},  {"P", 0, 15},  {"E", 0, 18},  {"Ki", 10, 0}, {"Mi", 20, 0},
    {"Gi", 30, 0}, {"Ti", 40, 0}, {"Pi", 50, 0}, {"Ei", 60, 0},
};

/* digits * 2^shift * 10^power, and a little more when there is a rest. */
struct number {
    uint64_t digits;
    int shift, power;
    bool any, negative, rest;
};

static void add_digit(struct number *number, char digit, bool after_point)
{
    static const uint64_t digits_max = UINT64_MAX / 10 - 1;
    number->any = true;
    if (number->digits <= digits_max) {
        number->digits = number->digits * 10 + (uint64_t)(digit - '0');
        number->power -= after_point ? 1 : 0;
    } else { /* more than can matter */
        number->rest = number->rest || digit != '0';
        number->power += after_point ? 0 : 1;
    }
}

static const char *read_decimal(const char *at, struct number *out)
{
    bool after_point = false;
    if (*at == '+' || *at == '-') {
        out->negative = *at == '-';
        at++;
    }
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !after_point); at++) {
        if (*at == '.') {
            after_point = true;
        } else {
            add_digit(out, *at, after_point);
        }
    }
    return at;
}

/* "e3", "E-2": whole exponents. */
static bool read_exponent(const char *at, struct number *out)
{
    if ((*at != 'e' && *at != 'E') || at[1] == '\0') {
        return false;
    }
    at++;
    bool is_negative = *at == '-';
    at += is_negative || *at == '+' ? 1 : 0;
    size_t digit_count = strspn(at, "0123456789");
    at += strspn(at, "0");
    size_t significant = strspn(at, "0123456789");
    if (digit_count == 0 || at[significant] != '\0' || significant > EXPONENT_DIGITS_MAX) {
        return false;
    }
    int exponent = 0;
    for (; *at != '\0'; at++) {
        exponent = exponent * 10 + (*at - '0');
    }
    out->power += is_negative ? -exponent : exponent;
    return true;
}

static bool read_suffix(const char *at, struct number *out)
{
    for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
        if (strcmp(at, SUFFIXES[i].text) == 0) {
            out->shift = SUFFIXES[i].shift;
            out->power += SUFFIXES[i].power;
            return true;
        }
    }
    return read_exponent(at, out);
}

/* Away from zero, as Quantity does with what is finer than its scale. */
static int64_t rounded(const struct number *number)
{
    __extension__ unsigned __int128 value = number->digits;
    value <<= number->shift;
    bool rest = number->rest;
    int power = number->power + MILLI_POWER;
    for (; power < 0 && value > 0; power++) {
        rest = rest || value % 10 != 0;
        value /= 10;
    }
    for (; power > 0 && value > 0 && value < INT64_MAX; power--) {
        value *= 10;
    }
    value += rest ? 1 : 0;
    int64_t magnitude = value < INT64_MAX ? (int64_t)value : INT64_MAX;
    return number->negative ? -magnitude : magnitude;
}

static bool parse_text(const char *text, int64_t *out_milli)
{
    struct number number = {0};
    const char *rest = read_decimal(text, &number);
    if (!number.any || !read_suffix(rest, &number)) {
        return false;
    }
    *out_milli = rounded(&number);
    return true;
}

bool amount_parse(const cJSON *value, int64_t *out_milli)
{
    if (cJSON_IsNumber(value)) {
        cleanup_memory char *text = value_print(value);
        return parse_text(text, out_milli);
    }
    return cJSON_IsString(value) && parse_text(value->valuestring, out_milli);
}

void amount_print(int64_t milli, bool is_binary, char out[AMOUNT_BYTES])
{
    static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    static const char *const decimal[] = {"", "k", "M", "G", "T", "P"};
    if (milli % MILLI != 0) {
        (void)snprintf(out, AMOUNT_BYTES, "%lldm", (long long)milli);
        return;
    }
    int64_t number = milli / MILLI;
    int64_t step = is_binary ? KI : K;
    size_t suffix = 0;
    while (suffix < 5 && number != 0 && number % step == 0) {
        number /= step;
        suffix++;
    }
    (void)snprintf(out, AMOUNT_BYTES, "%lld%s", (long long)number,
                   (is_binary ? binary : decimal)[suffix]);
}

bool amount_equal(const cJSON *left, const cJSON *right)
{
    int64_t left_milli = 0;
    int64_t right_milli = 0;
    if (!amount_parse(left, &left_milli) || !amount_parse(right, &right_milli)) {
        return value_equal(left, right);
    }
    return left_milli == right_milli;
}
