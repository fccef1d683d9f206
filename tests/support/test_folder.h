/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of its own for one test, with files that are written, swapped and lost. What cannot be
   done fails the test. */
#ifndef ADJOINT_SUPPORT_TEST_FOLDER_H
#define ADJOINT_SUPPORT_TEST_FOLDER_H

#include "base/arena.h"

#include <stddef.h>

struct test_folder {
    struct arena arena;
    char *path;
};

void test_folder_init(struct test_folder *folder);
void test_folder_release(struct test_folder *folder); /* with all that is in it */

/* Lives as long as the folder. */
const char *test_folder_path(struct test_folder *folder, const char *name);

/* In place, as a careless writer does. name may have one folder in front, which is made. */
void test_folder_write(struct test_folder *folder, const char *name, const char *text);
void test_folder_write_script(struct test_folder *folder, const char *name, const char *text);
/* Points the name somewhere else in one instant, as kubelet does with ..data. */
void test_folder_link(struct test_folder *folder, const char *name, const char *target);
/* A file, or a folder with what is in it; not being there is fine. */
void test_folder_remove(struct test_folder *folder, const char *name);

/* "" when it is not there. Lives as long as the folder. */
const char *test_folder_read(struct test_folder *folder, const char *name);
size_t test_folder_count_lines(struct test_folder *folder, const char *name);

#endif
