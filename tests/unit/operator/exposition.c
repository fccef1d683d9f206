/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/exposition.h"

#include "base/limits.h"
#include "operator/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_family_has_its_help_and_its_type(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    exposition_family(&out, "a_total", EXPOSITION_COUNTER, "What it is.");
    exposition_int(&out, "a_total", NULL, 7);
    assert_string_equal(out.bytes,
                        "# HELP a_total What it is.\n# TYPE a_total counter\na_total 7\n");
}

static void labels_are_escaped_and_may_be_left_out(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    const struct exposition_label labels[] = {
        {"one", "a\"b\\c\nd"}, {"none", NULL}, {"two", "x"}, {NULL, NULL}};
    exposition_seconds(&out, "b", labels, 1500);
    assert_string_equal(out.bytes, "b{one=\"a\\\"b\\\\c\\nd\",two=\"x\"} 1.500\n");
    const struct exposition_label nothing[] = {{"none", NULL}, {NULL, NULL}};
    text_clear(&out);
    exposition_int(&out, "b", nothing, -1);
    assert_string_equal(out.bytes, "b -1\n");
}

static void buckets_add_up(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    struct histogram histogram = {.count = 0};
    histogram_add(&histogram, 50);
    histogram_add(&histogram, 51);
    histogram_add(&histogram, -5);
    histogram_add(&histogram, INT64_C(10) * 3600 * 1000);
    const struct exposition_label labels[] = {{"phase", "all"}, {NULL, NULL}};
    exposition_histogram(&out, "c", labels, &histogram);
    assert_non_null(strstr(out.bytes, "c_bucket{phase=\"all\",le=\"0.05\"} 2\n"));
    assert_non_null(strstr(out.bytes, "c_bucket{phase=\"all\",le=\"0.1\"} 3\n"));
    assert_non_null(strstr(out.bytes, "c_bucket{phase=\"all\",le=\"3600\"} 3\n"));
    assert_non_null(strstr(out.bytes, "c_bucket{phase=\"all\",le=\"+Inf\"} 4\n"));
    assert_non_null(strstr(out.bytes, "c_sum{phase=\"all\"} 36000.101\n"));
    assert_non_null(strstr(out.bytes, "c_count{phase=\"all\"} 4\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_family_has_its_help_and_its_type),
        cmocka_unit_test(labels_are_escaped_and_may_be_left_out),
        cmocka_unit_test(buckets_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
