/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the two texts: a merge of texts that are JSON is JSON without white space, merging the
   same patch again changes nothing, and a canonical text is its own canonical text. The bytes up
   to the first NUL are the target, those behind it the patch. */
#include "base/json_merge.h"

#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count);

enum { TEXT_BYTES_MAX = 16 * 1024 * 1024 };

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void require_canonical_is_stable(const char *json)
{
    cleanup_text struct text once;
    cleanup_text struct text twice;
    text_init(&once, TEXT_BYTES_MAX);
    text_init(&twice, TEXT_BYTES_MAX);
    struct error error;
    require(json_canonical(json, &once, &error));
    require(json_canonical(once.bytes, &twice, &error));
    require(text_equal(once.bytes, twice.bytes));
}

static void require_equal(const char *one, const char *other)
{
    cleanup_text struct text left;
    cleanup_text struct text right;
    text_init(&left, TEXT_BYTES_MAX);
    text_init(&right, TEXT_BYTES_MAX);
    struct error error;
    require(json_canonical(one, &left, &error));
    require(json_canonical(other, &right, &error));
    require(text_equal(left.bytes, right.bytes));
}

static void require_extract_is_json(const char *json)
{
    cleanup_text struct text extracted;
    text_init(&extracted, TEXT_BYTES_MAX);
    struct error error;
    bool found = false;
    require(json_extract(json, "a.b", &extracted, &found, &error));
    if (found) {
        require_canonical_is_stable(extracted.bytes);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    cleanup_text struct text input;
    cleanup_text struct text merged;
    cleanup_text struct text again;
    text_init(&input, TEXT_BYTES_MAX);
    text_init(&merged, TEXT_BYTES_MAX);
    text_init(&again, TEXT_BYTES_MAX);
    text_append_bytes(&input, (const char *)bytes, byte_count);
    const char *target = input.bytes;
    size_t target_byte_count = strlen(target);
    const char *patch = target_byte_count < byte_count ? target + target_byte_count + 1 : NULL;

    struct error error;
    if (!json_merge(target, patch, &merged, &error)) {
        return 0;
    }
    require(json_merge(merged.bytes, patch, &again, &error));
    require_equal(merged.bytes, again.bytes);
    require_canonical_is_stable(merged.bytes);
    require_extract_is_json(merged.bytes);
    return 0;
}
