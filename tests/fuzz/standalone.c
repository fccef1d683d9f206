/* SPDX-License-Identifier: Apache-2.0 */
/* main for a fuzz target without libFuzzer, for compilers that have none and for a debugger: each
   file named is one input. */
#include "base/limits.h"
#include "base/memory.h"
#include "io/file.h"
#include "support/fuzz_input.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argument_count, char **arguments)
{
    for (int i = 1; i < argument_count; i++) {
        cleanup_memory char *bytes = NULL;
        size_t byte_count = 0;
        struct error error;
        if (!file_read(arguments[i], LIMIT_FILE_BYTES, &bytes, &byte_count, &error)) {
            (void)fprintf(stderr, "%s\n", error.message);
            return EXIT_FAILURE;
        }
        (void)printf("Running: %s\n", arguments[i]);
        (void)fflush(stdout); /* the last line names the input that ends the process */
        (void)LLVMFuzzerTestOneInput((const unsigned char *)bytes, byte_count);
    }
    return EXIT_SUCCESS;
}
