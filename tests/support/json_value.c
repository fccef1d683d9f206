/* SPDX-License-Identifier: Apache-2.0 */
#include "support/json_value.h"

#include "base/memory.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char *with_quotes(const char *json)
{
    char *copy = memory_copy_text(json);
    for (char *at = copy; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    return copy;
}

cJSON *json_value(const char *json)
{
    char *text cleanup_memory = with_quotes(json);
    cJSON *value = NULL;
    struct error error;
    if (!value_parse(text, &value, &error)) {
        fail_msg("%s: %s", json, error.message);
    }
    return value;
}

void assert_json_value_take(cJSON *value, const char *expected)
{
    char *text cleanup_memory = with_quotes(expected);
    char *printed cleanup_memory = value_print(value);
    cJSON_Delete(value);
    assert_string_equal(printed, text);
}
