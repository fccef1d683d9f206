/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fuzz_input.h"

#include "base/json_merge.h"
#include "base/memory.h"
#include "sim/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned fuzz_input_byte(struct fuzz_input *input)
{
    if (input->byte_count == 0) {
        return 0;
    }
    input->byte_count--;
    return *input->bytes++;
}

char *fuzz_input_text(struct fuzz_input *input)
{
    size_t length = strnlen((const char *)input->bytes, input->byte_count);
    char *text = memory_new(length + 1, 1);
    if (length > 0) {
        (void)memcpy(text, input->bytes, length);
    }
    size_t taken = length < input->byte_count ? length + 1 : length;
    input->bytes += taken;
    input->byte_count -= taken;
    return text;
}

cJSON *fuzz_input_value(struct fuzz_input *input)
{
    cleanup_memory char *text = fuzz_input_text(input);
    cJSON *value = NULL;
    struct error error;
    return value_parse(text, &value, &error) ? value : NULL;
}

void fuzz_require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

void fuzz_require_same_json(const char *one, const char *other, const char *what)
{
    cleanup_text struct text left;
    cleanup_text struct text right;
    text_init(&left, FUZZ_TEXT_BYTES_MAX);
    text_init(&right, FUZZ_TEXT_BYTES_MAX);
    struct error error;
    fuzz_require(json_canonical(one, &left, &error) && json_canonical(other, &right, &error) &&
                     text_equal(left.bytes, right.bytes),
                 what);
}

void fuzz_require_prints(const cJSON *value)
{
    cleanup_memory char *text = value_print(value);
    cJSON *again = NULL;
    struct error error;
    fuzz_require(value_parse(text, &again, &error), "what is printed can be read");
    fuzz_require(value_equal(value, again), "what is printed reads back the same");
    cJSON_Delete(again);
}
