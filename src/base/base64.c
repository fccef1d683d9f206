/* SPDX-License-Identifier: Apache-2.0 */
/* Our own rather than OpenSSL's: EVP_DecodeBlock counts padding as bytes and takes white space
   where Go does not, and base stays free of OpenSSL for forty lines. */
#include "base/base64.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct decoder {
    char *bytes;
    size_t byte_count;
    unsigned bits;      /* of the last bit_count bits */
    unsigned bit_count; /* 0, 2, 4 or 6 between characters */
    size_t padding;     /* '=' seen */
    size_t characters;  /* the alphabet's and '=' */
};

static bool take(struct decoder *decoder, char character)
{
    decoder->characters++;
    if (character == '=') {
        decoder->padding++;
        return decoder->padding <= 2;
    }
    const char *found = strchr(alphabet, character);
    if (found == NULL || decoder->padding > 0) {
        return false;
    }
    decoder->bits = (decoder->bits << 6 | (unsigned)(found - alphabet)) & 0xFFFF;
    decoder->bit_count += 6;
    if (decoder->bit_count >= 8) {
        decoder->bit_count -= 8;
        decoder->bytes[decoder->byte_count++] = (char)(decoder->bits >> decoder->bit_count);
    }
    return true;
}

bool base64_decode(const char *text, struct arena *arena, char **out_bytes, size_t *out_byte_count,
                   struct error *error)
{
    assert(text != NULL);

    struct decoder decoder = {.bytes = arena_new(arena, strlen(text) / 4 * 3 + 4, 1)};
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\r' || *at == '\n') {
            continue;
        }
        if (!take(&decoder, *at)) {
            return error_set(error, ERROR_INVALID, "not base64: character %zu is wrong",
                             (size_t)(at - text) + 1);
        }
    }
    /* Six bits left over stand for nothing: one character alone in the last group. */
    if (decoder.characters % 4 != 0 || decoder.bit_count == 6) {
        return error_set(error, ERROR_INVALID, "not base64: it ends in the middle, after %zu bytes",
                         decoder.byte_count);
    }
    decoder.bytes[decoder.byte_count] = '\0';
    *out_bytes = decoder.bytes;
    *out_byte_count = decoder.byte_count;
    return true;
}

static void append_group(struct text *text, const char *bytes, size_t byte_count)
{
    unsigned group = 0;
    for (size_t i = 0; i < 3; i++) {
        group = group << 8 | (i < byte_count ? (unsigned char)bytes[i] : 0U);
    }
    for (size_t i = 0; i < 4; i++) {
        unsigned index = group >> (18 - 6 * i) & 0x3F;
        if (i <= byte_count) {
            text_append_char(text, alphabet[index]);
        } else {
            text_append_char(text, '=');
        }
    }
}

void base64_append(struct text *text, const char *bytes, size_t byte_count)
{
    for (size_t at = 0; at < byte_count; at += 3) {
        size_t left = byte_count - at;
        append_group(text, bytes + at, left < 3 ? left : 3);
    }
}
