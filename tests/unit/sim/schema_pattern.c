/* SPDX-License-Identifier: Apache-2.0 */
/* Where POSIX' regular expressions and RE2's are not the same, RE2 (github.com/google/re2
   wiki/Syntax) is right. */
#include "sim/schema_pattern.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_found(const char *expression, const char *text, bool expected)
{
    struct pattern *pattern = NULL;
    struct error error;
    if (!pattern_new(expression, &pattern, &error)) {
        fail_msg("%s: %s", expression, error.message);
    }
    if (pattern_found(pattern, text) != expected) {
        fail_msg("%s is %sfound in %s", expression, expected ? "not " : "", text);
    }
    pattern_free(pattern);
}

static void assert_refused(const char *expression, const char *part)
{
    struct pattern *pattern = NULL;
    struct error error;
    if (pattern_new(expression, &pattern, &error)) {
        fail_msg("%s is taken", expression);
    }
    if (strstr(error.message, part) == NULL) {
        fail_msg("%s: %s", expression, error.message);
    }
}

static void what_both_have_is_passed_on(void **state)
{
    (void)state;
    assert_found("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-b", true);
    assert_found("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-", false);
    assert_found("b", "abc", true);
    assert_found("^(?:a|bc){2,3}$", "abca", true);
    assert_found("^(a|)$", "", true);
    assert_found("^a{0}b{2,}$", "bbb", true);
    assert_found("}]", "a}]", true);
    assert_found("\xc3\xa9t\xc3\xa9", "l'\xc3\xa9t\xc3\xa9", true);
}

static void escapes_are_rewritten(void **state)
{
    (void)state;
    assert_found("^\\d+\\.\\w\\W\\s\\S\\D$", "10.a- bc", true);
}

static void a_dot_is_not_a_line_break(void **state)
{
    (void)state;
    assert_found("^a.b$", "a b", true);
    assert_found("^a.b$", "a\nb", false);
}

static void a_hyphen_in_brackets_is_one(void **state)
{
    (void)state;
    assert_found("^[a\\-z]+$", "a-z", true);
    assert_found("^[a\\-z]+$", "b", false);
    assert_found("^[+\\-]$", "-", true);
    assert_refused("[!-\\-z]", "this escape in brackets");
    assert_refused("[+\\--a]", "this escape in brackets");
}

static void what_re2_refuses_is_refused(void **state)
{
    (void)state;
    assert_refused("a)", "unexpected )");
    assert_refused("(a", "missing closing )");
    assert_refused("[a", "missing closing ]");
    assert_refused("*a", "missing argument");
    assert_refused("a|*", "missing argument");
    assert_refused("(+a)", "missing argument");
    assert_refused("{2}", "missing argument");
    assert_refused("a{2}{3}", "repeated quantifiers");
    assert_refused("a**", "repeated quantifiers");
    assert_refused("a{3,2}", "no count");
    assert_refused("a{1001}", "invalid repeat count");
    assert_refused("\\", "escape");
}

static void what_would_mean_another_thing_is_refused(void **state)
{
    (void)state;
    assert_refused("a{,5}", "no count"); /* six characters for RE2 */
    assert_refused("a{b}", "no count");
    assert_refused("a{1", "no count");
    assert_refused("^*", "missing argument");
    assert_refused("a+?", "lazy");
    assert_refused("(?i)a", "(?");
    assert_refused("[[:alpha:]]", "'[' in brackets");
    assert_refused("[\\w]", "this escape in brackets"); /* w or a backslash for POSIX */
    assert_refused("[\xc3\xa9]", "ASCII");
    assert_refused("\xc3\xa9+", "ASCII");
    assert_refused("\\bword", "this escape");
}

static void repetitions_have_a_limit_together(void **state)
{
    (void)state;
    assert_found("^((a{10}){10}){10}$", "a", false);
    assert_refused("((a{10}){10}){11}", "invalid repeat count");
    assert_refused("(((a{200}){200}){200}){200}", "invalid repeat count");
    assert_refused("(a{200}b*){200}", "invalid repeat count");
    assert_refused("((a{200})b){200}", "invalid repeat count");
    assert_found("(a{500}|b{500}){1}", "a", false); /* one beside the other */

    cleanup_text struct text large;
    text_init(&large, 100000);
    text_append_char(&large, '(');
    for (int i = 0; i < 2000; i++) {
        text_append_char(&large, 'a');
    }
    text_append(&large, "){1000}");
    assert_refused(large.bytes, "to repeat as often");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_both_have_is_passed_on),
        cmocka_unit_test(escapes_are_rewritten),
        cmocka_unit_test(a_dot_is_not_a_line_break),
        cmocka_unit_test(a_hyphen_in_brackets_is_one),
        cmocka_unit_test(what_re2_refuses_is_refused),
        cmocka_unit_test(what_would_mean_another_thing_is_refused),
        cmocka_unit_test(repetitions_have_a_limit_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
