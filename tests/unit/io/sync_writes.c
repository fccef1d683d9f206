/* SPDX-License-Identifier: Apache-2.0 */
#include "io/sync_writes.h"

#include "support/test_folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void each_write_is_timed_and_nothing_is_left(void **state)
{
    (void)state;
    struct test_folder folder;
    struct error error;
    int64_t us[5] = {-1, -1, -1, -1, -1};
    test_folder_init(&folder);
    assert_true(sync_writes_time(folder.path, 4, 1500, us, &error));
    for (int i = 0; i < 4; i++) {
        assert_true(us[i] >= 0);
    }
    assert_int_equal(us[4], -1);
    int count = 0;
    DIR *open_folder = opendir(folder.path);
    assert_non_null(open_folder);
    while (readdir(open_folder) != NULL) {
        count++;
    }
    closedir(open_folder);
    assert_int_equal(count, 2); /* . and .. */
    test_folder_release(&folder);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct error error;
    int64_t us = 0;
    assert_false(sync_writes_time("/nowhere", 1, 1500, &us, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
    assert_string_equal(error.message, "/nowhere: No such file or directory");
}

static void a_folder_that_takes_no_file_is_told(void **state)
{
    (void)state;
    struct error error;
    int64_t us = 0;
    assert_false(sync_writes_time("/proc", 1, 1500, &us, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_write_is_timed_and_nothing_is_left),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),
        cmocka_unit_test(a_folder_that_takes_no_file_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
