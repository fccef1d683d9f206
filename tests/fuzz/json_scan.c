/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the bytes and however they are cut: the scanner gives the same objects and the same end,
   and cJSON reads every object it gives. The first three bytes choose shape, maximum and seed. */
#include "base/json_scan.h"

#include "base/json.h"
#include "support/fuzz_input.h"
#include "support/scan_outcome.h"

#include <string.h>

enum { CHOICE_BYTES = 3 };

static const char *const skip[] = {"a.b", "*.c", "metadata.x", "items.y.z", NULL};
static const char *const raw[] = {"d", "a.e", "s.*", NULL};
static const struct json_scan_filter filter = {.skip = skip, .raw = raw};

static void require_parsable(const char *outcome)
{
    for (const char *line = outcome; *line == '{';) {
        const char *end = strchr(line, '\n');
        cleanup_json struct json_document *document = NULL;
        struct error error;
        fuzz_require(json_parse(line, (size_t)(end - line), &document, &error),
                     "cJSON reads what the scanner gives");
        fuzz_require(json_is_object(json_root(document)), "the scanner gives objects");
        line = end + 1;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    if (byte_count < CHOICE_BYTES) {
        return 0;
    }
    struct scan_input input = {
        .shape = (enum json_scan_shape)(bytes[0] % 3),
        .filter = &filter,
        .object_bytes_max = bytes[1] == 0 ? FUZZ_TEXT_BYTES_MAX / 2 : bytes[1],
        .body = (const char *)bytes + CHOICE_BYTES,
        .byte_count = byte_count - CHOICE_BYTES,
    };
    cleanup_text struct text whole;
    cleanup_text struct text cut;
    text_init(&whole, FUZZ_TEXT_BYTES_MAX);
    text_init(&cut, FUZZ_TEXT_BYTES_MAX);

    scan_outcome(&input, 0, 0, &whole);
    scan_outcome(&input, 1, 0, &cut);
    fuzz_require(text_equal(whole.bytes, cut.bytes), "it does not matter how it is cut");
    text_clear(&cut);
    scan_outcome(&input, 16, bytes[2], &cut);
    fuzz_require(text_equal(whole.bytes, cut.bytes), "it does not matter how it is cut");

    require_parsable(whole.bytes);
    return 0;
}
