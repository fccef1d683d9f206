/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target is given, taken apart, and how it says that something does not hold. Without
   cmocka: an exit or a long jump would hide the finding from libFuzzer. */
#ifndef ADJOINT_TESTS_SUPPORT_FUZZ_INPUT_H
#define ADJOINT_TESTS_SUPPORT_FUZZ_INPUT_H

#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* The entry that each target defines, for libFuzzer and for standalone.c. Gives 0. */
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count);

enum { FUZZ_TEXT_BYTES_MAX = 16 * 1024 * 1024 };

struct fuzz_input {
    const unsigned char *bytes;
    size_t byte_count; /* that are left */
};

/* 0 when nothing is left. */
unsigned fuzz_input_byte(struct fuzz_input *input);
/* What comes before the next NUL, or all that is left; "" when nothing is. In memory of just its
   size, so that the sanitizer sees a read behind it. The caller's (memory_free). */
char *fuzz_input_text(struct fuzz_input *input);
/* The next text as a tree of the simulator's, the caller's (cJSON_Delete); NULL: it is none. */
cJSON *fuzz_input_value(struct fuzz_input *input);

/* Ends the process, saying what was to hold. */
void fuzz_require(bool holds, const char *what);
/* Both are JSON, and say the same. */
void fuzz_require_same_json(const char *one, const char *other, const char *what);
/* It prints, and reads back as what it was. */
void fuzz_require_prints(const cJSON *value);

#endif
