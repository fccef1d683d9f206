/* SPDX-License-Identifier: Apache-2.0 */
/* Two merge patches, the operator's on text and the simulator's on trees, written apart: they do
   the same, but where an array holds nulls (the server drops members that are null there, RFC 7386
   does not). */
#include "sim/patch_merge.h"

#include "base/json_merge.h"
#include "base/memory.h"
#include "sim/value.h"
#include "support/fuzz_input.h"

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the value, which has a limit */
static bool has_null_in_array(const cJSON *value, bool in_array)
{
    const cJSON *child = NULL;
    cJSON_ArrayForEach(child, value)
    {
        if ((in_array && cJSON_IsNull(child)) ||
            has_null_in_array(child, in_array || cJSON_IsArray(value))) {
            return true;
        }
    }
    return false;
}

static void require_same(const cJSON *document, const char *target, const char *patch)
{
    cleanup_text struct text merged;
    text_init(&merged, FUZZ_TEXT_BYTES_MAX);
    cJSON *value = NULL;
    struct error error;
    if (json_merge(target, patch, &merged, &error)) { /* it takes fewer levels */
        fuzz_require(value_parse(merged.bytes, &value, &error), "what is merged is JSON");
        fuzz_require(value_equal(value, document), "both merge alike");
        cJSON_Delete(value);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *target = fuzz_input_text(&input);
    cleanup_memory char *patch = fuzz_input_text(&input);
    cJSON *document = NULL;
    cJSON *change = NULL;
    struct error error;
    if (value_parse(target, &document, &error) && value_parse(patch, &change, &error) &&
        cJSON_IsObject(document) && patch_merge_apply(document, change, &error)) {
        fuzz_require_prints(document);
        if (!has_null_in_array(change, false)) {
            require_same(document, target, patch);
        }
    }
    cJSON_Delete(document);
    cJSON_Delete(change);
    return 0;
}
