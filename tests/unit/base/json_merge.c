/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect_merge(const char *target, const char *patch, const char *expected)
{
    cleanup_text struct text merged;
    text_init(&merged, 10 * 1000);
    struct error error;
    if (!json_merge(target, patch, &merged, &error)) {
        fail_msg("%s", error.message);
    }
    assert_string_equal(merged.bytes, expected);
}

/* RFC 7386, appendix A. */
static void merges_as_the_rfc_has_it(void **state)
{
    (void)state;
    expect_merge("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    expect_merge("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}");
    expect_merge("{\"a\":\"b\"}", "{\"a\":null}", "{}");
    expect_merge("{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}");
    expect_merge("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    expect_merge("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}");
    expect_merge("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}",
                 "{\"a\":{\"b\":\"d\"}}");
    expect_merge("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}");
    expect_merge("[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]");
    expect_merge("{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]");
    expect_merge("{\"a\":\"foo\"}", "null", "null");
    expect_merge("{\"a\":\"foo\"}", "\"bar\"", "\"bar\"");
    expect_merge("{\"e\":null}", "{\"a\":1}", "{\"a\":1,\"e\":null}");
    expect_merge("[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}");
    expect_merge("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}");
}

static void takes_null_for_an_empty_object(void **state)
{
    (void)state;
    expect_merge(NULL, NULL, "{}");
    expect_merge(NULL, "{\"a\":{\"b\":null,\"c\":1}}", "{\"a\":{\"c\":1}}");
    expect_merge("{\"a\":1}", NULL, "{\"a\":1}");
}

static void keeps_the_spelling_of_either_side(void **state)
{
    (void)state;
    expect_merge(" { \"n\" : 1.10 , \"s\" : \"\\u0000\\/\", \"i\":9007199254740993 } ",
                 "{\"p\":[ 1e400 , {\"x\":null} ],\"i\":-9223372036854775808}",
                 "{\"i\":-9223372036854775808,\"n\":1.10,\"p\":[1e400,{\"x\":null}],"
                 "\"s\":\"\\u0000\\/\"}");
}

static void takes_keys_for_what_they_mean(void **state)
{
    (void)state;
    expect_merge("{\"\\u0061\":1,\"b\":2}", "{\"a\":null,\"\\u0062\":3}", "{\"b\":3}");
    expect_merge("{\"a\":1,\"a\":2}", "{\"b\":1,\"b\":null}", "{\"a\":2}");
}

static void refuses_what_is_not_json_and_appends_nothing(void **state)
{
    (void)state;
    cleanup_text struct text merged;
    text_init(&merged, 1000);
    struct error error;
    assert_false(json_merge("{\"a\":}", "{}", &merged, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_false(json_merge("{}", "{\"a\":1", &merged, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(merged.bytes, "");
}

/* levels objects inside each other. */
static void nest(struct text *text, int levels)
{
    for (int i = 1; i < levels; i++) {
        text_append(text, "{\"a\":");
    }
    text_append(text, "{}");
    for (int i = 1; i < levels; i++) {
        text_append_char(text, '}');
    }
}

static void bounds_depth(void **state)
{
    (void)state;
    cleanup_text struct text deepest;
    cleanup_text struct text too_deep;
    cleanup_text struct text out;
    text_init(&deepest, 1000);
    text_init(&too_deep, 1000);
    text_init(&out, 1000);
    nest(&deepest, 32);
    nest(&too_deep, 33);
    expect_merge(deepest.bytes, deepest.bytes, deepest.bytes);

    struct error error;
    bool found = false;
    assert_false(json_merge(too_deep.bytes, "{}", &out, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_false(json_merge("{}", too_deep.bytes, &out, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_false(json_extract(too_deep.bytes, "a", &out, &found, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_false(json_canonical(too_deep.bytes, &out, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    assert_string_equal(out.bytes, "");
}

static void reports_what_does_not_fit_through_the_text(void **state)
{
    (void)state;
    cleanup_text struct text merged;
    text_init(&merged, 5);
    struct error error;
    assert_true(json_merge("{\"a\":1}", "{\"b\":2}", &merged, &error));
    assert_false(text_check(&merged, "spec", &error));
    assert_int_equal(error.class, ERROR_LIMIT);
}

static void expect_extract(const char *json, const char *path, const char *expected)
{
    cleanup_text struct text out;
    text_init(&out, 1000);
    struct error error;
    bool found = expected == NULL;
    assert_true(json_extract(json, path, &out, &found, &error));
    assert_int_equal(found, expected != NULL);
    assert_string_equal(out.bytes, expected == NULL ? "" : expected);
}

static void extracts_a_member(void **state)
{
    (void)state;
    const char *json = "{\"spec\": {\"cluster\": {\"n\": 1.10}, \"z\":null, \"\\u0061\":[1, 2]}, "
                       "\"spec2\":{\"cluster\":0}}";
    expect_extract(json, "spec.cluster", "{\"n\":1.10}");
    expect_extract(json, "spec.cluster.n", "1.10");
    expect_extract(json, "spec.a", "[1,2]");
    expect_extract(json, "spec.z", "null");
    expect_extract(json, "spec.none", NULL);
    expect_extract(json, "spec.cluster.n.x", NULL);
    expect_extract(json, "Spec", NULL);
    expect_extract("[1]", "spec", NULL);
    expect_extract("{\"a\":1,\"a\":{\"b\":2}}", "a.b", "2");
}

static void expect_canonical(const char *json, const char *expected)
{
    cleanup_text struct text out;
    text_init(&out, 1000);
    struct error error;
    assert_true(json_canonical(json, &out, &error));
    assert_string_equal(out.bytes, expected);
}

static void gives_equal_values_equal_text(void **state)
{
    (void)state;
    expect_canonical(" { \"b\" : [ { \"z\":1, \"y\":\"\\u003c\" }, 1.0, true ], \"a\":{} } ",
                     "{\"a\":{},\"b\":[{\"y\":\"<\",\"z\":1},1.0,true]}");
    expect_canonical("{\"\\u0062\":2,\"a\":1,\"b\":3}", "{\"a\":1,\"b\":3}");
    expect_canonical("{\"ab\":1,\"a\":2,\"B\":3,\"\xc3\xa9\":4}",
                     "{\"B\":3,\"a\":2,\"ab\":1,\"\xc3\xa9\":4}");
    expect_canonical("\"\\/\"", "\"/\"");
    expect_canonical("12", "12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_as_the_rfc_has_it),
        cmocka_unit_test(takes_null_for_an_empty_object),
        cmocka_unit_test(keeps_the_spelling_of_either_side),
        cmocka_unit_test(takes_keys_for_what_they_mean),
        cmocka_unit_test(refuses_what_is_not_json_and_appends_nothing),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(reports_what_does_not_fit_through_the_text),
        cmocka_unit_test(extracts_a_member),
        cmocka_unit_test(gives_equal_values_equal_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
