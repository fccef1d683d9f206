/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/adj.h"

#include "cli/command.h"
#include "cli/version.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void without_a_command_it_shows_them_and_fails(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, NULL), CLI_USAGE);
    assert_string_equal(test_adj_out(adj), "");
    assert_non_null(strstr(test_adj_err(adj), "usage: adj COMMAND [options]"));
    assert_non_null(strstr(test_adj_err(adj), "Exit codes: 0 done; 1"));
}

static void help_lists_every_command(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "--help", NULL), CLI_OK);
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        assert_non_null(strstr(test_adj_out(adj), (*at)->name));
        assert_non_null(strstr(test_adj_out(adj), (*at)->summary));
    }
    assert_string_equal(test_adj_err(adj), "");
}

static void every_command_has_help_in_two_ways(void **state)
{
    struct test_adj *adj = *state;
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        assert_int_equal(test_adj_run(adj, (*at)->name, "--help", NULL), CLI_OK);
        cleanup_text struct text usage;
        text_init(&usage, 1024);
        text_print(&usage, "%s\n\nusage: adj %s", (*at)->summary, (*at)->name);
        assert_true(text_starts_with(test_adj_out(adj), usage.bytes));
        cleanup_text struct text first;
        text_init(&first, 64 * 1024);
        text_append(&first, test_adj_out(adj));
        assert_int_equal(test_adj_run(adj, "help", (*at)->name, NULL), CLI_OK);
        assert_string_equal(test_adj_out(adj), first.bytes);
    }
}

static void assert_fits(const char *lines)
{
    while (*lines != '\0') {
        size_t byte_count = strcspn(lines, "\n");
        assert_in_range(byte_count, 0, 100);
        lines += byte_count + 1;
    }
}

static void help_fits_a_terminal(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "--help", NULL), CLI_OK);
    assert_fits(test_adj_out(adj));
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        assert_int_equal(test_adj_run(adj, "help", (*at)->name, NULL), CLI_OK);
        assert_fits(test_adj_out(adj));
    }
}

static void as_kubectls_plugin_it_says_so(void **state)
{
    struct test_adj *adj = *state;
    const char *const argv[] = {"/usr/bin/kubectl-adj", "list", "--help", NULL};
    assert_int_equal(test_adj_run_argv(adj, argv), CLI_OK);
    assert_non_null(strstr(test_adj_out(adj), "usage: kubectl adj list"));
}

static void a_wrong_word_gets_one_line_with_the_nearest(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "lsit", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: unknown command \"lsit\": did you mean \"list\"? "
                                           "(`adj --help` says more)\n");
    assert_int_equal(test_adj_run(adj, "help", "lsit", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj),
                        "adj: unknown command \"lsit\": did you mean \"list\"?\n");
    assert_int_equal(test_adj_run(adj, "list", "--outptu", "json", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: unknown option --outptu: did you mean --output? "
                                           "(`adj list --help` says more)\n");
    assert_int_equal(test_adj_run(adj, "--contxt=x", "list", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: unknown option --contxt: did you mean --context? "
                                           "(`adj --help` says more)\n");
    assert_string_equal(test_adj_out(adj), "");
}

static void names_are_counted(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "get", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: get needs NAME (`adj get --help` says more)\n");
    assert_int_equal(test_adj_run(adj, "get", "a", "b", NULL), CLI_USAGE);
    assert_string_equal(test_adj_err(adj), "adj: \"b\" is one word too many for get "
                                           "(`adj get --help` says more)\n");
}

static void common_options_may_stand_before_the_command(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, "/apis/adjoint.dev/v1alpha1/namespaces/other/instances", 200,
                   "{'metadata':{},'items':[]}");
    assert_int_equal(test_adj_run(adj, "-n", "other", "--context", "test", "list", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "There are no Instances in namespace other.\n");
}

static void what_access_says_is_passed_on(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "list", "--context", "nope", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: there is no context nope\n");
}

static void verbose_shows_requests(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, "{'metadata':{},'items':[]}");
    assert_int_equal(test_adj_run(adj, "list", "-v", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "context test of a file, server https://test\n"
                                           "GET " TEST_INSTANCES ": 200 in 0 ms\n"
                                           "There are no Instances in namespace dev.\n");
}

static void version_names_the_api_it_is_for(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, "version", "--client", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "adj " ADJOINT_VERSION ", for adjoint.dev/v1alpha1\n");
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    FILE *null = fopen("/dev/null", "w");
    if (full == NULL || null == NULL) {
        skip();
    }
    char words[][16] = {"adj", "version", "--client"};
    char *argv[] = {words[0], words[1], words[2]};
    struct cli cli = {.out = full, .err = null};
    assert_int_equal(cli_execute(&cli, 3, argv), CLI_ERROR);
    fclose(full);
    fclose(null);
}

static void it_runs_as_a_process(void **state)
{
    (void)state;
    char words[][16] = {"adj", "version", "--client"};
    char *argv[] = {words[0], words[1], words[2], NULL};
    assert_int_equal(adj_main(3, argv), 0);
    assert_int_equal(adj_main(0, argv), CLI_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_a_command_it_shows_them_and_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(help_lists_every_command, setup, teardown),
        cmocka_unit_test_setup_teardown(every_command_has_help_in_two_ways, setup, teardown),
        cmocka_unit_test_setup_teardown(help_fits_a_terminal, setup, teardown),
        cmocka_unit_test_setup_teardown(as_kubectls_plugin_it_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_word_gets_one_line_with_the_nearest, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(names_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(common_options_may_stand_before_the_command, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_access_says_is_passed_on, setup, teardown),
        cmocka_unit_test_setup_teardown(verbose_shows_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(version_names_the_api_it_is_for, setup, teardown),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(it_runs_as_a_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
