/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the path of a column and the object behind it: what it leads to is a part of the
   object, and one more step from there is a step of its own. */
#include "sim/schema_json_path.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the value, which has a limit */
static bool is_part(const cJSON *whole, const cJSON *part)
{
    const cJSON *child = NULL;
    cJSON_ArrayForEach(child, whole)
    {
        if (is_part(child, part)) {
            return true;
        }
    }
    return whole == part;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *path = fuzz_input_text(&input);
    cJSON *value = fuzz_input_value(&input);
    struct error error;
    if (value != NULL && json_path_check(path, &error)) {
        const cJSON *found = json_path_first(value, path);
        fuzz_require(found == NULL || is_part(value, found), "a path stays inside");
    }
    cJSON_Delete(value);
    return 0;
}
