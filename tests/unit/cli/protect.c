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

static void it_is_protected_from_now(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE(",'lifetime':'4h'", SERVED));
    assert_int_equal(test_adj_run(adj, "protect", "alice", "7d", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice is protected until "
                                           "2026-07-08T12:00:00Z, if its Pool allows that long\n");
    assert_non_null(strstr(test_adj_requests(adj),
                           TEST_ALICE_PATCHED("\"protectedUntil\":\"2026-07-08T12:00:00Z\"")));
    test_adj_free(adj);
}

static void who_does_not_end_is_told(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_with_alice(ALICE("", CLAIMED));
    assert_int_equal(test_adj_run(adj, "protect", "alice", "12h", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "it has no lifetime that would end it\n"));
    test_adj_free(adj);
}

/* Its own lifetime, or its Pool's, begins with the volume. */
static void who_waits_may_end_all_the_same(void **state)
{
    (void)state;
    static const char *const waiting[] = {ALICE(",'lifetime':'4h'", "'phase':'Waiting'"),
                                          ALICE("", "'phase':'Waiting'")};
    for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
        struct test_adj *adj = test_adj_with_alice(waiting[i]);
        assert_int_equal(test_adj_run(adj, "protect", "alice", "12h", NULL), CLI_OK);
        assert_string_equal(test_adj_out(adj),
                            "instance.adjoint.dev/alice is protected until 2026-07-02T00:00:00Z, "
                            "if its Pool allows that long\n");
        test_adj_free(adj);
    }
}

static void off_takes_it_away(void **state)
{
    (void)state;
    struct test_adj *adj =
        test_adj_with_alice(ALICE(",'protectedUntil':'2026-07-08T12:00:00Z'", SERVED));
    assert_int_equal(test_adj_run(adj, "protect", "alice", "--off", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice is not protected: its "
                                           "lifetime ends it, in a while if it is over\n");
    assert_non_null(strstr(test_adj_requests(adj), TEST_ALICE_PATCHED("\"protectedUntil\":null")));
    test_adj_free(adj);
}

static void it_is_one_or_the_other(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, "protect", "alice", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: say for how long (`adj protect alice 7d`), or "
                                           "--off\n");
    assert_int_equal(test_adj_run(adj, "protect", "alice", "7d", "--off", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "protect", "alice", "never", NULL), CLI_USAGE);
    assert_int_equal(test_adj_run(adj, "protect", "alice", "0", NULL), CLI_USAGE);
    assert_string_equal(test_adj_requests(adj), "");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_protected_from_now),
        cmocka_unit_test(who_does_not_end_is_told),
        cmocka_unit_test(who_waits_may_end_all_the_same),
        cmocka_unit_test(off_takes_it_away),
        cmocka_unit_test(it_is_one_or_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
