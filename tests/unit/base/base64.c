/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void decodes_to(const char *text, const char *expected, size_t expected_count)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *bytes = NULL;
    size_t byte_count = 0;
    struct error error;
    assert_true(base64_decode(text, &arena, &bytes, &byte_count, &error));
    assert_int_equal(byte_count, expected_count);
    assert_memory_equal(bytes, expected, expected_count + 1);
}

static void decodes_the_vectors_of_the_rfc(void **state)
{
    (void)state;
    decodes_to("", "", 0);
    decodes_to("Zg==", "f", 1);
    decodes_to("Zm8=", "fo", 2);
    decodes_to("Zm9v", "foo", 3);
    decodes_to("Zm9vYg==", "foob", 4);
    decodes_to("Zm9vYmE=", "fooba", 5);
    decodes_to("Zm9vYmFy", "foobar", 6);
}

static void skips_line_breaks(void **state)
{
    (void)state;
    decodes_to("Zm9v\nYm\r\nFy\n", "foobar", 6);
    decodes_to("Zm9vYg=\n=\n", "foob", 4);
}

static void keeps_every_byte_value(void **state)
{
    (void)state;
    char bytes[257];
    for (int i = 0; i < 256; i++) {
        bytes[i] = (char)i;
    }
    bytes[256] = '\0';
    for (size_t count = 250; count <= 256; count++) {
        cleanup_text struct text text;
        text_init(&text, 1000);
        base64_append(&text, bytes, count);
        char expected[257] = {0};
        memcpy(expected, bytes, count);
        decodes_to(text.bytes, expected, count);
    }
}

static void refuses(const char *text, const char *reason)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *bytes = NULL;
    size_t byte_count = 99;
    struct error error;
    assert_false(base64_decode(text, &arena, &bytes, &byte_count, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(error.message, reason);
    assert_null(bytes);
    assert_int_equal(byte_count, 99);
}

static void says_where_it_is_wrong_without_quoting_it(void **state)
{
    (void)state;
    refuses("Zm9v!mFy", "not base64: character 5 is wrong");
    refuses("Zm9v Ym", "not base64: character 5 is wrong");
    refuses("Zm-_", "not base64: character 3 is wrong");
    refuses("Zg==Zg==", "not base64: character 5 is wrong");
    refuses("Zg===", "not base64: character 5 is wrong");
    refuses("Zm9vY", "not base64: it ends in the middle, after 3 bytes");
    refuses("Zm9vYm", "not base64: it ends in the middle, after 4 bytes");
    refuses("Z===", "not base64: character 4 is wrong");
    refuses("==", "not base64: it ends in the middle, after 0 bytes");
    refuses("Z", "not base64: it ends in the middle, after 0 bytes");
}

static void encodes(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 100);
    base64_append(&text, "fooba", 5);
    text_append_char(&text, ' ');
    base64_append(&text, "f", 1);
    text_append_char(&text, ' ');
    base64_append(&text, "\xFB\xFF\xBF", 3);
    text_append_char(&text, ' ');
    base64_append(&text, "", 0);
    assert_string_equal(text.bytes, "Zm9vYmE= Zg== +/+/ ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_the_vectors_of_the_rfc),
        cmocka_unit_test(skips_line_breaks),
        cmocka_unit_test(keeps_every_byte_value),
        cmocka_unit_test(says_where_it_is_wrong_without_quoting_it),
        cmocka_unit_test(encodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
