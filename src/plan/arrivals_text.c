/* SPDX-License-Identifier: Apache-2.0 */
/* status.arrivals.counts: base64 of numbers of seven bits a byte, the lowest first, the eighth bit
   says that more follow. An odd number is a bucket's count, twice and one less; an even one is half
   as many empty buckets. Empty buckets at the end are left out. */
#include "plan/arrivals.h"

#include "base/base64.h"
#include "base/text.h"

enum { VERSION = 1, MORE = 0x80, BITS = 7, NUMBER_BYTES_MAX = 3, TEXT_BYTES_MAX = 32 * 1024 };

struct numbers {
    const char *bytes;
    size_t byte_count, at;
};

static bool read_number(struct numbers *numbers, int64_t *out)
{
    *out = 0;
    for (int i = 0; i < NUMBER_BYTES_MAX && numbers->at < numbers->byte_count; i++) {
        unsigned char byte = (unsigned char)numbers->bytes[numbers->at++];
        *out |= (int64_t)(byte & (MORE - 1)) << (BITS * i);
        if ((byte & MORE) == 0) {
            return true;
        }
    }
    return false;
}

static void append_number(struct text *out, int64_t number)
{
    for (; number >= MORE; number >>= BITS) {
        text_append_char(out, (char)(unsigned char)(number % MORE + MORE));
    }
    text_append_char(out, (char)number);
}

static bool read_counts(struct numbers *numbers, struct arrivals *out, struct error *error)
{
    int64_t at = arrivals_first(out);
    while (numbers->at < numbers->byte_count) {
        int64_t number;
        if (!read_number(numbers, &number)) {
            return error_set(error, ERROR_INVALID, "status.arrivals.counts ends in a number");
        }
        bool is_count = number % 2 == 1;
        int64_t value = (number + 1) / 2;
        if (value == 0 || (is_count && value > ARRIVALS_A_BUCKET_MAX) ||
            at + (is_count ? 1 : value) > out->until) {
            return error_set(error, ERROR_INVALID,
                             "status.arrivals.counts is of another time than since and until say");
        }
        if (is_count) {
            out->counts[at % ARRIVAL_BUCKETS] = (uint16_t)value;
        }
        at += is_count ? 1 : value;
    }
    return true;
}

static bool read_record(const struct arrival_record *record, struct arena *arena,
                        struct arrivals *out, struct error *error)
{
    if (record->version != VERSION) {
        return error_set(error, ERROR_INVALID,
                         "status.arrivals is of version %lld, which another Adjoint wrote",
                         (long long)record->version);
    }
    out->since = record->since_ms / ARRIVAL_BUCKET_MS;
    out->until = record->until_ms / ARRIVAL_BUCKET_MS;
    if (record->since_ms % ARRIVAL_BUCKET_MS != 0 || record->until_ms % ARRIVAL_BUCKET_MS != 0 ||
        out->since <= 0 || out->since >= out->until || record->counts == NULL) {
        return error_set(error, ERROR_INVALID, "status.arrivals has no times of five minutes");
    }
    struct numbers numbers = {.at = 0};
    char *bytes;
    if (!base64_decode(record->counts, arena, &bytes, &numbers.byte_count, error)) {
        return error_wrap(error, "status.arrivals.counts");
    }
    numbers.bytes = bytes;
    return read_counts(&numbers, out, error);
}

bool arrivals_read(const struct arrival_record *record, struct arena *arena, struct arrivals *out,
                   struct error *error)
{
    *out = (struct arrivals){.since = 0};
    if (record->version == 0) {
        return true;
    }
    bool good = read_record(record, arena, out, error);
    if (!good) {
        *out = (struct arrivals){.since = 0};
    }
    return good;
}

struct arrival_record arrivals_write(const struct arrivals *arrivals, struct arena *arena)
{
    struct text bytes cleanup_text;
    struct text encoded cleanup_text;
    text_init(&bytes, TEXT_BYTES_MAX);
    text_init(&encoded, TEXT_BYTES_MAX);
    int64_t empty = 0;
    for (int64_t at = arrivals_first(arrivals); at < arrivals->until; at++) {
        int64_t count = arrivals_count(arrivals, at);
        if (count == 0) {
            empty++;
            continue;
        }
        if (empty > 0) {
            append_number(&bytes, 2 * empty);
        }
        append_number(&bytes, 2 * count - 1);
        empty = 0;
    }
    base64_append(&encoded, bytes.bytes, bytes.length_bytes);
    return (struct arrival_record){.version = VERSION,
                                   .since_ms = arrivals->since * ARRIVAL_BUCKET_MS,
                                   .until_ms = arrivals->until * ARRIVAL_BUCKET_MS,
                                   .counts = arena_copy(arena, encoded.bytes)};
}
