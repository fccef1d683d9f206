/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_spelling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void spells_only_what_must_be(void **state)
{
    (void)state;
    static const char bytes[] = "a\"\\/\b\f\n\r\t\x01\x1f\x7f<\xc3\xa9\0z";
    cleanup_text struct text text;
    text_init(&text, 1000);
    json_spelling_append(&text, bytes, sizeof(bytes) - 1);
    assert_string_equal(text.bytes, "a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f<\xc3\xa9\\u0000z");
}

static void spells_long_strings(void **state)
{
    (void)state;
    enum { LENGTH = 10 * 1000 };
    cleanup_text struct text bytes;
    cleanup_text struct text expected;
    cleanup_text struct text spelled;
    text_init(&bytes, LENGTH);
    text_init(&expected, (size_t)LENGTH * 6);
    text_init(&spelled, (size_t)LENGTH * 6);
    for (int i = 0; i < LENGTH; i++) {
        bool is_control = i % 3 == 0;
        text_append_char(&bytes, is_control ? '\x02' : 'x');
        text_append(&expected, is_control ? "\\u0002" : "x");
    }
    json_spelling_append(&spelled, bytes.bytes, bytes.length_bytes);
    assert_string_equal(spelled.bytes, expected.bytes);
}

/* Eight bytes are looked at together. */
static void finds_what_is_special_wherever_it_is(void **state)
{
    (void)state;
    enum { LENGTH = 20 };
    for (int at = 0; at < LENGTH; at++) {
        for (int byte = 1; byte < 256; byte++) {
            char bytes[LENGTH + 1] = "xxxxxxxxxxxxxxxxxxxx";
            cleanup_text struct text spelled;
            cleanup_text struct text quoted;
            text_init(&spelled, 1000);
            text_init(&quoted, 1000);
            bytes[at] = (char)byte;
            json_spelling_append(&spelled, bytes, LENGTH);
            json_spelling_quote(&quoted, bytes, LENGTH);
            bool special = byte < ' ' || byte == '"' || byte == '\\';
            assert_int_equal(spelled.length_bytes > LENGTH, special);
            assert_memory_equal(quoted.bytes + 1, spelled.bytes, spelled.length_bytes);
            assert_int_equal(quoted.length_bytes, spelled.length_bytes + 2);
            assert_int_equal(quoted.bytes[quoted.length_bytes - 1], '"');
        }
    }
}

static void normalizes_to_the_shortest(void **state)
{
    (void)state;
    static const struct {
        const char *spelling;
        const char *normal;
    } cases[] = {
        {"", ""},
        {"plain \xc3\xa9", "plain \xc3\xa9"},
        {"\\u003c\\u003E\\u0026\\/", "<>&/"},
        {"\\u000a\\n\\u0022\\\"\\u005c\\\\", "\\n\\n\\\"\\\"\\\\\\\\"},
        {"\\u0000\\u001F", "\\u0000\\u001f"},
        {"\\u007f\\u0080\\u07ff", "\x7f\xc2\x80\xdf\xbf"},
        {"\\u0800\\uFFFF", "\xe0\xa0\x80\xef\xbf\xbf"},
        {"\\ud800\\udc00\\uDBFF\\uDFFF", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        {"\\uD83Dx\\uDE00", "\\ud83dx\\ude00"},
        {"\\uD83D\\uD83D\\uDE00", "\\ud83d\xf0\x9f\x98\x80"},
        {"\\uD83D\\n", "\\ud83d\\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_text struct text text;
        text_init(&text, 100);
        json_spelling_normalize(&text, cases[i].spelling, strlen(cases[i].spelling));
        assert_string_equal(text.bytes, cases[i].normal);
    }
}

static bool is(const char *spelling, const char *string)
{
    return json_spelling_is(spelling, strlen(spelling), string, strlen(string));
}

static void compares_what_is_meant(void **state)
{
    (void)state;
    assert_true(is("items", "items"));
    assert_true(is("\\u0069tem\\u0073", "items"));
    assert_true(is("a\\/b\\n", "a/b\n"));
    assert_true(is("", ""));
    assert_false(is("item", "items"));
    assert_false(is("itemsx", "items"));
    assert_false(is("items\\u0000", "items"));
    assert_false(is("Items", "items"));
    assert_false(is("\\u0169tems", "items"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spells_only_what_must_be),
        cmocka_unit_test(spells_long_strings),
        cmocka_unit_test(finds_what_is_special_wherever_it_is),
        cmocka_unit_test(normalizes_to_the_shortest),
        cmocka_unit_test(compares_what_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
