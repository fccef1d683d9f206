/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void keeps_the_commas(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_begin_object(&writer);
    json_member_object(&writer, "empty");
    json_end_object(&writer);
    json_member_array(&writer, "list");
    json_begin_object(&writer);
    json_end_object(&writer);
    json_begin_array(&writer);
    json_write_int64(&writer, 1);
    json_end_array(&writer);
    json_write_string(&writer, "s");
    json_write_bool(&writer, true);
    json_write_null(&writer);
    json_write_raw(&writer, "1.10");
    json_end_array(&writer);
    json_write_key(&writer, "last");
    json_write_bool(&writer, false);
    json_end_object(&writer);
    assert_string_equal(text.bytes,
                        "{\"empty\":{},\"list\":[{},[1],\"s\",true,null,1.10],\"last\":false}");
}

static void writes_members_at_once(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_begin_object(&writer);
    json_member_optional(&writer, "absent", NULL);
    json_member_string(&writer, "null", NULL);
    json_member_string(&writer, "string", "a");
    json_member_optional(&writer, "present", "b");
    json_member_int64(&writer, "number", INT64_MIN);
    json_member_bool(&writer, "bool", true);
    json_member_raw(&writer, "raw", "{\"n\":9007199254740993}");
    json_end_object(&writer);
    assert_string_equal(text.bytes, "{\"null\":null,\"string\":\"a\",\"present\":\"b\","
                                    "\"number\":-9223372036854775808,\"bool\":true,"
                                    "\"raw\":{\"n\":9007199254740993}}");
}

static void escapes_keys_and_strings(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_begin_object(&writer);
    json_member_string(&writer, "a\"b", "\\ \n \x01 \xc3\xa9");
    json_end_object(&writer);
    assert_string_equal(text.bytes, "{\"a\\\"b\":\"\\\\ \\n \\u0001 \xc3\xa9\"}");
}

static void writes_a_value_alone(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_write_string(&writer, "");
    assert_string_equal(text.bytes, "\"\"");
}

static void nests_as_deep_as_it_says(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    for (int i = 0; i < JSON_WRITER_DEPTH_MAX; i++) {
        json_begin_array(&writer);
    }
    for (int i = 0; i < JSON_WRITER_DEPTH_MAX; i++) {
        json_end_array(&writer);
    }
    assert_int_equal(text.length_bytes, 2 * JSON_WRITER_DEPTH_MAX);
}

static void leaves_too_much_to_the_text(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 10);
    struct json_writer writer;
    json_writer_init(&writer, &text);
    json_begin_object(&writer);
    json_member_string(&writer, "name", "longer than ten");
    json_end_object(&writer);
    struct error error;
    assert_false(text_check(&text, "body", &error));
    assert_int_equal(error.class, ERROR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_commas),         cmocka_unit_test(writes_members_at_once),
        cmocka_unit_test(escapes_keys_and_strings), cmocka_unit_test(writes_a_value_alone),
        cmocka_unit_test(nests_as_deep_as_it_says), cmocka_unit_test(leaves_too_much_to_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
