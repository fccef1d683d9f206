/* SPDX-License-Identifier: Apache-2.0 */
#include "api/field.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const COLOURS[] = {"Red", "Green", NULL};

struct fixture {
    struct json_document *document;
    struct arena arena;
    struct json_reader reader;
    const struct json *root;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    static const char json[] = "{\"object\":{\"a\":1},\"array\":[\"b\",\"c\"],\"string\":\"Green\","
                               "\"null\":null,\"number\":7,\"mixed\":[\"b\",7],"
                               "\"duration\":\"1h30m\","
                               "\"time\":\"1970-01-01T00:00:01.5Z\",\"empty\":[]}";
    struct error error;
    assert_true(json_parse(json, strlen(json), &fixture.document, &error));
    arena_init(&fixture.arena, 0);
    json_reader_init(&fixture.reader, &fixture.arena);
    fixture.root = json_root(fixture.document);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    json_document_free(fixture->document);
    return 0;
}

static void assert_wrong(const struct fixture *fixture, const char *message)
{
    struct error error;
    assert_false(json_reader_check(&fixture->reader, "thing", &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(error.message, message);
}

static void assert_well(const struct fixture *fixture)
{
    struct error error;
    assert_true(json_reader_check(&fixture->reader, "thing", &error));
}

static void containers_are_given_when_they_are_what_they_should(void **state)
{
    struct fixture *fixture = *state;
    assert_true(json_is_object(field_object(&fixture->reader, fixture->root, "object")));
    assert_true(json_is_array(field_array(&fixture->reader, fixture->root, "array")));
    assert_null(field_object(&fixture->reader, fixture->root, "absent"));
    assert_null(field_object(&fixture->reader, fixture->root, "null"));
    assert_null(field_array(&fixture->reader, NULL, "absent"));
    assert_well(fixture);
}

static void an_array_is_no_object(void **state)
{
    struct fixture *fixture = *state;
    assert_null(field_object(&fixture->reader, fixture->root, "array"));
    assert_wrong(fixture, "thing: array is no object");
}

static void an_object_is_no_array(void **state)
{
    struct fixture *fixture = *state;
    assert_null(field_array(&fixture->reader, fixture->root, "object"));
    assert_wrong(fixture, "thing: object is no array");
}

static void the_first_wrong_value_is_the_one_reported(void **state)
{
    struct fixture *fixture = *state;
    (void)field_string(&fixture->reader, fixture->root, "number");
    (void)field_array(&fixture->reader, fixture->root, "object");
    assert_wrong(fixture, "thing: number is no string");
}

static void an_absent_string_is_empty(void **state)
{
    struct fixture *fixture = *state;
    assert_string_equal(field_string(&fixture->reader, fixture->root, "absent"), "");
    assert_string_equal(field_string(&fixture->reader, fixture->root, "string"), "Green");
    assert_well(fixture);
}

static void times_are_milliseconds(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(field_time(&fixture->reader, fixture->root, "time"), 1500);
    assert_int_equal(field_time(&fixture->reader, fixture->root, "absent"), 0);
    assert_well(fixture);
    (void)field_time(&fixture->reader, fixture->root, "string");
    struct error error;
    assert_false(json_reader_check(&fixture->reader, "thing", &error));
    assert_non_null(strstr(error.message, "string"));
}

static void durations_are_milliseconds(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(field_duration(&fixture->reader, fixture->root, "duration", 5), 5400000);
    assert_int_equal(field_duration(&fixture->reader, fixture->root, "absent", 5), 5);
    assert_well(fixture);
    (void)field_duration(&fixture->reader, fixture->root, "string", 5);
    assert_wrong(fixture, "thing: string \"Green\" is no duration such as 90s, 10m or 1h30m");
}

static void strings_come_in_order(void **state)
{
    struct fixture *fixture = *state;
    size_t count = 7;
    const char *const *strings = field_strings(&fixture->reader, fixture->root, "array", &count);
    assert_int_equal(count, 2);
    assert_string_equal(strings[0], "b");
    assert_string_equal(strings[1], "c");
    assert_null(field_strings(&fixture->reader, fixture->root, "empty", &count));
    assert_int_equal(count, 0);
    assert_well(fixture);
}

static void an_element_that_is_no_string_gives_none(void **state)
{
    struct fixture *fixture = *state;
    size_t count = 7;
    assert_null(field_strings(&fixture->reader, fixture->root, "mixed", &count));
    assert_int_equal(count, 0);
    assert_wrong(fixture, "thing: mixed has an element that is no string");
}

static void a_choice_is_an_index(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(field_choice(&fixture->reader, fixture->root, "string", COLOURS, 0), 1);
    assert_int_equal(field_choice_or(&fixture->reader, fixture->root, "string", COLOURS, 0), 1);
    assert_int_equal(field_choice(&fixture->reader, fixture->root, "absent", COLOURS, 5), 5);
    assert_well(fixture);
}

static void an_unknown_choice_is_wrong_or_the_fallback(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(field_choice_or(&fixture->reader, fixture->root, "time", COLOURS, 5), 5);
    assert_well(fixture);
    (void)field_choice(&fixture->reader, fixture->root, "time", COLOURS, 5);
    assert_wrong(fixture, "thing: time has a value that this version does not know");
}

static void a_choice_must_be_a_string_either_way(void **state)
{
    struct fixture *fixture = *state;
    (void)field_choice_or(&fixture->reader, fixture->root, "number", COLOURS, 5);
    assert_wrong(fixture, "thing: number is no string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(containers_are_given_when_they_are_what_they_should, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_array_is_no_object, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_object_is_no_array, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_wrong_value_is_the_one_reported, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_absent_string_is_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_are_milliseconds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(durations_are_milliseconds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_come_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_element_that_is_no_string_gives_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_choice_is_an_index, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_choice_is_wrong_or_the_fallback, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_choice_must_be_a_string_either_way, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
