/* SPDX-License-Identifier: Apache-2.0 */
/* A file is written twice over since version 2: with times of four bytes, which are skipped, and of
   eight. What a file of a newer version has besides is behind the footer. */
#include "base/time_zone.h"

#include <string.h>

enum {
    HEADER_BYTES = 44,
    COUNTS_AT = 20,
    TYPE_BYTES = 6,
    SHORT_TIME_BYTES = 4,
    LONG_TIME_BYTES = 8,
    FOOTER_BYTES_MAX = 255,
    SECOND_MS = 1000,
    /* Beyond all zones that were ever kept (RFC 9636, section 3.2). */
    OFFSET_S_MIN = -89999,
    OFFSET_S_MAX = 93599,
};
/* What is before or after it is no matter of clocks; a thousand times of it are still a number. */
#define TIME_S_MAX (INT64_C(1000) * 1000 * 1000 * 1000)

struct block {
    int version;
    size_t time_bytes;
    size_t utc_count, standard_count, leap_count, time_count, type_count, letter_count;
    const unsigned char *times;
};

static int64_t take(const unsigned char *at, size_t byte_count)
{
    uint64_t value = (at[0] & 0x80) != 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < byte_count; i++) {
        value = value << 8 | at[i];
    }
    return (int64_t)value;
}

static bool refuse(struct error *error, const char *why)
{
    return error_set(error, ERROR_INVALID, "it is no time zone file: %s", why);
}

/* out_end: the bytes behind it. */
static bool read_block(const unsigned char *bytes, size_t byte_count, size_t time_bytes,
                       struct block *out, size_t *out_end, struct error *error)
{
    static const size_t most = TIME_ZONE_BYTES_MAX;
    size_t counts[6];
    if (byte_count < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0) {
        return refuse(error, "it does not begin with TZif");
    }
    for (size_t i = 0; i < 6; i++) {
        int64_t count = take(&bytes[COUNTS_AT + i * 4], 4);
        if (count < 0 || (size_t)count > most) {
            return refuse(error, "a count is out of bounds");
        }
        counts[i] = (size_t)count;
    }
    *out = (struct block){.version = bytes[4] == 0 ? 1 : bytes[4] - '0',
                          .time_bytes = time_bytes,
                          .utc_count = counts[0],
                          .standard_count = counts[1],
                          .leap_count = counts[2],
                          .time_count = counts[3],
                          .type_count = counts[4],
                          .letter_count = counts[5],
                          .times = &bytes[HEADER_BYTES]};
    *out_end = HEADER_BYTES + out->time_count * (time_bytes + 1) + out->type_count * TYPE_BYTES +
               out->letter_count + out->leap_count * (time_bytes + 4) + out->standard_count +
               out->utc_count;
    return *out_end <= byte_count || refuse(error, "it is cut short");
}

static bool read_offset(const struct block *block, size_t type, int64_t *out_ms)
{
    const unsigned char *types = &block->times[block->time_count * (block->time_bytes + 1)];
    if (type >= block->type_count) {
        return false;
    }
    int64_t offset_s = take(&types[type * TYPE_BYTES], 4);
    *out_ms = offset_s * SECOND_MS;
    return offset_s >= OFFSET_S_MIN && offset_s <= OFFSET_S_MAX;
}

static bool read_changes(const struct block *block, struct arena *arena, struct time_zone *out,
                         struct error *error)
{
    if (block->time_count > TIME_ZONE_CHANGES_MAX || block->leap_count > 0) {
        return refuse(error, block->leap_count > 0
                                 ? "it counts leap seconds: name the zone without right/"
                                 : "it has too many changes");
    }
    if (!read_offset(block, 0, &out->first_offset_ms)) {
        return refuse(error, "it has no first offset");
    }
    const unsigned char *types = &block->times[block->time_count * block->time_bytes];
    struct time_zone_change *changes = arena_new(arena, block->time_count + 1, sizeof *changes);
    for (size_t i = 0; i < block->time_count; i++) {
        int64_t at_s = take(&block->times[i * block->time_bytes], block->time_bytes);
        at_s = at_s < -TIME_S_MAX ? -TIME_S_MAX : at_s;
        at_s = at_s > TIME_S_MAX ? TIME_S_MAX : at_s;
        changes[i].at_ms = at_s * SECOND_MS;
        if (!read_offset(block, types[i], &changes[i].offset_ms)) {
            return refuse(error, "a change has no offset");
        }
        if (i > 0 && changes[i].at_ms < changes[i - 1].at_ms) {
            return refuse(error, "its changes are not in order");
        }
    }
    out->change_count = block->time_count;
    out->changes = changes;
    return true;
}

/* Between two line feeds; an empty one says nothing of the time to come. */
static bool read_footer(const unsigned char *bytes, size_t byte_count, struct time_zone *out,
                        struct error *error)
{
    char text[FOOTER_BYTES_MAX + 1];
    const unsigned char *end =
        byte_count > 1 && bytes[0] == '\n' ? memchr(&bytes[1], '\n', byte_count - 1) : NULL;
    size_t length = end == NULL ? 0 : (size_t)(end - &bytes[1]);
    if (end == NULL || length > FOOTER_BYTES_MAX || memchr(&bytes[1], '\0', length) != NULL) {
        return refuse(error, "it has no footer");
    }
    (void)memcpy(text, &bytes[1], length);
    text[length] = '\0';
    return length == 0 || time_zone_parse_footer(text, out, error);
}

bool time_zone_parse(const char *bytes, size_t byte_count, struct arena *arena,
                     struct time_zone *out, struct error *error)
{
    const unsigned char *all = (const unsigned char *)bytes;
    struct block block = {.version = 0};
    size_t end = 0;
    struct time_zone zone = {.change_count = 0};
    if (!read_block(all, byte_count, SHORT_TIME_BYTES, &block, &end, error)) {
        return false;
    }
    if (block.version >= 2) {
        all += end;
        byte_count -= end;
        if (!read_block(all, byte_count, LONG_TIME_BYTES, &block, &end, error) ||
            !read_footer(&all[end], byte_count - end, &zone, error)) {
            return false;
        }
    }
    if (!read_changes(&block, arena, &zone, error)) {
        return false;
    }
    *out = zone;
    return true;
}
