/* SPDX-License-Identifier: Apache-2.0 */
/* What kubectl would have read decides, because the same files go to both: so 0644 is octal (as a
   volume's defaultMode is written), and 08 is the number 8. Where YAML 1.1 surprises and nobody
   relies on it (yes, on, 1_000, 12:30), the scalar stays a string.
   Source: sigs.k8s.io/yaml, goyaml.v2/resolve.go. Numbers keep their digits: no double on the way.
 */
#include "io/yaml_value.h"

#include "base/json.h"

#include <yaml.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { EXPONENT_MAX = 308 }; /* what may be beyond the largest double stays a string */

/* A decimal number cut into its parts; none of them ends in NUL. */
struct decimal {
    bool negative;
    const char *whole, *fraction, *exponent;
    size_t whole_bytes, fraction_bytes, exponent_bytes;
};

static bool is_one_of(const char *text, const char *const words[3])
{
    return text_equal(text, words[0]) || text_equal(text, words[1]) || text_equal(text, words[2]);
}

static bool is_null_word(const char *text)
{
    static const char *const words[3] = {"null", "Null", "NULL"};
    return is_one_of(text, words) || text_equal(text, "") || text_equal(text, "~");
}

static const char *boolean_word(const char *text)
{
    static const char *const true_words[3] = {"true", "True", "TRUE"};
    static const char *const false_words[3] = {"false", "False", "FALSE"};
    return is_one_of(text, true_words) ? "true" : is_one_of(text, false_words) ? "false" : NULL;
}

static bool is_infinite_word(const char *text)
{
    static const char *const nan_words[3] = {".nan", ".NaN", ".NAN"};
    static const char *const infinity_words[3] = {".inf", ".Inf", ".INF"};
    bool has_sign = *text == '-' || *text == '+';
    return is_one_of(text, nan_words) || is_one_of(text + has_sign, infinity_words);
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* 16: none. */
static unsigned digit_value(char digit)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *found = digit == '\0' ? NULL : strchr(digits, digit);
    if (found == NULL) {
        return 16;
    }
    unsigned value = (unsigned)(found - digits);
    return value < 16 ? value : value - 6;
}

/* digits of a base other than ten; none, a wrong one, or over 64 bits: false. */
static bool read_digits(const char *digits, unsigned base, uint64_t *out)
{
    uint64_t number = 0;
    for (const char *at = digits; *at != '\0'; at++) {
        unsigned digit = digit_value(*at);
        if (digit >= base || __builtin_mul_overflow(number, (uint64_t)base, &number) ||
            __builtin_add_overflow(number, (uint64_t)digit, &number)) {
            return false;
        }
    }
    *out = number;
    return *digits != '\0';
}

static bool write_other_base(const char *text, struct text *json)
{
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    if (*digits != '0') {
        return false;
    }
    uint64_t number = 0;
    bool is_number = text_starts_with(digits, "0x")   ? read_digits(digits + 2, 16, &number)
                     : text_starts_with(digits, "0o") ? read_digits(digits + 2, 8, &number)
                     : text_starts_with(digits, "0b") ? read_digits(digits + 2, 2, &number)
                                                      : read_digits(digits + 1, 8, &number);
    if (is_number) {
        text_print(json, "%s%" PRIu64, negative ? "-" : "", number);
    }
    return is_number;
}

static bool read_decimal(const char *text, struct decimal *out)
{
    struct decimal number = {.negative = *text == '-'};
    const char *at = text + (*text == '-' || *text == '+');
    number.whole = at;
    number.whole_bytes = count_digits(at);
    at += number.whole_bytes;
    if (*at == '.') {
        number.fraction = ++at;
        number.fraction_bytes = count_digits(at);
        at += number.fraction_bytes;
    }
    if (number.whole_bytes + number.fraction_bytes == 0) {
        return false;
    }
    if (*at == 'e' || *at == 'E') {
        number.exponent = ++at;
        at += *at == '-' || *at == '+';
        size_t digit_count = count_digits(at);
        at += digit_count;
        number.exponent_bytes = (size_t)(at - number.exponent);
        if (digit_count == 0) {
            return false;
        }
    }
    *out = number;
    return *at == '\0';
}

static void drop_leading_zeros(struct decimal *number)
{
    while (number->whole_bytes > 1 && *number->whole == '0') {
        number->whole++;
        number->whole_bytes--;
    }
}

/* Only numbers with an exponent can be asked about: plain digits are JSON whatever their size. */
static bool is_finite(const struct decimal *number)
{
    const char *at = number->exponent;
    const char *end = at + number->exponent_bytes;
    bool shrinks = *at == '-';
    size_t exponent = 0;
    for (at += *at == '-' || *at == '+'; at < end && exponent <= EXPONENT_MAX; at++) {
        exponent = exponent * 10 + (size_t)(*at - '0');
    }
    return shrinks || exponent + number->whole_bytes <= EXPONENT_MAX;
}

static bool write_decimal(const char *text, struct text *json)
{
    struct decimal number;
    if (!read_decimal(text, &number)) {
        return false;
    }
    drop_leading_zeros(&number);
    if (number.exponent != NULL && !is_finite(&number)) {
        return false;
    }
    text_append(json, number.negative ? "-" : "");
    text_append_bytes(json, number.whole, number.whole_bytes);
    text_append(json, number.whole_bytes == 0 ? "0" : "");
    if (number.fraction_bytes > 0) {
        text_append_char(json, '.');
        text_append_bytes(json, number.fraction, number.fraction_bytes);
    }
    if (number.exponent != NULL) {
        text_append_char(json, 'e');
        text_append_bytes(json, number.exponent, number.exponent_bytes);
    }
    return true;
}

static bool write_number(const char *text, struct text *json)
{
    return write_other_base(text, json) || write_decimal(text, json);
}

static bool write_string(const struct yaml_value *scalar, struct text *json, struct error *error)
{
    if (strlen(scalar->text) != scalar->text_bytes) {
        return yaml_value_refuse(scalar, error, "a string has a NUL character in it");
    }
    struct json_writer writer;
    json_writer_init(&writer, json);
    json_write_string(&writer, scalar->text);
    return true;
}

static bool write_plain(const struct yaml_value *scalar, struct text *json, struct error *error)
{
    const char *boolean = boolean_word(scalar->text);
    if (is_null_word(scalar->text)) {
        text_append(json, "null");
        return true;
    }
    if (boolean != NULL) {
        text_append(json, boolean);
        return true;
    }
    if (is_infinite_word(scalar->text)) {
        return yaml_value_refuse(scalar, error, "JSON has no infinite numbers");
    }
    return write_number(scalar->text, json) || write_string(scalar, json, error);
}

static bool write_tagged(const struct yaml_value *scalar, struct text *json, struct error *error)
{
    const char *boolean = boolean_word(scalar->text);
    if (text_equal(scalar->tag, YAML_STR_TAG) || text_equal(scalar->tag, "!")) {
        return write_string(scalar, json, error);
    }
    if (text_equal(scalar->tag, YAML_NULL_TAG) && is_null_word(scalar->text)) {
        text_append(json, "null");
        return true;
    }
    if (text_equal(scalar->tag, YAML_BOOL_TAG) && boolean != NULL) {
        text_append(json, boolean);
        return true;
    }
    bool is_number_tag =
        text_equal(scalar->tag, YAML_INT_TAG) || text_equal(scalar->tag, YAML_FLOAT_TAG);
    if (is_number_tag && write_number(scalar->text, json)) {
        return true;
    }
    return yaml_value_refuse(scalar, error, "the tag %s is not supported here", scalar->tag);
}

bool yaml_scalar_write(const struct yaml_value *scalar, struct text *json, struct error *error)
{
    assert(scalar->kind == YAML_KIND_SCALAR);

    if (scalar->tag != NULL) {
        return write_tagged(scalar, json, error);
    }
    return scalar->plain ? write_plain(scalar, json, error) : write_string(scalar, json, error);
}

bool yaml_scalar_is_null(const struct yaml_value *scalar)
{
    return scalar->tag == NULL ? scalar->plain && is_null_word(scalar->text)
                               : text_equal(scalar->tag, YAML_NULL_TAG);
}
