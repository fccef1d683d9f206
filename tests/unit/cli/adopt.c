/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE(status)                                                                              \
    "{'metadata':{'name':'alice','namespace':'dev'},'spec':{'pool':{'name':'main','namespace':"    \
    "'golden'}},'status':{" status "}}"

static void it_asks_by_the_annotation(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("'volume':{'name':'pv-1'}"));
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 200, "{}");
    assert_int_equal(test_adj_run(adj, "adopt", "alice", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice adopts volume pv-1 again: "
                                           "`adj why alice` says how far it is\n");
    assert_non_null(strstr(test_adj_requests(adj),
                           "PATCH " TEST_ALICE "\n    application/merge-patch+json: "
                           "{\"metadata\":{\"annotations\":{\"adjoint.dev/adopt\":\"asked\"}}}\n"));
    test_adj_free(adj);
}

static void without_a_volume_there_is_nothing_to_adopt(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, "adopt", "alice", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj),
                        "adj: Instance dev/alice has no volume yet that could be adopted\n");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_asks_by_the_annotation),
        cmocka_unit_test(without_a_volume_there_is_nothing_to_adopt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
