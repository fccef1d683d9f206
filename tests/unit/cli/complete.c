/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete.h"

#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POOLS "/apis/adjoint.dev/v1alpha1/pools"
#define INSTANCES "/apis/adjoint.dev/v1alpha1/instances"
#define LIST_OF(items) "{'metadata':{},'items':[" items "]}"
#define NAMED(namespace, name, status)                                                             \
    "{'metadata':{'name':'" name "','namespace':'" namespace "','uid':'u-" name                    \
                                                             "'},'spec':{},'status':{" status "}}"

static int setup(void **state)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200,
                   LIST_OF(NAMED("dev", "alice", "'phase':'Ready'") "," NAMED("dev", "bob", "")));
    test_adj_reply(adj, METHOD_GET, INSTANCES, 200, LIST_OF(NAMED("dev", "alice", "")));
    test_adj_reply(adj, METHOD_GET, POOLS, 200, LIST_OF(NAMED("golden", "main", "'warm':3")));
    *state = adj;
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

#define COMPLETES(expected, ...)                                                                   \
    do {                                                                                           \
        assert_int_equal(test_adj_run(*state, COMPLETE_WORD, __VA_ARGS__, NULL), CLI_OK);          \
        assert_string_equal(test_adj_out(*state), expected);                                       \
        assert_string_equal(test_adj_err(*state), "");                                             \
    } while (0)

static void every_command_is_offered(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, COMPLETE_WORD, "", NULL), CLI_OK);
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        assert_non_null(strstr(test_adj_out(adj), (*at)->summary));
    }
    assert_non_null(strstr(test_adj_out(adj), "get\tShow an Instance and how to connect to it\n"));
    assert_string_equal(test_adj_requests(adj), "");
    COMPLETES("why\tTell an Instance's story: its claim step by step, and what it waits for\n:4\n",
              "-v", "-n", "dev", "wh");
}

static void its_own_and_the_common_options_are(void **state)
{
    COMPLETES("--all-namespaces\tthose of all namespaces\n--output\tprint it as\n"
              "--namespace\tthe namespace (default: the context's)\n"
              "--kubeconfig\tthe kubeconfig (default: $KUBECONFIG, then a pod's service account, "
              "then ~/.kube/config)\n"
              "--context\tthe context of the kubeconfig (default: its current one)\n"
              "--verbose\tshow each request with its outcome and time\n"
              "--help\tshow what the command does and its options\n:4\n",
              "list", "-");
    COMPLETES("--wait\twait until it is gone, and its volume handed back\n:4\n", "delete", "--w");
    COMPLETES("--no-wait\twait until it is gone, and its volume handed back\n:4\n", "delete",
              "--no");
}

static void values_are_in_each_way_to_write_them(void **state)
{
    COMPLETES("wide\n:4\n", "list", "-o", "w");
    COMPLETES("wide\n:4\n", "list", "--output", "w");
    COMPLETES("--output=wide\n:4\n", "list", "--output=w");
    COMPLETES("-ojson\n:4\n", "list", "-oj");
    COMPLETES("--wait=true\n:4\n", "wake", "--wait=t");
    COMPLETES("import\n:4\n", "golden", "");
    COMPLETES("zsh\n:4\n", "completion", "z");
    COMPLETES(":0\n", "list", "--kubeconfig", "");
    COMPLETES(":4\n", "golden", "import", "");
    COMPLETES(":4\n", "extend", "alice", "");
}

static void names_are_asked_of_the_cluster(void **state)
{
    COMPLETES("alice\tReady\nbob\tPending\n:4\n", "get", "");
    COMPLETES("golden/main\t3 warm\n:4\n", "clone", "x", "--pool", "");
    COMPLETES("pool/golden/main\t3 warm\ninstance/dev/alice\tPending\n:4\n", "plan", "");
    COMPLETES("alice\tReady\n:4\n", "connect", "al");
    test_adj_reply(*state, METHOD_GET, "/apis/adjoint.dev/v1alpha1/namespaces/golden/pools", 200,
                   LIST_OF(NAMED("golden", "main", "'warm':3")));
    COMPLETES("main\t3 warm\n:4\n", "size", "-n", "golden", "");
    COMPLETES(":4\n", "get", "alice", "");
    COMPLETES(":4\n", "get", "--", "-a");
}

static void nothing_is_said_about_what_is_wrong(void **state)
{
    struct test_adj *adj = *state;
    test_adj_throttle(adj, METHOD_GET, "/apis/adjoint.dev/v1alpha1/namespaces/x/instances", 9000);
    COMPLETES(":4\n", "lsit", "");
    COMPLETES(":4\n", "get", "--context", "nope", "");
    COMPLETES(":4\n", "get", "--nonsense", "-n", "x", "");
    COMPLETES(":4\n", "get", "--context=nope", "--", "");
    assert_int_equal(test_adj_elapsed_ms(adj), 0);
    assert_int_equal(test_adj_run(adj, COMPLETE_WORD, NULL), CLI_OK);
}

/* A new name is the one thing that nothing can be offered for. */
static void each_commands_operand_is_known(void **state)
{
    (void)state;
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        bool is_known =
            (*at)->operand_choices != NULL || (*at)->operand_completion != COMPLETE_NOTHING;
        if ((*at)->operand_count_max > 0 && !is_known && *at != &command_clone) {
            fail_msg("%s does not say what a shell may offer for %s", (*at)->name, (*at)->operands);
        }
    }
}

static void kubectl_asks_by_another_name(void **state)
{
    const char *const argv[] = {"/usr/bin/kubectl_complete-adj", "get", "al", NULL};
    assert_int_equal(test_adj_run_argv(*state, argv), CLI_OK);
    assert_string_equal(test_adj_out(*state), "alice\tReady\n:4\n");
}

static void each_shell_has_a_script(void **state)
{
    struct test_adj *adj = *state;
    static const char *const shells[] = {"bash", "zsh", "fish"};
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        assert_int_equal(test_adj_run(adj, "completion", shells[i], NULL), CLI_OK);
        assert_non_null(strstr(test_adj_out(adj), "adj " COMPLETE_WORD));
        assert_non_null(strstr(test_adj_out(adj), shells[i]));
    }
    assert_int_equal(test_adj_run(adj, "completion", "sh", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: \"sh\" is none of bash, zsh, fish (`adj "
                                           "completion --help` says more)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_command_is_offered, setup, teardown),
        cmocka_unit_test_setup_teardown(its_own_and_the_common_options_are, setup, teardown),
        cmocka_unit_test_setup_teardown(values_are_in_each_way_to_write_them, setup, teardown),
        cmocka_unit_test_setup_teardown(names_are_asked_of_the_cluster, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_said_about_what_is_wrong, setup, teardown),
        cmocka_unit_test(each_commands_operand_is_known),
        cmocka_unit_test_setup_teardown(kubectl_asks_by_another_name, setup, teardown),
        cmocka_unit_test_setup_teardown(each_shell_has_a_script, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
