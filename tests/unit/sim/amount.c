/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/amount.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define GI (INT64_C(1024) * 1024 * 1024)

static void amounts_are_read_in_all_spellings(void **state)
{
    static const struct {
        const char *text;
        int64_t milli;
    } ROWS[] = {
        {"1Gi", 1000 * GI},
        {"1024Mi", 1000 * GI},
        {"1073741824", 1000 * GI},
        {"1.5Gi", 1500 * GI},
        {"100m", 100},
        {"1e3", 1000000},
        {"1E3", 1000000},
        {"2k", 2000000},
        {"0", 0},
        {"-1", -1000},
        {"+1", 1000},
        {".5", 500},
        {"1n", 1},
        {"-51n", -1}, /* away from zero */
        {"1e-462", 1},
        {"1.0955160G", INT64_C(1095516000000)},
        {"0.10000000000000000000000000000000000001", 101},
        {"123456789012345678901234567890n", INT64_MAX},
        {"1e00000000000003", 1000000},
        {"12e-1", 1200},
        {"9999999Ei", INT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        int64_t milli = -5;
        cJSON *value = cJSON_CreateString(ROWS[i].text);
        if (!amount_parse(value, &milli) || milli != ROWS[i].milli) {
            fail_msg("%s: %lld", ROWS[i].text, (long long)milli);
        }
        cJSON_Delete(value);
    }
}

static void what_is_no_amount_is_refused(void **state)
{
    static const char *const ROWS[] = {"",   "Gi",  "1gi", "1 Gi", "e3",
                                       "1e", "1e+", "1ex", "--1",  "."};
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        int64_t milli = -5;
        cJSON *value = cJSON_CreateString(ROWS[i]);
        if (amount_parse(value, &milli)) {
            fail_msg("%s", ROWS[i]);
        }
        assert_int_equal(milli, -5);
        cJSON_Delete(value);
    }
    int64_t milli = 0;
    assert_false(amount_parse(NULL, &milli));
}

static void amounts_are_printed_canonically(void **state)
{
    char out[AMOUNT_BYTES];
    (void)state;
    amount_print(3000 * GI, true, out);
    assert_string_equal(out, "3Gi");
    amount_print(1500 * GI, true, out);
    assert_string_equal(out, "1536Mi");
    amount_print(0, true, out);
    assert_string_equal(out, "0");
    amount_print(10000, false, out);
    assert_string_equal(out, "10");
    amount_print(2000000, false, out);
    assert_string_equal(out, "2k");
    amount_print(1500, false, out);
    assert_string_equal(out, "1500m");
}

static void equal_is_what_means_the_same(void **state)
{
    cJSON *left = cJSON_CreateString("1Gi");
    cJSON *right = cJSON_CreateString("1024Mi");
    cJSON *other = cJSON_CreateString("1G");
    (void)state;
    assert_true(amount_equal(left, right));
    assert_false(amount_equal(left, other));
    assert_false(amount_equal(left, NULL));
    cJSON_Delete(left);
    cJSON_Delete(right);
    cJSON_Delete(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_read_in_all_spellings),
        cmocka_unit_test(what_is_no_amount_is_refused),
        cmocka_unit_test(amounts_are_printed_canonically),
        cmocka_unit_test(equal_is_what_means_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
