/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the regular expression: in a group, or as either of two, it finds what it finds alone.
   Behind it come texts to look in. */
#include "sim/schema_pattern.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

static struct pattern *new_pattern(const char *before, const char *expression, const char *after)
{
    cleanup_text struct text source;
    text_init(&source, FUZZ_TEXT_BYTES_MAX);
    text_print(&source, "%s%s%s", before, expression, after);
    struct pattern *pattern = NULL;
    struct error error = {0};
    bool made = pattern_new(source.bytes, &pattern, &error);
    fuzz_require(made || error.message[0] != '\0', "a refusal says why");
    return pattern;
}

static void require_finds(const struct pattern *pattern, const char *text, bool found)
{
    fuzz_require(pattern == NULL || pattern_found(pattern, text) == found,
                 "a group finds what is in it");
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *expression = fuzz_input_text(&input);
    struct pattern *alone = new_pattern("", expression, "");
    if (alone == NULL) {
        return 0;
    }
    struct pattern *group = new_pattern("(?:", expression, ")");
    struct pattern *either = new_pattern("[^\\w\\W]|(", expression, ")");
    do {
        cleanup_memory char *text = fuzz_input_text(&input);
        bool found = pattern_found(alone, text);
        require_finds(group, text, found);
        require_finds(either, text, found);
    } while (input.byte_count > 0);
    pattern_free(alone);
    pattern_free(group);
    pattern_free(either);
    return 0;
}
