/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/continue_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_token_comes_back_as_it_was(void **state)
{
    (void)state;
    static const struct continue_token tokens[] = {
        {1, "dev", "a"}, {0, "", "volume.with-dots"}, {INT64_MAX, "", ""}};
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        cleanup_text struct text text;
        text_init(&text, 4096);
        continue_token_append(&text, &tokens[i]);
        struct continue_token token;
        struct error error;
        assert_true(continue_token_parse(text.bytes, &token, &error));
        assert_int_equal(token.revision, tokens[i].revision);
        assert_string_equal(token.namespace, tokens[i].namespace);
        assert_string_equal(token.name, tokens[i].name);
    }
}

static void the_longest_names_fit(void **state)
{
    (void)state;
    struct continue_token token = {.revision = UINT64_MAX / 2};
    memset(token.namespace, 'n', CONTINUE_NAME_BYTES - 1);
    memset(token.name, 'm', CONTINUE_NAME_BYTES - 1);
    cleanup_text struct text text;
    text_init(&text, 4096);
    continue_token_append(&text, &token);
    struct continue_token back;
    struct error error;
    assert_true(continue_token_parse(text.bytes, &back, &error));
    assert_string_equal(back.namespace, token.namespace);
    assert_string_equal(back.name, token.name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_comes_back_as_it_was),
        cmocka_unit_test(the_longest_names_fit),
    };
    return cmocka_run_group_tests_name("sim/continue_token", tests, NULL, NULL);
}
