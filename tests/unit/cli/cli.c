/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NONE "{'metadata':{},'items':[]}"

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void a_throttled_request_is_sent_again_when_the_server_allows_it(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_throttle(adj, METHOD_GET, TEST_INSTANCES, 7000);
    test_adj_throttle(adj, METHOD_GET, TEST_INSTANCES, 0);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, NONE);
    assert_int_equal(test_adj_run(adj, "list", NULL), CLI_OK);
    assert_int_equal(test_adj_elapsed_ms(adj), 8000);
    assert_int_equal(count_of(test_adj_requests(adj), "GET"), 3);
    test_adj_free(adj);
}

static void it_is_not_sent_again_for_ever(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_throttle(adj, METHOD_GET, TEST_INSTANCES, 1000);
    assert_int_equal(test_adj_run(adj, "list", NULL), CLI_ERROR);
    assert_int_equal(count_of(test_adj_requests(adj), "GET"), 5);
    assert_non_null(strstr(test_adj_err(adj), "too many requests, try again later"));
    test_adj_free(adj);
}

static void other_failures_are_not_repeated(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_fail(adj, METHOD_GET, TEST_INSTANCES, ERROR_UNAVAILABLE);
    assert_int_equal(test_adj_run(adj, "list", NULL), CLI_ERROR);
    assert_int_equal(count_of(test_adj_requests(adj), "GET"), 1);
    test_adj_free(adj);
}

static void a_reply_that_is_no_list_is_an_error(void **state)
{
    (void)state;
    static const char *const bodies[] = {"<html>", "{'items':[{'metadata':", "{'items':[{}]}", ""};
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct test_adj *adj = test_adj_new();
        test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, bodies[i]);
        assert_int_equal(test_adj_run(adj, "list", NULL), CLI_ERROR);
        assert_int_equal(count_of(test_adj_err(adj), "\n"), 1);
        test_adj_free(adj);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_throttled_request_is_sent_again_when_the_server_allows_it),
        cmocka_unit_test(it_is_not_sent_again_for_ever),
        cmocka_unit_test(other_failures_are_not_repeated),
        cmocka_unit_test(a_reply_that_is_no_list_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
