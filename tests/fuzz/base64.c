/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the text: bytes that were read are written as base64 that reads as those bytes. */
#include "base/base64.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *text = fuzz_input_text(&input);
    cleanup_text struct text written;
    text_init(&written, FUZZ_TEXT_BYTES_MAX);
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *read = NULL;
    char *again = NULL;
    size_t read_count = 0;
    size_t again_count = 0;
    struct error error;
    if (base64_decode(text, &arena, &read, &read_count, &error)) {
        base64_append(&written, read, read_count);
        fuzz_require(base64_decode(written.bytes, &arena, &again, &again_count, &error) &&
                         again_count == read_count && memcmp(read, again, read_count) == 0,
                     "base64 reads back the same");
    } else {
        fuzz_require(error.message[0] != '\0', "a refusal says why");
    }
    return 0;
}
