/* SPDX-License-Identifier: Apache-2.0 */
/* The first bytes are allocated by init, so that `bytes` needs no shared empty string and can
   always be handed to memory_free. An overflow sticks: what is appended behind a hole would make a
   text that looks whole and is not. */
#include "base/text.h"

#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY_BYTES = 64 };

void text_init(struct text *text, size_t length_bytes_max)
{
    assert(length_bytes_max < SIZE_MAX / 2);
    size_t capacity =
        length_bytes_max < FIRST_CAPACITY_BYTES ? length_bytes_max + 1 : FIRST_CAPACITY_BYTES;
    *text = (struct text){
        .bytes = memory_new(capacity, 1),
        .capacity_bytes = capacity,
        .length_bytes_max = length_bytes_max,
    };
}

void text_release(struct text *text)
{
    memory_free(text->bytes);
    *text = (struct text){0};
}

void text_cleanup(struct text *text)
{
    text_release(text);
}

void text_clear(struct text *text)
{
    text->length_bytes = 0;
    text->bytes[0] = '\0';
    text->overflowed = false;
}

/* Room for byte_count more and the NUL; false when the maximum does not allow it. */
static bool make_room(struct text *text, size_t byte_count)
{
    assert(text->bytes != NULL);
    if (text->overflowed || byte_count > text->length_bytes_max - text->length_bytes) {
        text->overflowed = true;
        return false;
    }
    size_t needed = text->length_bytes + byte_count + 1;
    if (needed <= text->capacity_bytes) {
        return true;
    }
    size_t capacity = text->capacity_bytes * 2;
    capacity = capacity < needed ? needed : capacity;
    capacity = capacity > text->length_bytes_max ? text->length_bytes_max + 1 : capacity;
    text->bytes = memory_resize(text->bytes, capacity, 1);
    text->capacity_bytes = capacity;
    return true;
}

void text_append(struct text *text, const char *string)
{
    text_append_bytes(text, string, strlen(string));
}

void text_append_bytes(struct text *text, const char *bytes, size_t byte_count)
{
    if (byte_count == 0 || !make_room(text, byte_count)) {
        return;
    }
    memcpy(text->bytes + text->length_bytes, bytes, byte_count);
    text->length_bytes += byte_count;
    text->bytes[text->length_bytes] = '\0';
}

char *text_extend(struct text *text, size_t byte_count)
{
    if (!make_room(text, byte_count)) {
        return NULL;
    }
    char *extension = text->bytes + text->length_bytes;
    text->length_bytes += byte_count;
    text->bytes[text->length_bytes] = '\0';
    return extension;
}

/* Most of what is printed is numbers, and printf takes twenty times as long. */
void text_append_int64(struct text *text, int64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    text_append_bytes(text, digits + at, sizeof(digits) - at);
}

/* Most fits into what is there, and is printed once. */
void text_print(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    size_t space = text->capacity_bytes - text->length_bytes;
    int length = vsnprintf(text->bytes + text->length_bytes, space, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    bool fits = !text->overflowed && (size_t)length < space;
    if (!fits) {
        text->bytes[text->length_bytes] = '\0';
    }
    char *extension = text_extend(text, (size_t)length);
    if (extension != NULL && !fits) {
        (void)vsnprintf(extension, (size_t)length + 1, format, again);
    }
    va_end(again);
}

void text_append_encoded(struct text *text, const char *string)
{
    for (const char *at = string; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (isalnum(byte) || strchr("-._~", byte) != NULL) {
            text_append_char(text, *at);
        } else {
            text_print(text, "%%%02X", byte);
        }
    }
}

bool text_check(const struct text *text, const char *what, struct error *error)
{
    if (!text->overflowed) {
        return true;
    }
    return error_set(error, ERROR_LIMIT, "%s is larger than %zu bytes", what,
                     text->length_bytes_max);
}

char *text_take(struct text *text)
{
    char *taken = text->bytes;
    text_init(text, text->length_bytes_max);
    return taken;
}

bool text_equal(const char *string, const char *other)
{
    if (string == NULL || other == NULL) {
        return string == other;
    }
    return string[0] == other[0] && strcmp(string, other) == 0; /* most differ at once */
}

bool text_starts_with(const char *string, const char *prefix)
{
    return string != NULL && strncmp(string, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *string, const char *suffix)
{
    if (string == NULL) {
        return false;
    }
    size_t length = strlen(string);
    size_t suffix_length = strlen(suffix);
    return length >= suffix_length && strcmp(string + length - suffix_length, suffix) == 0;
}

/* Counted downwards from zero: INT64_MIN has no positive twin. */
static bool parse_negated(const char *digits, int64_t *out_negated)
{
    if (*digits == '\0') {
        return false;
    }
    int64_t negated = 0;
    for (const char *at = digits; *at != '\0'; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        if (__builtin_mul_overflow(negated, 10, &negated) ||
            __builtin_sub_overflow(negated, *at - '0', &negated)) {
            return false;
        }
    }
    *out_negated = negated;
    return true;
}

bool text_parse_int64(const char *string, int64_t *out_number, struct error *error)
{
    if (string == NULL) {
        return error_set(error, ERROR_INVALID, "a number is missing");
    }
    bool is_negative = string[0] == '-';
    int64_t negated = 0;
    if (!parse_negated(string + (is_negative ? 1 : 0), &negated) ||
        (!is_negative && negated == INT64_MIN)) {
        return error_set(error, ERROR_INVALID, "\"%s\" is not a whole number of 64 bits", string);
    }
    *out_number = is_negative ? negated : -negated;
    return true;
}
