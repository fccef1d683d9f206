/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a version of a CustomResourceDefinition and an object of it: what was pruned has nothing
   unknown, what was defaulted keeps its defaults, and what is valid is valid as its own successor,
   but for rules that compare the two. */
#include "sim/schema.h"

#include "base/memory.h"
#include "sim/schema_columns.h"
#include "sim/value.h"
#include "support/fuzz_input.h"

static void require_pruned(const struct schema *schema, cJSON *value)
{
    cleanup_text struct text unknown;
    text_init(&unknown, FUZZ_TEXT_BYTES_MAX);
    schema_prune(schema, value, NULL);
    schema_prune(schema, value, &unknown);
    fuzz_require(unknown.length_bytes == 0, "what was pruned has nothing unknown");
}

static void require_defaulted(const struct schema *schema, cJSON *value)
{
    schema_default(schema, value);
    cJSON *once = cJSON_Duplicate(value, true);
    schema_default(schema, value);
    fuzz_require(value_equal(once, value), "what was defaulted keeps its defaults");
    cJSON_Delete(once);
}

static void print_cells(const struct schema *schema, const cJSON *value)
{
    const struct columns *columns = schema_columns(schema);
    for (size_t i = 0; columns != NULL && i < columns->count; i++) {
        cJSON_Delete(column_cell(&columns->items[i], value, INT64_C(1782907200000)));
    }
}

static void play(const struct schema *schema, cJSON *value)
{
    cleanup_violations struct violations violations;
    violations_init(&violations);
    require_pruned(schema, value);
    require_defaulted(schema, value);
    schema_validate(schema, value, NULL, &violations);
    cleanup_text struct text said;
    text_init(&said, FUZZ_TEXT_BYTES_MAX);
    violations_say(&violations, &said);
    fuzz_require(violations_none(&violations) == (said.length_bytes == 0), "a refusal says why");
    schema_validate(schema, value, value, &violations);
    print_cells(schema, value);
    fuzz_require_prints(value);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cJSON *version = fuzz_input_value(&input);
    cJSON *value = fuzz_input_value(&input);
    cleanup_violations struct violations violations;
    violations_init(&violations);
    struct schema *schema =
        cJSON_IsObject(version) ? schema_new(version, "version", &violations) : NULL;
    if (cJSON_IsObject(version)) {
        fuzz_require((schema != NULL) == violations_none(&violations), "a refusal says why");
    }
    if (schema != NULL && cJSON_IsObject(value)) {
        play(schema, value);
    }
    schema_free(schema);
    cJSON_Delete(version);
    cJSON_Delete(value);
    return 0;
}
