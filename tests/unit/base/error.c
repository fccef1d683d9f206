/* SPDX-License-Identifier: Apache-2.0 */
/* The message's limits are where a person's line turns into one the API server refuses. */
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void fill(char *out, size_t length, char byte)
{
    memset(out, byte, length);
    out[length] = '\0';
}

static void append(char *message, const char *end)
{
    memcpy(message + strlen(message), end, strlen(end) + 1);
}

static void set_gives_class_and_message_and_returns_false(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(error_set(&error, ERROR_CONFLICT, "pv %s is at %d", "vol-1", 7));
    assert_int_equal(error.class, ERROR_CONFLICT);
    assert_string_equal(error.message, "pv vol-1 is at 7");
}

static void set_forgets_the_reply_of_an_earlier_error(void **state)
{
    (void)state;
    struct error error = {.http_status = 429, .retry_after_ms = 1000};
    error_set(&error, ERROR_SYSTEM, "no such file");
    assert_int_equal(error.http_status, 0);
    assert_int_equal(error.retry_after_ms, 0);
}

static void set_keeps_a_message_of_exactly_the_maximum(void **state)
{
    (void)state;
    char longest[ERROR_MESSAGE_BYTES];
    fill(longest, sizeof(longest) - 1, 'x');
    struct error error;
    error_set(&error, ERROR_INVALID, "%s", longest);
    assert_string_equal(error.message, longest);
}

static void set_cuts_a_longer_message(void **state)
{
    (void)state;
    char longer[ERROR_MESSAGE_BYTES + 2];
    fill(longer, sizeof(longer) - 1, 'x');
    struct error error;
    error_set(&error, ERROR_INVALID, "%s", longer);
    assert_int_equal(strlen(error.message), ERROR_MESSAGE_BYTES - 1);
}

static void set_never_cuts_inside_a_character(void **state)
{
    (void)state;
    static const char *const characters[] = {"\u00e9", "\u20ac", "\U0001F418"};
    for (size_t i = 0; i < 3; i++) {
        size_t width = strlen(characters[i]);
        for (size_t kept = 0; kept <= width; kept++) {
            char message[2 * ERROR_MESSAGE_BYTES];
            fill(message, ERROR_MESSAGE_BYTES - 1 - kept, 'x');
            append(message, characters[i]);
            append(message, "yyyy");
            struct error error;
            error_set(&error, ERROR_INVALID, "%s", message);
            size_t want = ERROR_MESSAGE_BYTES - 1 - (kept == width ? 0 : kept);
            assert_int_equal(strlen(error.message), want);
            assert_memory_equal(error.message, message, want);
        }
    }
}

static void set_cuts_bytes_that_are_no_text_too(void **state)
{
    (void)state;
    char bytes[ERROR_MESSAGE_BYTES + 2];
    fill(bytes, sizeof(bytes) - 1, (char)0x80);
    struct error error;
    error_set(&error, ERROR_INVALID, "%s", bytes);
    assert_int_equal(strlen(error.message), ERROR_MESSAGE_BYTES - 1);
}

static void set_makes_one_line(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERROR_INVALID, "a\nb\r\tc\x1b[1m\x7f%s", "\x01");
    assert_string_equal(error.message, "a b  c [1m  ");
}

static void set_may_print_its_own_message(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERROR_NOT_FOUND, "gone");
    error_set(&error, ERROR_INVALID, "<%s> and <%s>", error.message, error.message);
    assert_string_equal(error.message, "<gone> and <gone>");
}

static void wrap_puts_context_in_front_and_keeps_the_rest(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERROR_THROTTLED, "too many requests");
    error.http_status = 429;
    error.retry_after_ms = 1500;
    assert_false(error_wrap(&error, "pool %s", "ns/warm"));
    assert_false(error_wrap(&error, "step"));
    assert_string_equal(error.message, "step: pool ns/warm: too many requests");
    assert_int_equal(error.class, ERROR_THROTTLED);
    assert_int_equal(error.http_status, 429);
    assert_int_equal(error.retry_after_ms, 1500);
}

static void wrap_cuts_the_end_and_not_the_context(void **state)
{
    (void)state;
    char longest[ERROR_MESSAGE_BYTES];
    fill(longest, sizeof(longest) - 1, 'x');
    struct error error;
    error_set(&error, ERROR_INVALID, "%s", longest);
    error_wrap(&error, "reading");
    assert_int_equal(strlen(error.message), ERROR_MESSAGE_BYTES - 1);
    assert_memory_equal(error.message, "reading: xxx", 12);
    error_wrap(&error, "%s", longest);
    assert_string_equal(error.message, longest);
}

static void wrap_never_cuts_inside_a_character(void **state)
{
    (void)state;
    const size_t context_length = strlen("context: ");
    for (size_t kept = 0; kept <= 2; kept++) {
        char message[ERROR_MESSAGE_BYTES];
        size_t before = ERROR_MESSAGE_BYTES - 1 - context_length - kept;
        fill(message, before, 'x');
        append(message, "\u00e9yy");
        struct error error;
        error_set(&error, ERROR_INVALID, "%s", message);
        error_wrap(&error, "context");
        size_t want = before + (kept == 2 ? 2 : 0);
        assert_int_equal(strlen(error.message), context_length + want);
        assert_memory_equal(error.message + context_length, message, want);
    }
}

static void each_class_has_its_own_name(void **state)
{
    (void)state;
    for (int one = ERROR_NONE; one <= ERROR_TIMEOUT; one++) {
        const char *name = error_class_name((enum error_class)one);
        assert_true(name[0] >= 'A' && name[0] <= 'Z');
        assert_null(strpbrk(name, " _-"));
        for (int other = ERROR_NONE; other < one; other++) {
            assert_string_not_equal(name, error_class_name((enum error_class)other));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_gives_class_and_message_and_returns_false),
        cmocka_unit_test(set_forgets_the_reply_of_an_earlier_error),
        cmocka_unit_test(set_keeps_a_message_of_exactly_the_maximum),
        cmocka_unit_test(set_cuts_a_longer_message),
        cmocka_unit_test(set_never_cuts_inside_a_character),
        cmocka_unit_test(set_cuts_bytes_that_are_no_text_too),
        cmocka_unit_test(set_makes_one_line),
        cmocka_unit_test(set_may_print_its_own_message),
        cmocka_unit_test(wrap_puts_context_in_front_and_keeps_the_rest),
        cmocka_unit_test(wrap_cuts_the_end_and_not_the_context),
        cmocka_unit_test(wrap_never_cuts_inside_a_character),
        cmocka_unit_test(each_class_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
