/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void takes_a_path_apart(void **state)
{
    (void)state;
    cleanup_url struct url url;
    struct error error;
    assert_true(url_parse(&url, "/a//b%2Fc/d+e/?x=1&y=a%20b+c&z&x=2&w=", &error));
    assert_int_equal(url.segment_count, 3);
    assert_string_equal(url.segments[0], "a");
    assert_string_equal(url.segments[1], "b/c");
    assert_string_equal(url.segments[2], "d+e");
    assert_string_equal(url_get(&url, "x"), "1");
    assert_string_equal(url_get(&url, "y"), "a b c");
    assert_string_equal(url_get(&url, "z"), "");
    assert_string_equal(url_get(&url, "w"), "");
    assert_null(url_get(&url, "v"));
    assert_true(url_segment_is(&url, 2, "d+e"));
    assert_false(url_segment_is(&url, 3, ""));
}

static void reads_booleans_as_kubernetes_does(void **state)
{
    (void)state;
    cleanup_url struct url url;
    struct error error;
    assert_true(url_parse(&url, "/?a=true&b=1&c=&d&e=false&f=FALSE&g=0&h=yes", &error));
    const char *const true_ones[] = {"a", "b", "c", "d", "h"};
    const char *const false_ones[] = {"e", "f", "g", "missing"};
    for (size_t i = 0; i < sizeof(true_ones) / sizeof(true_ones[0]); i++) {
        assert_true(url_true(&url, true_ones[i]));
    }
    for (size_t i = 0; i < sizeof(false_ones) / sizeof(false_ones[0]); i++) {
        assert_false(url_true(&url, false_ones[i]));
    }
}

static void refuses_bad_escapes(void **state)
{
    (void)state;
    const char *const paths[] = {"/%", "/%4", "/%zz", "/a?b=%g0", "/a?%=1", "/a%00b"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        cleanup_url struct url url;
        struct error error;
        assert_false(url_parse(&url, paths[i], &error));
        assert_int_equal(error.class, ERROR_INVALID);
    }
}

static void refuses_what_is_no_utf_8(void **state)
{
    (void)state;
    const char *const paths[] = {"/a%ff", "/\xc3/b", "/a?b=%c3", "/a?%e2%82=c", "/%\xff"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        cleanup_url struct url url;
        struct error error;
        assert_false(url_parse(&url, paths[i], &error));
        assert_int_equal(error.class, ERROR_INVALID);
        for (const char *at = error.message; *at != '\0'; at++) {
            assert_true(*at > 0); /* nothing of it is quoted */
        }
    }
    cleanup_url struct url url;
    struct error error;
    assert_true(url_parse(&url, "/%c3%a9?q=%e2%82%ac", &error));
}

static void has_so_many_places(void **state)
{
    (void)state;
    char path[200];
    memset(path, '/', sizeof(path));
    for (size_t i = 0; i <= URL_SEGMENTS_MAX; i++) {
        path[2 * i + 1] = 'a';
    }
    path[2 * URL_SEGMENTS_MAX] = '\0';
    cleanup_url struct url fits;
    cleanup_url struct url segments;
    cleanup_url struct url parameters;
    struct error error;
    assert_true(url_parse(&fits, path, &error));
    path[2 * URL_SEGMENTS_MAX] = '/';
    path[2 * URL_SEGMENTS_MAX + 2] = '\0';
    assert_false(url_parse(&segments, path, &error));
    assert_int_equal(error.class, ERROR_LIMIT);

    memset(path, '&', sizeof(path));
    path[0] = '?';
    for (size_t i = 0; i <= URL_PARAMETERS_MAX; i++) {
        path[2 * i + 1] = 'a';
    }
    path[2 * URL_PARAMETERS_MAX + 2] = '\0';
    assert_false(url_parse(&parameters, path, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_path_apart),  cmocka_unit_test(reads_booleans_as_kubernetes_does),
        cmocka_unit_test(refuses_bad_escapes), cmocka_unit_test(refuses_what_is_no_utf_8),
        cmocka_unit_test(has_so_many_places),
    };
    return cmocka_run_group_tests_name("sim/url", tests, NULL, NULL);
}
