/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *nearest_of(const char *typed)
{
    static const char *const words[] = {"clone", "list",  "get",  "why",     "delete",
                                        "adopt", "pools", "plan", "version", "namespace"};
    struct nearest nearest;
    nearest_init(&nearest, typed);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        nearest_offer(&nearest, words[i]);
    }
    return nearest.word;
}

static void slips_find_their_word(void **state)
{
    (void)state;
    assert_string_equal(nearest_of("lsit"), "list");  /* swapped */
    assert_string_equal(nearest_of("lit"), "list");   /* left out */
    assert_string_equal(nearest_of("lisst"), "list"); /* inserted */
    assert_string_equal(nearest_of("lidt"), "list");  /* replaced */
    assert_string_equal(nearest_of("dlete"), "delete");
    assert_string_equal(nearest_of("nmaepsace"), "namespace"); /* two slips in a long word */
    assert_string_equal(nearest_of("del"), "delete");          /* begun */
    assert_string_equal(nearest_of("pool"), "pools");
}

static void another_word_finds_nothing(void **state)
{
    (void)state;
    assert_null(nearest_of("create"));
    assert_null(nearest_of("x"));
    assert_null(nearest_of(""));
    assert_null(nearest_of("a-word-that-is-far-longer-than-any-command-has-ever-been"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_find_their_word),
        cmocka_unit_test(another_word_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
