/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_laid_out(const char *json, const char *expected)
{
    cleanup_text struct text out;
    text_init(&out, 4096);
    json_layout(json, &out);
    assert_string_equal(out.bytes, expected);
}

static void a_member_is_a_line(void **state)
{
    (void)state;
    assert_laid_out("{\"a\":1,\"b\":[true,null],\"c\":{\"d\":\"x\"}}", "{\n"
                                                                       "    \"a\": 1,\n"
                                                                       "    \"b\": [\n"
                                                                       "        true,\n"
                                                                       "        null\n"
                                                                       "    ],\n"
                                                                       "    \"c\": {\n"
                                                                       "        \"d\": \"x\"\n"
                                                                       "    }\n"
                                                                       "}\n");
}

static void what_is_empty_stays_on_its_line(void **state)
{
    (void)state;
    assert_laid_out("{\"a\":[],\"b\":{}}", "{\n    \"a\": [],\n    \"b\": {}\n}\n");
    assert_laid_out("[]", "[]\n");
    assert_laid_out("\"x\"", "\"x\"\n");
}

static void strings_are_left_alone(void **state)
{
    (void)state;
    assert_laid_out("[\"{,:[]}\",\"\\\"\\\\\",\"a\\\\\\\"]\"]",
                    "[\n    \"{,:[]}\",\n    \"\\\"\\\\\",\n    \"a\\\\\\\"]\"\n]\n");
}

static void elements_are_found_one_by_one(void **state)
{
    (void)state;
    static const char *const expected[] = {"{\"a\":[1,2]}", "\"],[\\\"\"", "3", "[]"};
    size_t byte_count = 0;
    size_t count = 0;
    const char *array = "[{\"a\":[1,2]},\"],[\\\"\",3,[]]";
    for (const char *at = json_element_first(array, &byte_count); at != NULL;
         at = json_element_next(at, &byte_count)) {
        assert_in_range(count, 0, 3);
        assert_int_equal(byte_count, strlen(expected[count]));
        assert_memory_equal(at, expected[count], byte_count);
        count++;
    }
    assert_int_equal(count, 4);
    assert_null(json_element_first("[]", &byte_count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_is_a_line),
        cmocka_unit_test(what_is_empty_stays_on_its_line),
        cmocka_unit_test(strings_are_left_alone),
        cmocka_unit_test(elements_are_found_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
