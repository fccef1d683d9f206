/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the document and the JSON patch: what comes out is JSON, and `test` of what is there
   holds. */
#include "sim/patch_json.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

static void require_member_tests(cJSON *document, const cJSON *member)
{
    cleanup_text struct text path;
    text_init(&path, FUZZ_TEXT_BYTES_MAX);
    text_append_char(&path, '/');
    for (const char *at = member->string; *at != '\0'; at++) {
        text_append(&path, *at == '~' ? "~0" : *at == '/' ? "~1" : (char[]){*at, '\0'});
    }
    cJSON *patch = cJSON_CreateArray();
    cJSON *operation = cJSON_CreateObject();
    cJSON_AddItemToArray(patch, operation);
    cJSON_AddStringToObject(operation, "op", "test");
    cJSON_AddStringToObject(operation, "path", path.bytes);
    cJSON_AddItemToObject(operation, "value", cJSON_Duplicate(member, true));
    struct error error;
    fuzz_require(patch_json_apply(document, patch, &error), "a test of what is there holds");
    cJSON_Delete(patch);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cJSON *document = fuzz_input_value(&input);
    cJSON *patch = fuzz_input_value(&input);
    struct error error;
    if (cJSON_IsObject(document) && patch != NULL && patch_json_apply(document, patch, &error)) {
        fuzz_require_prints(document);
        const cJSON *member = NULL;
        cJSON_ArrayForEach(member, document)
        {
            require_member_tests(document, member);
        }
    }
    cJSON_Delete(document);
    cJSON_Delete(patch);
    return 0;
}
