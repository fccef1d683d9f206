/* SPDX-License-Identifier: Apache-2.0 */
#include "support/test_zones.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const ZONES[][2] = {
    {"Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"},
    {"America/New_York", "EST5EDT,M3.2.0,M11.1.0"},
    {"Asia/Kolkata", "IST-5:30"},
    {"Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"},
};

static void put(struct text *out, int64_t value, int byte_count)
{
    for (int i = byte_count - 1; i >= 0; i--) {
        text_append_char(out, (char)((uint64_t)value >> (8 * i)));
    }
}

/* A type of its own for each change, and one before them, all with the same name. */
static void put_block(const struct time_zone_change *changes, size_t count, int time_bytes,
                      struct text *out)
{
    static const char unused[15];
    text_append(out, "TZif2");
    text_append_bytes(out, unused, sizeof unused);
    const int64_t counts[] = {0, 0, 0, (int64_t)count, (int64_t)count + 1, 4};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        put(out, counts[i], 4);
    }
    for (size_t i = 0; i < count; i++) {
        put(out, changes[i].at_ms / 1000, time_bytes);
    }
    for (size_t i = 0; i < count; i++) {
        put(out, (int64_t)i + 1, 1);
    }
    for (size_t i = 0; i <= count; i++) {
        put(out, i == 0 ? 0 : changes[i - 1].offset_ms / 1000, 4);
        put(out, 0, 2);
    }
    text_append_bytes(out, "LMT", 4);
}

void test_zone_write(const struct time_zone_change *changes, size_t change_count,
                     const char *footer, struct text *out)
{
    put_block(changes, change_count, 4, out);
    put_block(changes, change_count, 8, out);
    text_print(out, "\n%s\n", footer);
}

static bool read_zone(void *self, const char *name, char **out_bytes, size_t *out_byte_count,
                      struct error *error)
{
    (void)self;
    for (size_t i = 0; i < sizeof(ZONES) / sizeof(ZONES[0]); i++) {
        if (text_equal(name, ZONES[i][0])) {
            cleanup_text struct text file;
            text_init(&file, TIME_ZONE_BYTES_MAX);
            test_zone_write(NULL, 0, ZONES[i][1], &file);
            *out_byte_count = file.length_bytes;
            *out_bytes = text_take(&file);
            return true;
        }
    }
    return error_set(error, ERROR_NOT_FOUND, "no zone is called %s", name);
}

struct time_zone_source test_zones(void)
{
    return (struct time_zone_source){.read = read_zone};
}
