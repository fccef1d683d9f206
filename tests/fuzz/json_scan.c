/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the bytes and however they are cut: the scanner gives the same objects and the same end,
   and cJSON reads every object it gives. The first three bytes choose shape, maximum and seed. */
#include "base/json_scan.h"
#include "base/json.h"
#include "base/text.h"

#include "support/scan_outcome.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count);

enum { CHOICE_BYTES = 3, OUTCOME_BYTES_MAX = 16 * 1024 * 1024 };

static const char *const skip[] = {"a.b", "*.c", "metadata.x", "items.y.z", NULL};
static const char *const raw[] = {"d", "a.e", "s.*", NULL};
static const struct json_scan_filter filter = {.skip = skip, .raw = raw};

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void require_parsable(const char *outcome)
{
    for (const char *line = outcome; *line == '{';) {
        const char *end = strchr(line, '\n');
        cleanup_json struct json_document *document = NULL;
        struct error error;
        require(json_parse(line, (size_t)(end - line), &document, &error));
        require(json_is_object(json_root(document)));
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
        .object_bytes_max = bytes[1] == 0 ? OUTCOME_BYTES_MAX / 2 : bytes[1],
        .body = (const char *)bytes + CHOICE_BYTES,
        .byte_count = byte_count - CHOICE_BYTES,
    };
    cleanup_text struct text whole;
    cleanup_text struct text cut;
    text_init(&whole, OUTCOME_BYTES_MAX);
    text_init(&cut, OUTCOME_BYTES_MAX);

    scan_outcome(&input, 0, 0, &whole);
    scan_outcome(&input, 1, 0, &cut);
    require(text_equal(whole.bytes, cut.bytes));
    text_clear(&cut);
    scan_outcome(&input, 16, bytes[2], &cut);
    require(text_equal(whole.bytes, cut.bytes));

    require_parsable(whole.bytes);
    return 0;
}
