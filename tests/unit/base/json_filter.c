/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_filter.h"

#include "base/json_lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Goes down the keys, which end with NULL; what the filter says to the last. */
static enum json_filter_action walk(const struct json_filter *filter, const char *const *keys)
{
    enum json_filter_action action = JSON_FILTER_KEEP;
    uint64_t paths = json_filter_all(filter);
    for (size_t level = 0; keys[level] != NULL && paths != 0; level++) {
        action = json_filter_match(filter, paths, level, keys[level], strlen(keys[level]), &paths);
    }
    return action;
}

#define WALK(filter, ...) walk((filter), (const char *const[]){__VA_ARGS__, NULL})

static void knows_managed_fields_without_rules(void **state)
{
    (void)state;
    struct json_filter filter;
    json_filter_init(&filter, NULL, NULL);
    assert_int_equal(WALK(&filter, "metadata"), JSON_FILTER_KEEP);
    assert_int_equal(WALK(&filter, "metadata", "managedFields"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "metadata", "managed\\u0046ields"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "metadata", "managedField"), JSON_FILTER_KEEP);
    assert_int_equal(WALK(&filter, "metadata", "ManagedFields"), JSON_FILTER_KEEP);
    assert_int_equal(WALK(&filter, "managedFields"), JSON_FILTER_KEEP);
    json_filter_release(&filter);
}

static void puts_a_prefix_before_every_path(void **state)
{
    (void)state;
    static const char *const raw[] = {"spec", NULL};
    const struct json_scan_filter rules = {.raw = raw};
    struct json_filter filter;
    json_filter_init(&filter, &rules, "object");
    assert_int_equal(WALK(&filter, "object", "metadata", "managedFields"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "object", "spec"), JSON_FILTER_RAW);
    assert_int_equal(WALK(&filter, "spec"), JSON_FILTER_KEEP);
    json_filter_release(&filter);
}

static void follows_several_paths_at_once(void **state)
{
    (void)state;
    static const char *const skip[] = {"a.b.c", "*.x", "a.*.d", NULL};
    static const char *const raw[] = {"a.b", "a.x", NULL};
    const struct json_scan_filter rules = {.skip = skip, .raw = raw};
    struct json_filter filter;
    json_filter_init(&filter, &rules, NULL);
    assert_int_equal(WALK(&filter, "a", "b"), JSON_FILTER_RAW);
    assert_int_equal(WALK(&filter, "a", "b", "c"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "a", "b", "d"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "a", "q", "c"), JSON_FILTER_KEEP);
    assert_int_equal(WALK(&filter, "a", "x"), JSON_FILTER_SKIP);
    assert_int_equal(WALK(&filter, "q", "x"), JSON_FILTER_SKIP);
    json_filter_release(&filter);
}

static void says_when_no_path_leads_further(void **state)
{
    (void)state;
    struct json_filter filter;
    json_filter_init(&filter, NULL, NULL);
    uint64_t paths = json_filter_all(&filter);
    assert_true(paths != 0);
    (void)json_filter_match(&filter, paths, 0, "spec", 4, &paths);
    assert_true(paths == 0);
    json_filter_release(&filter);
}

static void fits_no_path_to_a_key_that_may_be_unknown(void **state)
{
    (void)state;
    static const char *const skip[] = {"*", NULL};
    const struct json_scan_filter rules = {.skip = skip};
    struct json_filter filter;
    json_filter_init(&filter, &rules, NULL);
    uint64_t paths = json_filter_all(&filter);
    assert_int_equal(
        json_filter_match(&filter, paths, 0, NULL, JSON_LEXER_KEY_BYTES_MAX + 1, &paths),
        JSON_FILTER_KEEP);
    assert_true(paths == 0);
    json_filter_release(&filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_managed_fields_without_rules),
        cmocka_unit_test(puts_a_prefix_before_every_path),
        cmocka_unit_test(follows_several_paths_at_once),
        cmocka_unit_test(says_when_no_path_leads_further),
        cmocka_unit_test(fits_no_path_to_a_key_that_may_be_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
