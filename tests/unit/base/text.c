/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void is_an_empty_string_after_init(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 10);
    assert_string_equal(text.bytes, "");
    assert_int_equal(text.length_bytes, 0);
    assert_false(text.overflowed);
}

static void appends_in_order(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 1000);
    text_append(&text, "pool ");
    text_append_bytes(&text, "warm-only", 4);
    text_append_char(&text, ':');
    text_print(&text, " %d of %s", 3, "8");
    text_append(&text, "");
    text_append_bytes(&text, NULL, 0);
    assert_string_equal(text.bytes, "pool warm: 3 of 8");
    assert_int_equal(text.length_bytes, strlen(text.bytes));
}

static void keeps_nul_bytes(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 10);
    text_append_bytes(&text, "a\0b", 3);
    text_append_char(&text, '\0');
    assert_int_equal(text.length_bytes, 4);
    assert_memory_equal(text.bytes, "a\0b\0", 5);
}

static void grows_to_its_maximum_and_not_beyond(void **state)
{
    (void)state;
    enum { MAX = 10 * 1000 };
    cleanup_text struct text text;
    text_init(&text, MAX);
    for (int i = 0; i < MAX; i++) {
        text_append_char(&text, (char)('a' + i % 26));
    }
    struct error error;
    assert_true(text_check(&text, "list", &error));
    assert_int_equal(text.length_bytes, MAX);
    assert_true(text.capacity_bytes <= MAX + 1);
    assert_int_equal(text.bytes[MAX - 1], 'a' + (MAX - 1) % 26);
    assert_int_equal(text.bytes[MAX], '\0');

    text_append_char(&text, 'x');
    assert_int_equal(text.length_bytes, MAX);
    assert_false(text_check(&text, "list", &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_string_equal(error.message, "list is larger than 10000 bytes");
}

static void what_does_not_fit_is_not_appended_in_part(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 5);
    text_append(&text, "abc");
    text_append(&text, "def");
    assert_string_equal(text.bytes, "abc");
    assert_true(text.overflowed);
}

static void nothing_is_appended_behind_a_hole(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 5);
    text_append(&text, "abcdef");
    text_append(&text, "a");
    text_append_char(&text, 'b');
    text_print(&text, "c");
    assert_string_equal(text.bytes, "");
    assert_true(text.overflowed);
}

static void print_fits_exactly_or_not_at_all(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 5);
    text_print(&text, "%s", "abcde");
    assert_string_equal(text.bytes, "abcde");
    assert_false(text.overflowed);
    text_clear(&text);
    text_print(&text, "%s", "abcdef");
    assert_string_equal(text.bytes, "");
    assert_true(text.overflowed);
}

static void a_print_may_be_longer_than_the_first_memory(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 100 * 1000);
    text_append(&text, "x");
    text_print(&text, "%50000d", 7);
    assert_int_equal(text.length_bytes, 50001);
    assert_int_equal(text.bytes[50000], '7');
}

static void an_extension_is_part_of_the_text(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 8);
    text_append(&text, "ab");
    memcpy(text_extend(&text, 3), "cde", 3);
    assert_string_equal(text.bytes, "abcde");
    assert_null(text_extend(&text, 4));
    assert_string_equal(text.bytes, "abcde");
    assert_true(text.overflowed);
}

static void whole_numbers_are_appended(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 100);
    static const int64_t numbers[] = {0, 7, -10, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        text_append_int64(&text, numbers[i]);
        text_append_char(&text, ' ');
    }
    assert_string_equal(text.bytes, "0 7 -10 9223372036854775807 -9223372036854775808 ");
}

static void a_maximum_of_none_takes_nothing(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 0);
    text_append(&text, "");
    assert_false(text.overflowed);
    text_append_char(&text, 'x');
    assert_true(text.overflowed);
    assert_string_equal(text.bytes, "");
}

static void clear_forgets_the_overflow_and_keeps_the_memory(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 200);
    text_print(&text, "%150d", 1);
    text_print(&text, "%150d", 1);
    size_t capacity = text.capacity_bytes;
    text_clear(&text);
    assert_string_equal(text.bytes, "");
    assert_int_equal(text.capacity_bytes, capacity);
    text_append(&text, "abc");
    struct error error;
    assert_true(text_check(&text, "line", &error));
    assert_string_equal(text.bytes, "abc");
}

static void take_hands_over_and_starts_again(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 10);
    text_append(&text, "first");
    cleanup_memory char *first = text_take(&text);
    assert_string_equal(text.bytes, "");
    text_append(&text, "second");
    text_append(&text, "too long for it");
    cleanup_memory char *second = text_take(&text);
    assert_false(text.overflowed);
    assert_int_equal(text.length_bytes_max, 10);
    assert_string_equal(first, "first");
    assert_string_equal(second, "second");
}

static void release_may_come_twice(void **state)
{
    (void)state;
    struct text text;
    text_init(&text, 10);
    text_release(&text);
    text_release(&text);
    assert_null(text.bytes);
}

static void strings_compare(void **state)
{
    (void)state;
    assert_true(text_equal("a", "a"));
    assert_false(text_equal("a", "A"));
    assert_false(text_equal("a", "ab"));
    assert_true(text_equal("", ""));
    assert_true(text_equal(NULL, NULL));
    assert_false(text_equal(NULL, ""));
    assert_false(text_equal("", NULL));

    assert_true(text_starts_with("adjoint.dev/state", "adjoint.dev/"));
    assert_true(text_starts_with("a", ""));
    assert_false(text_starts_with("adj", "adjoint"));
    assert_false(text_starts_with(NULL, ""));

    assert_true(text_ends_with("cluster-1", "-1"));
    assert_true(text_ends_with("-1", "-1"));
    assert_true(text_ends_with("a", ""));
    assert_false(text_ends_with("1", "-1"));
    assert_false(text_ends_with("cluster-1", "-2"));
    assert_false(text_ends_with(NULL, ""));
}

static void whole_numbers_parse(void **state)
{
    (void)state;
    static const struct {
        const char *string;
        int64_t number;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"7", 7},
        {"-7", -7},
        {"007", 7},
        {"9007199254740993", 9007199254740993},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807", -INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        int64_t number = 42;
        struct error error;
        assert_true(text_parse_int64(good[i].string, &number, &error));
        assert_true(number == good[i].number);
    }
}

static void everything_else_does_not(void **state)
{
    (void)state;
    static const char *const bad[] = {
        NULL,
        "",
        "-",
        "+1",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "--1",
        "1-",
        "a",
        "1\n",
        "/",
        ":",
        "9223372036854775808",
        "-9223372036854775809",
        "92233720368547758070",
        "18446744073709551616",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t number = 42;
        struct error error = {0};
        assert_false(text_parse_int64(bad[i], &number, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_int_equal(number, 42);
    }
}

static void what_means_something_in_a_url_is_encoded(void **state)
{
    (void)state;
    cleanup_text struct text text;
    text_init(&text, 100);
    text_append_encoded(&text, "Az09-._~ /?#@:%");
    text_append_encoded(&text, "\xc3\xa9");
    assert_string_equal(text.bytes, "Az09-._~%20%2F%3F%23%40%3A%25%C3%A9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_an_empty_string_after_init),
        cmocka_unit_test(appends_in_order),
        cmocka_unit_test(keeps_nul_bytes),
        cmocka_unit_test(grows_to_its_maximum_and_not_beyond),
        cmocka_unit_test(what_does_not_fit_is_not_appended_in_part),
        cmocka_unit_test(nothing_is_appended_behind_a_hole),
        cmocka_unit_test(print_fits_exactly_or_not_at_all),
        cmocka_unit_test(a_print_may_be_longer_than_the_first_memory),
        cmocka_unit_test(an_extension_is_part_of_the_text),
        cmocka_unit_test(whole_numbers_are_appended),
        cmocka_unit_test(what_means_something_in_a_url_is_encoded),
        cmocka_unit_test(a_maximum_of_none_takes_nothing),
        cmocka_unit_test(clear_forgets_the_overflow_and_keeps_the_memory),
        cmocka_unit_test(take_hands_over_and_starts_again),
        cmocka_unit_test(release_may_come_twice),
        cmocka_unit_test(strings_compare),
        cmocka_unit_test(whole_numbers_parse),
        cmocka_unit_test(everything_else_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
