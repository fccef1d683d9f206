/* SPDX-License-Identifier: Apache-2.0 */
/* main for a fuzz target without libFuzzer, for compilers that have none and for a debugger: each
   file named is one input. */
#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count);

enum { INPUT_BYTES_MAX = 16 * 1024 * 1024 };

int main(int argument_count, char **arguments)
{
    cleanup_memory unsigned char *bytes = memory_new(INPUT_BYTES_MAX, 1);
    for (int i = 1; i < argument_count; i++) {
        FILE *file = fopen(arguments[i], "rb");
        if (file == NULL) {
            perror(arguments[i]);
            return EXIT_FAILURE;
        }
        size_t byte_count = fread(bytes, 1, INPUT_BYTES_MAX, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, byte_count);
    }
    printf("%d inputs\n", argument_count - 1);
    return EXIT_SUCCESS;
}
