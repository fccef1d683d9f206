/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the bytes: they are left alone, or become an object whose text is JSON, but for strings
   that are no UTF-8, which the server's door refuses. */
#include "sim/front_protobuf.h"

#include "base/memory.h"
#include "sim/value.h"
#include "support/fuzz_input.h"

#include <string.h>

static bool is_ascii(const char *text)
{
    while (*text > 0) {
        text++;
    }
    return *text == '\0';
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    cleanup_memory char *json = front_protobuf_to_json((const char *)bytes, byte_count);
    cJSON *value = NULL;
    struct error error;
    if (json != NULL && value_parse(json, &value, &error)) {
        fuzz_require(value_equal_text(value, "v1", "apiVersion", NULL), "it says its version");
        fuzz_require_prints(value);
    } else {
        fuzz_require(json == NULL || !is_ascii(json), "it becomes JSON");
    }
    cJSON_Delete(value);
    return 0;
}
