/* SPDX-License-Identifier: Apache-2.0 */
/* cJSON prints a number with 15 digits whenever a double that is off by the last bit would print
   the same, so 2^53 and many a fraction come back as another number. Here a number is printed with
   the fewest digits that read back as itself. */
#include "sim/value.h"

#include "base/json_spelling.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 32, DIGITS_MIN = 15, DIGITS_MAX = 17 };

/* Beyond it a whole number is no int64. Kubernetes' own times in nanoseconds are: they are printed
   whole, as the nearest that a double holds. */
#define WHOLE_MAX 9.2e18

static bool reads_back(const char *text, double number)
{
    cJSON *read = cJSON_Parse(text);
    bool same = cJSON_IsNumber(read) && read->valuedouble == number;
    cJSON_Delete(read);
    return same;
}

static void print_number(struct text *out, double number)
{
    char digits[NUMBER_BYTES] = "null";
    if (number >= -WHOLE_MAX && number <= WHOLE_MAX && (double)(int64_t)number == number) {
        text_append_int64(out, (int64_t)number);
        return;
    }
    if (isfinite(number)) {
        int digit_count = DIGITS_MIN;
        do {
            (void)snprintf(digits, sizeof(digits), "%.*g", digit_count, number);
        } while (++digit_count <= DIGITS_MAX && !reads_back(digits, number));
    }
    text_append(out, digits);
}

static void print_string(struct text *out, const char *string)
{
    json_spelling_quote(out, string, strlen(string));
}

static void print_value(struct text *out, const cJSON *value);

/* NOLINTBEGIN(misc-no-recursion): as deep as the tree, which value_parse bounds */
static void print_container(struct text *out, const cJSON *container, const char *brackets)
{
    text_append_char(out, brackets[0]);
    for (const cJSON *at = container->child; at != NULL; at = at->next) {
        if (at != container->child) {
            text_append_char(out, ',');
        }
        if (cJSON_IsObject(container)) {
            print_string(out, at->string);
            text_append_char(out, ':');
        }
        print_value(out, at);
    }
    text_append_char(out, brackets[1]);
}

static void print_value(struct text *out, const cJSON *value)
{
    if (cJSON_IsObject(value)) {
        print_container(out, value, "{}");
    } else if (cJSON_IsArray(value)) {
        print_container(out, value, "[]");
    } else if (cJSON_IsString(value)) {
        print_string(out, value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        print_number(out, value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        text_append(out, cJSON_IsTrue(value) ? "true" : "false");
    } else {
        text_append(out, "null");
    }
}
/* NOLINTEND(misc-no-recursion) */

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

char *value_print(const cJSON *value)
{
    struct text out cleanup_text;
    text_init(&out, TEXT_BYTES_MAX);
    print_value(&out, value);
    return text_take(&out);
}
