/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAIN "/apis/adjoint.dev/v1alpha1/namespaces/dev/pools/main"
/* Three within five minutes, an hour before noon. */
#define POOL(arrivals)                                                                             \
    "{'metadata':{'name':'main','namespace':'dev','uid':'u'},'spec':{},'status':{" arrivals        \
    "'lane':{'name':'fs-1','gapMilliseconds':60000,'latencyMilliseconds':120000}}}"
#define RECORDED                                                                                   \
    "'arrivals':{'version':1,'since':'2026-07-01T11:00:00Z','until':'2026-07-01T11:05:00Z',"       \
    "'counts':'BQ=='},"

static int setup(void **state)
{
    *state = test_adj_new();
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

static void each_size_is_told(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, MAIN, 200, POOL(RECORDED));
    assert_int_equal(test_adj_run(adj, "size", "main", NULL), CLI_OK);
    const char *out = test_adj_out(adj);
    assert_non_null(
        strstr(out, "3 requests in 1 day, a clone each 60 s:\n\nSIZE   WARM      P95-"));
    assert_non_null(strstr(out, "\n2      66.66%    "));
    assert_non_null(strstr(out, "\n3      100.00%   0s         3         recommended\n"));
    assert_non_null(strstr(out, "\n6      100.00%"));
    assert_null(strstr(out, "\n7 "));
}

static void it_is_drawn(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, MAIN, 200, POOL(RECORDED));
    assert_int_equal(test_adj_run(adj, "size", "main", "-o", "svg", NULL), CLI_OK);
    const char *out = test_adj_out(adj);
    assert_memory_equal(out, "<svg ", 5);
    assert_non_null(strstr(out, "100% find a clone"));
    assert_non_null(strstr(out, "</svg>\n"));
}

static void nothing_is_recorded_yet(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, MAIN, 200, POOL(""));
    assert_int_equal(test_adj_run(adj, "size", "main", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "nothing is recorded of Pool main yet"));
}

static void one_of_the_two_is_to_be_said(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "size", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "size", "main", "--from", "x", NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "say of which requests"));
    assert_int_equal(test_adj_run(adj, "size", "--from", "/nowhere", NULL), CLI_ERROR);
}

/* ---- the file ---- */

static size_t read_text(const char *given, struct arena *arena, int64_t **out, struct error *error)
{
    size_t count = 0;
    return requests_read(arena_copy(arena, given), arena, out, &count, error) ? count : 0;
}

static void times_are_in_the_first_column(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    struct error error;
    int64_t *times_ms;
    arena_init(&arena, 0);
    assert_int_equal(read_text("time,who\r\n2026-07-01T12:00:01Z,ann\r\n\r\n"
                               "\"2026-07-01T14:00:00+02:00\";ben\n",
                               &arena, &times_ms, &error),
                     2);
    assert_int_equal(times_ms[0], TEST_ADJ_BEGIN_MS);
    assert_int_equal(times_ms[1], TEST_ADJ_BEGIN_MS + 1000);
}

static void what_is_no_time_is_told_with_its_line(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    struct error error;
    int64_t *times_ms;
    arena_init(&arena, 0);
    assert_int_equal(read_text("2026-07-01T12:00:01Z\nnoon\n", &arena, &times_ms, &error), 0);
    assert_non_null(strstr(error.message, "line 2 begins with \"noon\""));
    assert_int_equal(read_text("time\n\n", &arena, &times_ms, &error), 0);
    assert_string_equal(error.message, "no line begins with a time");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_size_is_told),
        TEST(it_is_drawn),
        TEST(nothing_is_recorded_yet),
        TEST(one_of_the_two_is_to_be_said),
        cmocka_unit_test(times_are_in_the_first_column),
        cmocka_unit_test(what_is_no_time_is_told_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
