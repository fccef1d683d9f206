/* SPDX-License-Identifier: Apache-2.0 */
/* Below $TMPDIR or /tmp; mkdtemp's name keeps runs apart. */
#include "support/test_folder.h"

#include "base/limits.h"
#include "base/memory.h"
#include "io/file.h"

#include <errno.h>
#include <fts.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { FOLDER_MODE = 0700, SCRIPT_MODE = 0700 };

void test_folder_init(struct test_folder *folder)
{
    arena_init(&folder->arena, 0);
    const char *parent = getenv("TMPDIR");
    folder->path =
        arena_print(&folder->arena, "%s/adjoint-test-XXXXXX", parent == NULL ? "/tmp" : parent);
    assert_non_null(mkdtemp(folder->path));
}

static void remove_path(const char *path)
{
    cleanup_memory char *root = memory_copy_text(path);
    char *const roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    assert_non_null(tree);
    for (FTSENT *at = fts_read(tree); at != NULL; at = fts_read(tree)) {
        bool comes_again = at->fts_info == FTS_D; /* when it is empty */
        if (!comes_again && remove(at->fts_path) != 0) {
            assert_int_equal(errno, ENOENT);
        }
    }
    fts_close(tree);
}

void test_folder_release(struct test_folder *folder)
{
    remove_path(folder->path);
    arena_release(&folder->arena);
}

const char *test_folder_path(struct test_folder *folder, const char *name)
{
    return arena_print(&folder->arena, "%s/%s", folder->path, name);
}

static void make_parent(struct test_folder *folder, const char *name)
{
    const char *slash = strchr(name, '/');
    if (slash != NULL) {
        const char *parent = arena_copy_bytes(&folder->arena, name, (size_t)(slash - name));
        assert_true(mkdir(test_folder_path(folder, parent), FOLDER_MODE) == 0 || errno == EEXIST);
    }
}

void test_folder_write(struct test_folder *folder, const char *name, const char *text)
{
    make_parent(folder, name);
    FILE *file = fopen(test_folder_path(folder, name), "we");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

void test_folder_write_script(struct test_folder *folder, const char *name, const char *text)
{
    test_folder_write(folder, name, text);
    assert_int_equal(chmod(test_folder_path(folder, name), SCRIPT_MODE), 0);
}

void test_folder_link(struct test_folder *folder, const char *name, const char *target)
{
    make_parent(folder, name);
    const char *path = test_folder_path(folder, name);
    const char *next = arena_print(&folder->arena, "%s.next", path);
    assert_int_equal(symlink(target, next), 0);
    assert_int_equal(rename(next, path), 0);
}

void test_folder_remove(struct test_folder *folder, const char *name)
{
    remove_path(test_folder_path(folder, name));
}

const char *test_folder_read(struct test_folder *folder, const char *name)
{
    cleanup_memory char *bytes = NULL;
    struct error error;
    if (!file_read(test_folder_path(folder, name), LIMIT_FILE_BYTES, &bytes, NULL, &error)) {
        return "";
    }
    return arena_copy(&folder->arena, bytes);
}

size_t test_folder_count_lines(struct test_folder *folder, const char *name)
{
    size_t count = 0;
    for (const char *at = test_folder_read(folder, name); *at != '\0'; at++) {
        count += *at == '\n';
    }
    return count;
}
