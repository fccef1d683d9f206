/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/zones.h"

#include "base/memory.h"
#include "base/text.h"
#include "support/test_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS (INT64_C(3600) * 1000)

struct files {
    int read_count;
    const char *footer; /* of all that is asked for; NULL: there is none */
};

static bool read_zone(void *self, const char *name, char **out_bytes, size_t *out_byte_count,
                      struct error *error)
{
    struct files *files = self;
    files->read_count++;
    if (files->footer == NULL) {
        return error_set(error, ERROR_NOT_FOUND, "%s is not there", name);
    }
    cleanup_text struct text file;
    text_init(&file, TIME_ZONE_BYTES_MAX);
    test_zone_write(NULL, 0, files->footer, &file);
    *out_byte_count = file.length_bytes;
    *out_bytes = text_take(&file);
    return true;
}

struct fixture {
    struct arena arena;
    struct files files;
    struct zones zones;
    struct pool_schedule schedule;
    struct pool pool;
};

static int begin(void **state)
{
    static struct fixture fixture;
    fixture =
        (struct fixture){.files = {.footer = "CET-1"}, .schedule = {.time_zone = "Europe/Berlin"}};
    fixture.pool.schedule_count = 1;
    fixture.pool.schedules = &fixture.schedule;
    arena_init(&fixture.arena, 0);
    zones_init(&fixture.zones, (struct time_zone_source){read_zone, &fixture.files});
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    zones_release(&fixture->zones);
    arena_release(&fixture->arena);
    return 0;
}

static const struct schedule_zone *look(struct fixture *fixture, int64_t mono_ms)
{
    return zones_of_pool(&fixture->zones, &fixture->pool, mono_ms, &fixture->arena);
}

static void a_file_is_read_once_an_hour(void **state)
{
    struct fixture *fixture = *state;
    assert_true(time_zone_at(look(fixture, 0)->zone, 0).offset_ms == HOUR_MS);
    fixture->files.footer = "EET-2";
    assert_true(time_zone_at(look(fixture, HOUR_MS - 1)->zone, 0).offset_ms == HOUR_MS);
    assert_int_equal(fixture->files.read_count, 1);
    assert_true(time_zone_at(look(fixture, HOUR_MS)->zone, 0).offset_ms == 2 * HOUR_MS);
    assert_int_equal(fixture->files.read_count, 2);
}

static void what_is_not_there_says_so_and_is_looked_for_again(void **state)
{
    struct fixture *fixture = *state;
    fixture->files.footer = NULL;
    assert_null(look(fixture, 0)->zone);
    assert_string_equal(look(fixture, 1)->problem, "Europe/Berlin is not there");
    assert_int_equal(fixture->files.read_count, 1);
    fixture->files.footer = "nonsense";
    assert_null(look(fixture, HOUR_MS)->zone);
    assert_non_null(strstr(look(fixture, HOUR_MS)->problem, "time zone Europe/Berlin: "));
    fixture->files.footer = "CET-1";
    assert_non_null(look(fixture, 2 * HOUR_MS)->zone);
}

static void utc_needs_no_file(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {NULL, "UTC", "Etc/UTC"};
    for (size_t i = 0; i < 3; i++) {
        fixture->schedule.time_zone = names[i];
        assert_true(time_zone_at(look(fixture, 0)->zone, 0).offset_ms == 0);
        assert_non_null(zones_of_pool(NULL, &fixture->pool, 0, &fixture->arena)->zone);
    }
    assert_int_equal(fixture->files.read_count, 0);
}

static void nobody_has_files(void **state)
{
    struct fixture *fixture = *state;
    assert_null(zones_of_pool(NULL, &fixture->pool, 0, &fixture->arena)->zone);
    fixture->zones.source.read = NULL;
    assert_string_equal(look(fixture, 0)->problem, "no time zones but UTC are known here");
}

static void names_without_end_are_not_kept_for_ever(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 1000; i++) {
        fixture->schedule.time_zone = arena_print(&fixture->arena, "Zone/Number%d", i);
        assert_non_null(look(fixture, 0)->zone);
        assert_true(fixture->zones.by_name.count <= 201);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_read_once_an_hour),
        TEST(what_is_not_there_says_so_and_is_looked_for_again),
        TEST(utc_needs_no_file),
        TEST(nobody_has_files),
        TEST(names_without_end_are_not_kept_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
