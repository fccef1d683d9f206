/* SPDX-License-Identifier: Apache-2.0 */
/* Written anew rather than taken from api/: the two sides of the wire must not share a mistake. */
#include "sim/amount.h"

#include "sim/value.h"

#include <stdio.h>
#include <string.h>

#define MILLI 1000

struct suffix {
    const char *text;
    int64_t numerator, denominator;
};

#define KI INT64_C(1024)
#define K INT64_C(1000)

static const struct suffix SUFFIXES[] = {
    {"", 1, 1},
    {"n", 1, K *K *K},
    {"u", 1, K *K},
    {"m", 1, K},
    {"k", K, 1},
    {"M", K *K, 1},
    {"G", K *K *K, 1},
    {"T", K *K *K *K, 1},
    {"P", K *K *K *K *K, 1},
    {"E", K *K *K *K *K *K, 1},
    {"Ki", KI, 1},
    {"Mi", KI *KI, 1},
    {"Gi", KI *KI *KI, 1},
    {"Ti", KI *KI *KI *KI, 1},
    {"Pi", KI *KI *KI *KI *KI, 1},
    {"Ei", KI *KI *KI *KI *KI *KI, 1},
};

/* A decimal read so far: digits * 10^-decimals. */
struct decimal {
    double digits;
    int decimals;
    bool any, negative;
};

static const char *read_decimal(const char *at, struct decimal *out)
{
    bool after_point = false;
    if (*at == '+' || *at == '-') {
        out->negative = *at == '-';
        at++;
    }
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !after_point); at++) {
        if (*at == '.') {
            after_point = true;
            continue;
        }
        out->digits = out->digits * 10 + (*at - '0');
        out->decimals += after_point ? 1 : 0;
        out->any = true;
    }
    return at;
}

/* "e3", "E-2": whole exponents. */
static bool read_exponent(const char *at, int *out_exponent)
{
    int sign = 1;
    int exponent = 0;
    if ((*at != 'e' && *at != 'E') || at[1] == '\0') {
        return false;
    }
    at++;
    if (*at == '+' || *at == '-') {
        sign = *at == '-' ? -1 : 1;
        at++;
    }
    if (*at == '\0') {
        return false;
    }
    for (; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || exponent > 100) {
            return false;
        }
        exponent = exponent * 10 + (*at - '0');
    }
    *out_exponent = sign * exponent;
    return true;
}

static double scaled(double number, int exponent)
{
    for (; exponent > 0; exponent--) {
        number *= 10;
    }
    for (; exponent < 0; exponent++) {
        number /= 10;
    }
    return number;
}

/* Away from zero, as Quantity does with what is finer than its scale. */
static int64_t rounded_up(double milli)
{
    if (milli >= (double)INT64_MAX) {
        return INT64_MAX;
    }
    if (milli <= (double)INT64_MIN) {
        return INT64_MIN;
    }
    int64_t whole = (int64_t)milli;
    if ((double)whole == milli) {
        return whole;
    }
    return milli > 0 ? whole + 1 : whole - 1;
}

static bool parse_text(const char *text, int64_t *out_milli)
{
    struct decimal decimal = {0};
    int exponent = 0;
    const char *rest = read_decimal(text, &decimal);
    if (!decimal.any) {
        return false;
    }
    double number = scaled(decimal.negative ? -decimal.digits : decimal.digits, -decimal.decimals);
    for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
        if (strcmp(rest, SUFFIXES[i].text) == 0) {
            *out_milli = rounded_up(number * (double)SUFFIXES[i].numerator * MILLI /
                                    (double)SUFFIXES[i].denominator);
            return true;
        }
    }
    if (!read_exponent(rest, &exponent)) {
        return false;
    }
    *out_milli = rounded_up(scaled(number, exponent) * MILLI);
    return true;
}

bool amount_parse(const cJSON *value, int64_t *out_milli)
{
    if (cJSON_IsNumber(value)) {
        *out_milli = rounded_up(value->valuedouble * MILLI);
        return true;
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
