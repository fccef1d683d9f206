/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void decimal_versions_compare_by_length_then_digits(void **state)
{
    (void)state;
    assert_int_equal(version_compare("999", "1000"), VERSION_OLDER);
    assert_int_equal(version_compare("1000", "999"), VERSION_NEWER);
    assert_int_equal(version_compare("1000", "1001"), VERSION_OLDER);
    assert_int_equal(version_compare("7", "7"), VERSION_SAME);
    /* More than an int64 holds, and more than a double keeps. */
    assert_int_equal(version_compare("18446744073709551616", "18446744073709551617"),
                     VERSION_OLDER);
}

/* B35 */
static void versions_that_are_not_decimal_are_only_ever_equal(void **state)
{
    (void)state;
    assert_int_equal(version_compare("a1", "a2"), VERSION_UNORDERED);
    assert_int_equal(version_compare("a1", "a1"), VERSION_SAME);
    assert_int_equal(version_compare("10", "9a"), VERSION_UNORDERED);
    assert_int_equal(version_compare("-1", "1"), VERSION_UNORDERED);
    assert_int_equal(version_compare("1 ", "2"), VERSION_UNORDERED);
    assert_int_equal(version_compare("007", "8"), VERSION_UNORDERED);
    assert_int_equal(version_compare("0", "8"), VERSION_UNORDERED);
}

static void no_version_has_no_order(void **state)
{
    (void)state;
    assert_int_equal(version_compare(NULL, "1"), VERSION_UNORDERED);
    assert_int_equal(version_compare("1", NULL), VERSION_UNORDERED);
    assert_int_equal(version_compare("", "1"), VERSION_UNORDERED);
    assert_int_equal(version_compare("", ""), VERSION_UNORDERED);
    assert_int_equal(version_compare(NULL, NULL), VERSION_UNORDERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_versions_compare_by_length_then_digits),
        cmocka_unit_test(versions_that_are_not_decimal_are_only_ever_equal),
        cmocka_unit_test(no_version_has_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
