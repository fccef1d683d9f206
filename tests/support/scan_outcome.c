/* SPDX-License-Identifier: Apache-2.0 */
/* Without cmocka, because fuzz targets use it, too. */
#include "support/scan_outcome.h"

#include "base/memory.h"
#include "base/random.h"

#include <string.h>

enum { FENCED_BYTES_MAX = 64 * 1024 };

static bool note_object(void *self, const char *text, size_t byte_count, struct error *error)
{
    (void)error;
    text_append_bytes(self, text, byte_count);
    text_append_char(self, '\n');
    return true;
}

static bool feed(struct json_scan *scan, const struct scan_input *input, size_t from, size_t size,
                 struct error *error)
{
    if (input->byte_count > FENCED_BYTES_MAX) {
        return json_scan_feed(scan, input->body + from, size, error);
    }
    cleanup_memory char *fenced = memory_resize(NULL, size, 1);
    if (size > 0) {
        memcpy(fenced, input->body + from, size);
    }
    return json_scan_feed(scan, fenced, size, error);
}

void scan_outcome(const struct scan_input *input, size_t chunk_bytes_max, uint64_t seed,
                  struct text *out)
{
    struct random random;
    struct error error;
    struct json_scan *scan =
        json_scan_new(input->shape, input->filter, input->object_bytes_max, note_object, out);
    random_init(&random, seed);
    bool good = true;
    for (size_t at = 0; good && at < input->byte_count;) {
        size_t left = input->byte_count - at;
        size_t size = chunk_bytes_max == 0 ? left : 1 + random_below(&random, chunk_bytes_max);
        size = size < left ? size : left;
        good = feed(scan, input, at, size, &error);
        at += size;
    }
    good = good && json_scan_end(scan, &error);
    if (good && input->shape == JSON_SCAN_LIST) {
        text_print(out, "list %s\n", json_scan_list_metadata(scan));
    }
    if (good) {
        text_append(out, "end");
    } else {
        text_print(out, "%s: %s", error_class_name(error.class), error.message);
    }
    json_scan_free(scan);
}

bool scan_outcomes_agree(const struct scan_input *input, struct text *out)
{
    static const size_t chunk_bytes_max[] = {1, 2, 3, 7, 16, 64, 1000, 16 * 1024};
    scan_outcome(input, 0, 0, out);
    cleanup_text struct text cut;
    text_init(&cut, out->length_bytes_max);
    for (size_t i = 0; i < sizeof(chunk_bytes_max) / sizeof(chunk_bytes_max[0]); i++) {
        text_clear(&cut);
        scan_outcome(input, chunk_bytes_max[i], i, &cut);
        if (!text_equal(cut.bytes, out->bytes)) {
            text_print(out, "\nbut in chunks of up to %zu bytes:\n", chunk_bytes_max[i]);
            text_append(out, cut.bytes);
            return false;
        }
    }
    return true;
}
