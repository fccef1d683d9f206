/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the two texts: a merge of texts that are JSON is JSON without white space, merging the
   same patch again changes nothing, and a canonical text is its own canonical text. The bytes up
   to the first NUL are the target, those behind it the patch; without it there is none. */
#include "base/json_merge.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

static void require_canonical_is_stable(const char *json)
{
    cleanup_text struct text once;
    cleanup_text struct text twice;
    text_init(&once, FUZZ_TEXT_BYTES_MAX);
    text_init(&twice, FUZZ_TEXT_BYTES_MAX);
    struct error error;
    fuzz_require(json_canonical(json, &once, &error), "JSON has a canonical text");
    fuzz_require(json_canonical(once.bytes, &twice, &error), "a canonical text is JSON");
    fuzz_require(text_equal(once.bytes, twice.bytes), "a canonical text is its own");
}

static void require_extract_is_json(const char *json)
{
    cleanup_text struct text extracted;
    text_init(&extracted, FUZZ_TEXT_BYTES_MAX);
    struct error error;
    bool found = false;
    fuzz_require(json_extract(json, "a.b", &extracted, &found, &error), "JSON can be looked into");
    if (found) {
        require_canonical_is_stable(extracted.bytes);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *target = fuzz_input_text(&input);
    cleanup_memory char *patch = input.byte_count > 0 ? fuzz_input_text(&input) : NULL;
    cleanup_text struct text merged;
    cleanup_text struct text again;
    text_init(&merged, FUZZ_TEXT_BYTES_MAX);
    text_init(&again, FUZZ_TEXT_BYTES_MAX);

    struct error error;
    if (!json_merge(target, patch, &merged, &error)) {
        return 0;
    }
    fuzz_require(json_merge(merged.bytes, patch, &again, &error), "what was merged is JSON");
    fuzz_require_same_json(merged.bytes, again.bytes, "merging twice is merging once");
    require_canonical_is_stable(merged.bytes);
    require_extract_is_json(merged.bytes);
    return 0;
}
