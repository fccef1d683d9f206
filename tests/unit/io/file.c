/* SPDX-License-Identifier: Apache-2.0 */
#include "io/file.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/adjoint-test-file-XXXXXX";

static void write_file(const char *bytes, size_t byte_count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, byte_count, file), byte_count);
    assert_int_equal(fclose(file), 0);
}

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void gives_all_bytes_with_a_nul_behind(void **state)
{
    (void)state;
    char written[10000];
    for (size_t i = 0; i < sizeof(written); i++) {
        written[i] = (char)(i % 251);
    }
    write_file(written, sizeof(written));

    struct error error;
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    assert_true(file_read(path, sizeof(written), &bytes, &byte_count, &error));
    assert_int_equal(byte_count, sizeof(written));
    assert_memory_equal(bytes, written, sizeof(written));
    assert_int_equal(bytes[byte_count], '\0');
}

static void an_empty_file_is_an_empty_text(void **state)
{
    (void)state;
    write_file("", 0);
    struct error error;
    cleanup_memory char *bytes = NULL;
    assert_true(file_read(path, 10, &bytes, NULL, &error));
    assert_string_equal(bytes, "");
}

static void one_byte_over_the_limit_is_refused(void **state)
{
    (void)state;
    write_file("12345", 5);
    struct error error;
    char *bytes = NULL;
    assert_false(file_read(path, 4, &bytes, NULL, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_non_null(strstr(error.message, path));
    assert_null(bytes);
}

static void a_missing_file_and_a_folder_are_named(void **state)
{
    (void)state;
    struct error error;
    char *bytes = NULL;
    assert_false(file_read("/nonexistent/token", 10, &bytes, NULL, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
    assert_string_equal(error.message, "/nonexistent/token: No such file or directory");
    assert_false(file_read("/", 10, &bytes, NULL, &error));
    assert_string_equal(error.message, "/: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_all_bytes_with_a_nul_behind),
        cmocka_unit_test(an_empty_file_is_an_empty_text),
        cmocka_unit_test(one_byte_over_the_limit_is_refused),
        cmocka_unit_test(a_missing_file_and_a_folder_are_named),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
