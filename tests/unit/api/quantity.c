/* SPDX-License-Identifier: Apache-2.0 */
#include "api/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *text;
    int64_t value;
};

static void assert_rows(const struct row *rows, size_t row_count)
{
    for (size_t i = 0; i < row_count; i++) {
        int64_t value = -1;
        struct error error;
        if (!quantity_parse(rows[i].text, &value, &error)) {
            fail_msg("%s: %s", rows[i].text, error.message);
        }
        if (value != rows[i].value) {
            fail_msg("%s: %lld", rows[i].text, (long long)value);
        }
    }
}

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void plain_numbers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"0", 0},
        {"1073741824", 1073741824},
        {"+5", 5},
        {"-5", -5},
        {"007", 7},
        {"1.0", 1},
        {"1.", 1},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807", -INT64_MAX},
        {"1.00000000000000000000000000000000", 1},
    };
    assert_rows(rows, COUNT(rows));
}

static void binary_suffixes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"1Ki", 1024},
        {"1Mi", 1048576},
        {"1Gi", 1073741824},
        {"1Ti", 1099511627776},
        {"1Pi", 1125899906842624},
        {"7Ei", 8070450532247928832},
        {"1.5Gi", 1610612736},
        {".5Ki", 512},
    };
    assert_rows(rows, COUNT(rows));
}

static void decimal_suffixes_and_exponents(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"1k", 1000},
        {"1M", 1000000},
        {"1G", 1000000000},
        {"1T", 1000000000000},
        {"1P", 1000000000000000},
        {"9E", 9000000000000000000},
        {"1e3", 1000},
        {"1E3", 1000},
        {"1e+3", 1000},
        {"1500e-3", 2},
        {"0.0001e20", 10000000000000000},
        {"0e999", 0},
        {"1000m", 1},
        {"2000000u", 2},
        {"3000000000n", 3},
    };
    assert_rows(rows, COUNT(rows));
}

static void rounds_away_from_zero(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"100m", 1}, {"1001m", 2}, {"-100m", -1}, {"1n", 1}, {"1e-30", 1}, {"0.1Gi", 107374183},
    };
    assert_rows(rows, COUNT(rows));
}

static void what_is_no_quantity_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",    " 1Gi", "1Gi ", "Gi",  ".",     "-",   "1gi",   "1K",     "1GiB", "1.2.3",
        "1,5", "0x10", "1e",   "1e+", "1e+-3", "--1", "1e3Ki", "1e1000", "1 Gi", "+",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        int64_t value = -1;
        struct error error;
        if (quantity_parse(texts[i], &value, &error)) {
            fail_msg("'%s' was taken", texts[i]);
        }
        assert_int_equal(error.class, ERROR_INVALID);
        assert_int_equal(value, -1);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "9223372036854775808",  "8Ei",   "10E", "1e19", "99999999999999999999999999",
        "-9223372036854775808", "1e999",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        int64_t value = -1;
        struct error error;
        assert_false(quantity_parse(texts[i], &value, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_int_equal(value, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(binary_suffixes),
        cmocka_unit_test(decimal_suffixes_and_exponents),
        cmocka_unit_test(rounds_away_from_zero),
        cmocka_unit_test(what_is_no_quantity_is_refused),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
