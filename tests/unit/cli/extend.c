/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(spec, status) TEST_ALICE_AT("5", spec, status)

#define SERVED "'servedAt':'2026-07-01T10:00:00Z','expiresAt':'2026-07-01T14:00:00Z'"
#define CLAIMED "'timings':{'volumeClaimedAt':'2026-07-01T10:00:00Z'}"

static void it_adds_to_the_lifetime(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'lifetime':'4h'", SERVED));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "instance.adjoint.dev/alice lives until 2026-07-01T18:00:00Z (8h in all), "
                        "if its Pool allows that long\n");
    assert_non_null(strstr(test_adj_requests(adj), TEST_ALICE_PATCHED("\"lifetime\":\"8h\"")));
    test_adj_free(adj);
}

static void an_end_that_has_passed_is_put_off_from_now(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'lifetime':'1h'", SERVED));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "30m", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "lives until 2026-07-01T12:30:0"));
    test_adj_free(adj);
}

static void the_lifetime_of_its_pool_is_extended(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", SERVED));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "90m", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), TEST_ALICE_PATCHED("\"lifetime\":\"5h30m\"")));
    test_adj_free(adj);
}

static void before_it_has_a_volume_it_is_a_length(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'lifetime':'4h'", "'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "1d", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice lives for 1d4h from when it "
                                           "has its volume\n");
    test_adj_free(adj);
}

static void who_does_not_end_is_not_extended(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", CLAIMED));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: Instance dev/alice has no lifetime that could be "
                                           "extended: it stays until somebody deletes it\n");
    assert_null(strstr(test_adj_requests(adj), "PATCH"));
    test_adj_free(adj);
}

static void who_waits_gets_its_pools_lifetime_with_its_volume(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", "'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj),
                        "adj: Instance dev/alice has no lifetime of its own, and its Pool's counts "
                        "from when it has its volume: extend it then\n");
    assert_null(strstr(test_adj_requests(adj), "PATCH"));
    test_adj_free(adj);
}

static void a_length_must_be_one(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, "extend", "alice", "soon", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: \"soon\" is no duration such as 90s, 10m or "
                                           "1h30m\n");
    assert_int_equal(test_adj_run(adj, "extend", "alice", "0", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "extend", "alice", "999999999d", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "extend", "alice", NULL), CLI_USAGE);
    assert_string_equal(test_adj_requests(adj), "");
    test_adj_free(adj);
}

static void who_was_changed_meanwhile_is_read_again(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE(",'lifetime':'4h'", SERVED));
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE(",'lifetime':'6h'", SERVED));
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 409,
                   "{'kind':'Status','reason':'Conflict','message':'another was quicker'}");
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 200, "{}");
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "(10h in all)"));
    test_adj_free(adj);
}

static void who_is_changed_all_the_time_is_given_up(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE(",'lifetime':'4h'", SERVED));
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 409,
                   "{'kind':'Status','reason':'Conflict','message':'another was quicker'}");
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: another was quicker\n");
    test_adj_free(adj);
}

static void who_is_being_deleted_is_not_extended(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice("{'metadata':{'name':'alice','namespace':'dev',"
                            "'deletionTimestamp':'2026-07-01T12:00:00Z'},'spec':{'lifetime':"
                            "'4h'}}");
    assert_int_equal(test_adj_run(adj, "extend", "alice", "4h", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: Instance dev/alice is being deleted\n");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_adds_to_the_lifetime),
        cmocka_unit_test(an_end_that_has_passed_is_put_off_from_now),
        cmocka_unit_test(the_lifetime_of_its_pool_is_extended),
        cmocka_unit_test(before_it_has_a_volume_it_is_a_length),
        cmocka_unit_test(who_does_not_end_is_not_extended),
        cmocka_unit_test(who_waits_gets_its_pools_lifetime_with_its_volume),
        cmocka_unit_test(a_length_must_be_one),
        cmocka_unit_test(who_was_changed_meanwhile_is_read_again),
        cmocka_unit_test(who_is_changed_all_the_time_is_given_up),
        cmocka_unit_test(who_is_being_deleted_is_not_extended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
