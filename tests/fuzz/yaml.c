/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the YAML: what comes out is JSON, which is YAML that says the same, and so is what is
   printed for people. */
#include "io/yaml.h"

#include "base/memory.h"
#include "io/yaml_print.h"
#include "support/fuzz_input.h"

#include <string.h>

/* Aliases make megabytes of a line; that once is time enough spent on them. */
enum { LOOKED_AT_BYTES_MAX = 64 * 1024 };

/* One document alone. */
static bool keep_text(void *self, const char *json, struct error *error)
{
    (void)error;
    struct text *text = self;
    fuzz_require(text->length_bytes == 0, "one document stays one");
    text_append(text, json);
    return true;
}

static void require_reads_as(const char *yaml, const char *json, const char *what)
{
    cleanup_text struct text read;
    text_init(&read, FUZZ_TEXT_BYTES_MAX);
    struct error error;
    fuzz_require(yaml_to_json(yaml, strlen(yaml), keep_text, &read, &error), what);
    fuzz_require_same_json(read.bytes, json, what);
}

static bool take_document(void *self, const char *json, struct error *error)
{
    (void)self;
    if (strlen(json) > LOOKED_AT_BYTES_MAX) {
        return true;
    }
    cleanup_text struct text printed;
    text_init(&printed, FUZZ_TEXT_BYTES_MAX);
    require_reads_as(json, json, "JSON is YAML");
    fuzz_require(yaml_print(json, &printed, error), "what was read can be printed");
    require_reads_as(printed.bytes, json, "what is printed reads back the same");
    return true;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct error error = {0};
    bool read = yaml_to_json((const char *)bytes, byte_count, take_document, NULL, &error);
    fuzz_require(read || error.message[0] != '\0', "a refusal says why");
    return 0;
}
