/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES_MAX = 1024 * 1024 };

static int set_up(void **state)
{
    static struct json_output output;
    json_output_init(&output, BYTES_MAX);
    *state = &output;
    return 0;
}

static int tear_down(void **state)
{
    json_output_release(*state);
    return 0;
}

static void copies_runs_and_nothing_between(void **state)
{
    struct json_output *output = *state;
    const char *chunk = "abcdefgh";
    json_output_start(output, chunk);
    json_output_flush(output, chunk + 2);
    assert_string_equal(output->text.bytes, "ab");
    json_output_stop(output, chunk + 3);
    json_output_start(output, chunk + 6);
    json_output_stop(output, chunk + 8);
    assert_string_equal(output->text.bytes, "abcgh");
}

static void escapes_a_run_inside_a_string(void **state)
{
    struct json_output *output = *state;
    const char *chunk = "\"a\\n\"";
    output->is_string = true;
    json_output_start(output, chunk);
    json_output_stop(output, chunk + 5);
    assert_string_equal(output->text.bytes, "\\\"a\\\\n\\\"");
}

static void cuts_within_the_chunk_and_before_it(void **state)
{
    struct json_output *output = *state;
    const char *first = "abc";
    const char *second = "defg";
    json_output_start(output, first);
    json_output_stop(output, first + 3);
    json_output_start(output, second);
    size_t offset = json_output_offset(output, second + 2);
    assert_int_equal(offset, 5);
    json_output_cut(output, offset);
    assert_string_equal(output->text.bytes, "abcde");
    assert_null(output->run);

    json_output_start(output, second);
    json_output_cut(output, 1);
    assert_string_equal(output->text.bytes, "a");
}

static void corrects_what_an_earlier_chunk_brought(void **state)
{
    struct json_output *output = *state;
    const char *first = "[12";
    const char *second = "34]\\ud83";
    const char *third = "d!";
    json_output_start(output, first);
    json_output_stop(output, first + 3);
    json_output_start(output, second);
    json_output_quote(output, second + 2, 4);
    assert_string_equal(output->text.bytes, "[\"1234\"");
    json_output_stop(output, second + strlen(second));
    json_output_start(output, third);
    json_output_replace(output, third + 1, 6);
    json_output_stop(output, third + 2);
    assert_string_equal(output->text.bytes, "[\"1234\"]\\ufffd!");
}

static void knows_when_it_is_too_large(void **state)
{
    (void)state;
    struct json_output output;
    json_output_init(&output, 3);
    const char *chunk = "abcd";
    json_output_start(&output, chunk);
    json_output_flush(&output, chunk + 3);
    assert_false(json_output_is_too_large(&output));
    json_output_flush(&output, chunk + 4);
    assert_true(json_output_is_too_large(&output));
    static const char far_too_large[10 * 1000];
    json_output_stop(&output, chunk + 4);
    json_output_start(&output, far_too_large);
    json_output_stop(&output, far_too_large + sizeof(far_too_large));
    assert_true(output.text.length_bytes < sizeof(far_too_large));
    assert_true(json_output_is_too_large(&output));
    json_output_clear(&output);
    assert_false(json_output_is_too_large(&output));
    json_output_release(&output);
}

static void gives_back_a_large_objects_memory(void **state)
{
    struct json_output *output = *state;
    static const char chunk[512 * 1024];
    json_output_start(output, chunk);
    json_output_stop(output, chunk + sizeof(chunk));
    assert_true(output->text.capacity_bytes > sizeof(chunk));
    json_output_clear(output);
    assert_true(output->text.capacity_bytes <= 64 * 1024);
    assert_string_equal(output->text.bytes, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(copies_runs_and_nothing_between, set_up, tear_down),
        cmocka_unit_test_setup_teardown(escapes_a_run_inside_a_string, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuts_within_the_chunk_and_before_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(corrects_what_an_earlier_chunk_brought, set_up, tear_down),
        cmocka_unit_test(knows_when_it_is_too_large),
        cmocka_unit_test_setup_teardown(gives_back_a_large_objects_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
