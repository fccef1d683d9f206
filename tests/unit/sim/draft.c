/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/draft.h"

#include "base/memory.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_prints(cJSON *value, const char *expected)
{
    char *text = value_print(value);
    assert_string_equal(text, expected);
    memory_free(text);
    cJSON_Delete(value);
}

static void puts_words_into_values_and_names(void **state)
{
    (void)state;
    assert_prints(draft("{'$1':'a $2 and $1 again','n':1}", "key", "word", NULL),
                  "{\"key\":\"a word and key again\",\"n\":1}");
}

static void a_word_never_becomes_json(void **state)
{
    (void)state;
    assert_prints(draft("{'a':['$1']}", "x','y\"$2", NULL), "{\"a\":[\"x','y\\\"$2\"]}");
}

static void another_dollar_is_one(void **state)
{
    (void)state;
    assert_prints(draft("{'$deleteFrom/$1':'$'}", "list", NULL), "{\"$deleteFrom/list\":\"$\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_words_into_values_and_names),
        cmocka_unit_test(a_word_never_becomes_json),
        cmocka_unit_test(another_dollar_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
