/* SPDX-License-Identifier: Apache-2.0 */
/* Of the package tzdata, which the image has, too. */
#include "io/zone_files.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void berlin_is_there(void **state)
{
    (void)state;
    struct time_zone_source zones = zone_files();
    cleanup_memory char *bytes = NULL;
    size_t byte_count;
    struct error error;
    struct time_zone zone;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    if (!zones.read(zones.self, "Europe/Berlin", &bytes, &byte_count, &error) ||
        !time_zone_parse(bytes, byte_count, &arena, &zone, &error)) {
        fail_msg("%s", error.message);
    }
    /* Of 1980, when there was summer time again, and of 2026. */
    assert_int_equal(time_zone_at(&zone, INT64_C(323830799999)).offset_ms, 3600 * 1000);
    assert_int_equal(time_zone_at(&zone, INT64_C(323830800000)).offset_ms, 7200 * 1000);
    assert_int_equal(time_zone_at(&zone, INT64_C(1774745999999)).offset_ms, 3600 * 1000);
    assert_int_equal(time_zone_at(&zone, INT64_C(1774746000000)).offset_ms, 7200 * 1000);
}

static void nothing_outside_is_read(void **state)
{
    (void)state;
    static const char *const names[] = {"../../../etc/passwd", "/etc/passwd", "",
                                        "Mars/Base",           "Europe",      "Europe/Ber lin"};
    struct time_zone_source zones = zone_files();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *bytes;
        size_t byte_count;
        struct error error;
        assert_false(zones.read(zones.self, names[i], &bytes, &byte_count, &error));
        assert_true(error.message[0] != '\0');
    }
    char name[200];
    memset(name, 'A', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    char *bytes;
    size_t byte_count;
    struct error error;
    assert_false(zones.read(zones.self, name, &bytes, &byte_count, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(berlin_is_there),
        cmocka_unit_test(nothing_outside_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
