/* SPDX-License-Identifier: Apache-2.0 */
/* What tar itself makes of it. */
#include "io/archive.h"

#include "support/test_folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { BYTES_MAX = 16 * 1024 };

static void read_command(const char *command, char out[BYTES_MAX])
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t byte_count = fread(out, 1, BYTES_MAX - 1, pipe);
    out[byte_count] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

static void tar_reads_it(void **state)
{
    struct test_folder folder;
    struct archive *archive = NULL;
    struct error error;
    struct stat status;
    char command[512], out[BYTES_MAX], block[512], name[100 + 1];
    (void)state;
    test_folder_init(&folder);
    const char *path = test_folder_path(&folder, "a.tar.gz");
    memset(block, 'x', sizeof(block));
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_true(archive_create(path, &archive, &error));
    archive_add(archive, "f/one", "1\n", 2, INT64_C(1782907200000));
    archive_add(archive, "f/empty", "", 0, INT64_C(1782907200000));
    archive_add(archive, "f/block", block, sizeof(block), INT64_C(1782907200000));
    archive_add(archive, name, "long\n", 5, 0);
    assert_true(archive_close(archive, &error));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    snprintf(command, sizeof(command), "TZ=UTC tar tvzf %s", path);
    read_command(command, out);
    assert_non_null(strstr(out, "-rw-r--r-- 0/0               2 2026-07-01 12:00 f/one\n"));
    assert_non_null(strstr(out, "-rw-r--r-- 0/0               0 2026-07-01 12:00 f/empty\n"));
    assert_non_null(strstr(out, name));
    snprintf(command, sizeof(command), "tar xzOf %s f/one f/block %s", path, name);
    read_command(command, out);
    assert_int_equal(strlen(out), 2 + 512 + 5);
    assert_non_null(strstr(out, "long\n"));
    test_folder_release(&folder);
}

static void what_is_there_is_left_alone(void **state)
{
    struct test_folder folder;
    struct archive *archive = NULL;
    struct error error;
    (void)state;
    test_folder_init(&folder);
    test_folder_write(&folder, "there", "mine");
    assert_false(archive_create(test_folder_path(&folder, "there"), &archive, &error));
    assert_int_equal(error.class, ERROR_EXISTS);
    assert_string_equal(test_folder_read(&folder, "there"), "mine");
    assert_false(archive_create(test_folder_path(&folder, "no/folder"), &archive, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "No such file or directory"));
    test_folder_release(&folder);
}

static void what_cannot_be_written_is_an_error(void **state)
{
    struct archive *archive = NULL;
    struct error error;
    struct test_folder folder;
    struct rlimit limit;
    static char noise[1024 * 1024];
    (void)state;
    test_folder_init(&folder);
    const char *path = test_folder_path(&folder, "a.tar.gz");
    uint32_t last = 1;
    for (size_t i = 0; i < sizeof(noise); i++) {
        last = last * 1664525U + 1013904223U;
        noise[i] = (char)(last >> 24);
    }
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    struct rlimit small = {.rlim_cur = 64 * 1024, .rlim_max = limit.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_true(archive_create(path, &archive, &error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    archive_add(archive, "noise", noise, sizeof(noise), 0);
    bool closed = archive_close(archive, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(closed);
    assert_int_equal(error.class, ERROR_SYSTEM);
    assert_string_equal(test_folder_read(&folder, "a.tar.gz"), "");
    test_folder_release(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tar_reads_it),
        cmocka_unit_test(what_is_there_is_left_alone),
        cmocka_unit_test(what_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
