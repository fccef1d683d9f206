/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the JSON: what the simulator reads, it prints as something that reads back the same, and
   the operator's scanner takes that, too. */
#include "sim/value.h"

#include "base/json_scan.h"
#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

static bool take_object(void *self, const char *text, size_t byte_count, struct error *error)
{
    (void)self;
    (void)text;
    (void)byte_count;
    (void)error;
    return true;
}

static void require_scans(const cJSON *value)
{
    cleanup_memory char *text = value_print(value);
    struct json_scan *scan =
        json_scan_new(JSON_SCAN_PLAIN, NULL, FUZZ_TEXT_BYTES_MAX, take_object, NULL);
    struct error error;
    fuzz_require(json_scan_feed(scan, text, strlen(text), &error) && json_scan_end(scan, &error),
                 "the operator's scanner takes it");
    json_scan_free(scan);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cJSON *value = fuzz_input_value(&input);
    if (value != NULL) {
        fuzz_require_prints(value);
    }
    if (cJSON_IsObject(value)) {
        require_scans(value);
    }
    cJSON_Delete(value);
    return 0;
}
