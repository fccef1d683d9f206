/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the document and the strategic merge patch, of a kind with lists that are merged: what
   comes out is JSON. */
#include "sim/patch_strategic.h"

#include "support/fuzz_input.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    static const struct resource *const resources[] = {&resource_pods, &resource_services,
                                                       &resource_persistent_volumes};
    struct fuzz_input input = {bytes, byte_count};
    cJSON *document = fuzz_input_value(&input);
    cJSON *patch = fuzz_input_value(&input);
    struct error error;
    const struct resource *resource = resources[fuzz_input_byte(&input) % 3];
    if (cJSON_IsObject(document) && patch != NULL &&
        patch_strategic_apply(document, resource, patch, &error)) {
        fuzz_require_prints(document);
    }
    cJSON_Delete(document);
    cJSON_Delete(patch);
    return 0;
}
