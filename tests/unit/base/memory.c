/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory ends the process, so those tests run in a child. */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without it AddressSanitizer ends the process before our own line is written. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:print_summary=0";
}

/* Runs `run` in a child and gives what it wrote to stderr and how it ended. */
static int run_in_child(void (*run)(void), char *out_text, size_t text_bytes)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        run();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got = 0;
    do {
        got = read(ends[0], out_text + length, text_bytes - 1 - length);
        length += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    out_text[length] = '\0';
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Volatile: the compiler would refuse what it can see. */
static volatile size_t huge = SIZE_MAX / 2;
static volatile size_t twice_overflows_to_two = SIZE_MAX / 2 + 2;

static void new_with_overflow(void)
{
    memory_free(memory_new(twice_overflows_to_two, 2));
}

static void resize_with_overflow(void)
{
    memory_free(memory_resize(NULL, twice_overflows_to_two, 2));
}

static void new_too_large(void)
{
    memory_free(memory_new(1, huge));
}

static void resize_too_large(void)
{
    memory_free(memory_resize(NULL, 1, huge));
}

static void out_of_memory_ends_the_process_with_a_line(void **state)
{
    (void)state;
    void (*const runs[])(void) = {new_with_overflow, resize_with_overflow, new_too_large,
                                  resize_too_large};
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        char text[16 * 1024];
        assert_int_equal(run_in_child(runs[i], text, sizeof(text)), 1);
        assert_non_null(strstr(text, "adjoint: out of memory\n"));
    }
}

static void new_memory_is_zeroed(void **state)
{
    (void)state;
    char *used = memory_new(1, 4000);
    memset(used, 'x', 4000);
    memory_free(used);
    char *bytes = memory_new(1000, 4);
    for (size_t i = 0; i < 4000; i++) {
        assert_int_equal(bytes[i], 0);
    }
    memory_free(bytes);
}

static void nothing_is_still_something(void **state)
{
    (void)state;
    void *none = memory_new(0, 8);
    assert_non_null(none);
    none = memory_resize(none, 8, 0);
    assert_non_null(none);
    memory_free(none);
    memory_free(NULL);
}

static void resize_keeps_what_was_there(void **state)
{
    (void)state;
    char *bytes = memory_resize(NULL, 4, 1);
    memcpy(bytes, "abc", 4);
    bytes = memory_resize(bytes, 1000, 100);
    assert_string_equal(bytes, "abc");
    bytes = memory_resize(bytes, 2, 1);
    assert_memory_equal(bytes, "ab", 2);
    memory_free(bytes);
}

static void copy_text_copies(void **state)
{
    (void)state;
    char text[] = "pvc";
    char *copy = memory_copy_text(text);
    text[0] = 'x';
    assert_string_equal(copy, "pvc");
    memory_free(copy);
    copy = memory_copy_text("");
    assert_string_equal(copy, "");
    memory_free(copy);
    assert_null(memory_copy_text(NULL));
}

/* The sanitizer's leak check is what fails when cleanup does not free. */
static void cleanup_frees_any_pointer_type(void **state)
{
    (void)state;
    cleanup_memory char *text = memory_copy_text("left to the scope");
    cleanup_memory void *bytes = memory_new(1, 10);
    cleanup_memory int *numbers = memory_new(10, sizeof(int));
    cleanup_memory char *nothing = NULL;
    assert_non_null(text);
    assert_non_null(bytes);
    assert_non_null(numbers);
    assert_null(nothing);
}

static void cjson_too_large(void)
{
    cJSON_free(cJSON_malloc(huge));
}

static void cjson_ends_the_process_too_once_adopted(void **state)
{
    (void)state;
    char text[16 * 1024];
    assert_int_equal(run_in_child(cjson_too_large, text, sizeof(text)), 0);
    memory_adopt_libraries();
    assert_int_equal(run_in_child(cjson_too_large, text, sizeof(text)), 1);
    assert_non_null(strstr(text, "adjoint: out of memory\n"));

    cJSON *value = cJSON_Parse("{\"pool\":\"warm\"}");
    assert_non_null(value);
    char *printed = cJSON_PrintUnformatted(value);
    assert_string_equal(printed, "{\"pool\":\"warm\"}");
    cJSON_free(printed);
    cJSON_Delete(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_memory_ends_the_process_with_a_line),
        cmocka_unit_test(new_memory_is_zeroed),
        cmocka_unit_test(nothing_is_still_something),
        cmocka_unit_test(resize_keeps_what_was_there),
        cmocka_unit_test(copy_text_copies),
        cmocka_unit_test(cleanup_frees_any_pointer_type),
        cmocka_unit_test(cjson_ends_the_process_too_once_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
