/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/bearer_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void takes_what_can_be_sent(void **state)
{
    (void)state;
    assert_null(bearer_token_problem("a"));
    assert_null(bearer_token_problem("k8s-aws-v1.aHR0cHM6Ly9zdHMu_-~+/=="));
    assert_null(bearer_token_problem("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrIn0.c2lnbmF0dXJl"));
}

static void refuses_what_would_break_the_header(void **state)
{
    (void)state;
    assert_string_equal(bearer_token_problem(""), "is empty");
    const char *const wrong[] = {"a b", "a\nb",  "a\r\nX-Remote-User: root",
                                 "a\t", "a\x7F", "\xC3\xA9"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        assert_string_equal(bearer_token_problem(wrong[i]), "has a character that no token has");
    }
}

static void sees_a_jwt_that_was_cut(void **state)
{
    (void)state;
    const char *const cut[] = {"eyJ",
                               "eyJhbGciOiJSUzI1NiJ9",
                               "eyJhbGciOiJSUzI1NiJ9.",
                               "eyJhbGciOiJSUzI1NiJ9.eyJpc3M",
                               "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrIn0.",
                               "eyJhbGciOiJSUzI1NiJ9..c2ln"};
    for (size_t i = 0; i < sizeof(cut) / sizeof(*cut); i++) {
        assert_string_equal(bearer_token_problem(cut[i]), "is cut short");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_can_be_sent),
        cmocka_unit_test(refuses_what_would_break_the_header),
        cmocka_unit_test(sees_a_jwt_that_was_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
