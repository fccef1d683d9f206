/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a client gives back: a token that is taken is one that the server could have given. */
#include "sim/continue_token.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *given = fuzz_input_text(&input);
    cleanup_text struct text written;
    text_init(&written, CONTINUE_TOKEN_BYTES_MAX);
    struct continue_token token;
    struct continue_token again;
    struct error error;
    if (continue_token_parse(given, &token, &error)) {
        continue_token_append(&written, &token);
        fuzz_require(continue_token_parse(written.bytes, &again, &error) &&
                         again.revision == token.revision && text_equal(again.name, token.name) &&
                         text_equal(again.namespace, token.namespace),
                     "a token reads back the same");
    }
    return 0;
}
