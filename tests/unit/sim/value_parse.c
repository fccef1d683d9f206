/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/value.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static cJSON *parsed(const char *text)
{
    cJSON *value = NULL;
    struct error error = {0};
    if (!value_parse(text, &value, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return value;
}

static void assert_prints(const cJSON *value, const char *expected)
{
    char *text cleanup_memory = value_print(value);
    assert_string_equal(text, expected);
}

static void assert_round_trip(const char *text, const char *expected)
{
    cJSON *value = parsed(text);
    assert_prints(value, expected);
    cJSON_Delete(value);
}

static void assert_refused(const char *text, enum error_class class, const char *part)
{
    cJSON untouched = {0};
    cJSON *value = &untouched;
    struct error error = {0};
    if (value_parse(text, &value, &error)) {
        fail_msg("%s was taken", text);
    }
    assert_ptr_equal(value, &untouched);
    assert_int_equal(error.class, class);
    if (strstr(error.message, part) == NULL) {
        fail_msg("%s: %s", text, error.message);
    }
}

static void what_is_parsed_is_printed_compact(void **state)
{
    (void)state;
    assert_round_trip(" { \"b\" : [ 1 , true , null ] ,\n\t\"a\" : { } , \"c\" : [ ] } ",
                      "{\"b\":[1,true,null],\"a\":{},\"c\":[]}");
    assert_round_trip("false", "false");
    assert_round_trip("\"\"", "\"\"");
}

static void integers_are_kept_up_to_2_to_the_53rd(void **state)
{
    (void)state;
    static const char *const KEPT[] = {
        "0", "1", "-7", "1073741824", "9007199254740992", "-9007199254740992", "9007199254740991"};
    for (size_t i = 0; i < sizeof(KEPT) / sizeof(KEPT[0]); i++) {
        assert_round_trip(KEPT[i], KEPT[i]);
    }
    assert_round_trip("-0", "0");
}

static void integers_that_a_double_does_not_hold_are_refused(void **state)
{
    (void)state;
    assert_refused("9007199254740993", ERROR_INVALID, "2^53");
    assert_refused("-9007199254740993", ERROR_INVALID, "2^53");
    assert_refused("{\"a\":[9223372036854775807]}", ERROR_INVALID, "byte 6");
    assert_refused("99999999999999999999999999999999999999999", ERROR_INVALID, "2^53");
}

static void integers_as_they_are_printed_are_taken_back(void **state)
{
    (void)state;
    assert_round_trip("1764547200123456000", "1764547200123456000"); /* 1.764547200123456e18 */
    assert_round_trip("-9007199254740994", "-9007199254740994");
    assert_refused("1764547200123456001", ERROR_INVALID, "2^53");
}

static void fractions_come_back_as_the_same_number(void **state)
{
    (void)state;
    assert_round_trip("0.1", "0.1");
    assert_round_trip("1.10", "1.1");
    assert_round_trip("0.30000000000000004", "0.30000000000000004");
    assert_round_trip("1.0", "1");
    assert_round_trip("2e3", "2000");
    assert_round_trip("-2.5E-3", "-0.0025");
    assert_round_trip("1e300", "1e+300");
    assert_round_trip("1.764547200123456e18", "1764547200123456000");
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "0x1"};
    for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
        assert_refused(WRONG[i], ERROR_INVALID, "JSON at byte");
    }
    assert_refused("1e999", ERROR_INVALID, "beyond a double");
    assert_refused("0.0000000000000000000000000000000000000000000000000000000000000000001",
                   ERROR_INVALID, "too long");
}

static void strings_are_decoded_and_escaped_again(void **state)
{
    (void)state;
    assert_round_trip("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u001f\"",
                      "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u001f\"");
    assert_round_trip("\"\\u0041\\u00e4\\u20AC\\ud83d\\ude00\"",
                      "\"A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_round_trip("{\"\\u006bey\":1}", "{\"key\":1}");
}

static void half_a_surrogate_pair_is_replaced(void **state)
{
    (void)state;
    assert_round_trip("\"\\ud83d\"", "\"\xef\xbf\xbd\"");
    assert_round_trip("\"\\ude00x\"", "\"\xef\xbf\xbdx\"");
    assert_round_trip("\"\\ud83d\\u0041\"", "\"\xef\xbf\xbd\x41\"");
    assert_round_trip("\"\\ud83d\\ud83d\\ude00\"", "\"\xef\xbf\xbd\xf0\x9f\x98\x80\"");
}

static void strings_that_are_none_are_refused(void **state)
{
    (void)state;
    assert_refused("\"a", ERROR_INVALID, "end");
    assert_refused("\"a\\", ERROR_INVALID, "JSON at byte");
    assert_refused("\"\n\"", ERROR_INVALID, "control character");
    assert_refused("\"\\x\"", ERROR_INVALID, "escape");
    assert_refused("\"\\u12\"", ERROR_INVALID, "escape");
    assert_refused("\"\\u0000\"", ERROR_INVALID, "\\u0000");
}

static void utf_8_is_checked(void **state)
{
    (void)state;
    static const char *const BROKEN[] = {
        "\"\x80\"",             /* a continuation alone */
        "\"\xc0\xaf\"",         /* overlong */
        "\"\xe0\x9f\xbf\"",     /* overlong */
        "\"\xf0\x8f\xbf\xbf\"", /* overlong */
        "\"\xed\xa0\x80\"",     /* a surrogate */
        "\"\xf4\x90\x80\x80\"", /* beyond U+10FFFF */
        "\"\xe2\x82\"",         /* cut */
        "\"\xff\"",
    };
    for (size_t i = 0; i < sizeof(BROKEN) / sizeof(BROKEN[0]); i++) {
        assert_refused(BROKEN[i], ERROR_INVALID, "UTF-8");
    }
    assert_round_trip("\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\"", "\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\"");
}

static void what_is_not_one_value_is_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {
        "",
        " ",
        "{",
        "[1",
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{a:1}",
        "[1 2]",
        "{\"a\"}",
        "nul",
        "tru",
        "1 2",
        "{} {}",
        "[1]]",
        "undefined",
        "{\"a\":1 \"b\":2}",
        "'a'",
    };
    for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
        assert_refused(WRONG[i], ERROR_INVALID, "JSON at byte");
    }
}

static void depth_is_bounded(void **state)
{
    (void)state;
    struct text text cleanup_text;
    text_init(&text, 1024);
    for (int i = 0; i < 64; i++) {
        text_append_char(&text, '[');
    }
    for (int i = 0; i < 64; i++) {
        text_append_char(&text, ']');
    }
    assert_round_trip(text.bytes, text.bytes);
    text_clear(&text);
    for (int i = 0; i < 65; i++) {
        text_append_char(&text, '[');
    }
    assert_refused(text.bytes, ERROR_LIMIT, "64");
}

static void the_last_of_equal_names_stays(void **state)
{
    (void)state;
    assert_round_trip("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":[4]}", "{\"b\":2,\"a\":[4]}");
    struct text text cleanup_text;
    text_init(&text, 4096);
    text_append_char(&text, '{');
    for (int i = 0; i < 60; i++) {
        text_print(&text, "\"key%d\":%d,", i % 20, i);
    }
    text_append(&text, "\"last\":0}");
    cJSON *value = parsed(text.bytes);
    assert_int_equal(cJSON_GetArraySize(value), 21);
    assert_int_equal(value_int64(value, -1, "key0", NULL), 40);
    assert_int_equal(value_int64(value, -1, "key19", NULL), 59);
    cJSON_Delete(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_parsed_is_printed_compact),
        cmocka_unit_test(integers_are_kept_up_to_2_to_the_53rd),
        cmocka_unit_test(integers_that_a_double_does_not_hold_are_refused),
        cmocka_unit_test(integers_as_they_are_printed_are_taken_back),
        cmocka_unit_test(fractions_come_back_as_the_same_number),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(strings_are_decoded_and_escaped_again),
        cmocka_unit_test(half_a_surrogate_pair_is_replaced),
        cmocka_unit_test(strings_that_are_none_are_refused),
        cmocka_unit_test(utf_8_is_checked),
        cmocka_unit_test(what_is_not_one_value_is_refused),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(the_last_of_equal_names_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
