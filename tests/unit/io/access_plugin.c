/* SPDX-License-Identifier: Apache-2.0 */
/* One run of an exec plugin: what it is told, what is made of its answer, how it may fail. */
#include "io/access_plugin.h"

#include "support/test_authority.h"
#include "support/test_plugin.h"

#include "base/base64.h"

#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define VERSION "client.authentication.k8s.io/v1"
#define HEAD "\"kind\":\"ExecCredential\",\"apiVersion\":\"" VERSION "\""

static void runs_once_and_keeps_the_token(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_answer_token(test, "sesame", 0);
    test_plugin_open(test);
    assert_string_equal(test->set.token, "sesame");
    assert_string_equal(test->set.server, "https://dev.example");
    assert_int_equal(test->set.generation, 2);
    for (int i = 0; i < 20; i++) {
        test_access_ready(test);
    }
    assert_int_equal(test->set.generation, 2);
    assert_int_equal(test_plugin_run_count(test), 1);
}

static void gives_arguments_and_variables(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "",
                      "interactiveMode: Never, args: ['a b', --c], "
                      "env: [{name: EXTRA, value: 'x y'}]");
    test_plugin_answer_token(test, "sesame", 0);
    test_plugin_open(test);
    assert_string_equal(test_plugin_runs(test), "none|x y|a b|--c\n");
    assert_string_equal(test_plugin_info(test), "{" HEAD ",\"spec\":{\"interactive\":false}}");
}

static void tells_about_the_cluster_and_its_authority_file(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("cluster");
    test_folder_write(&test->folder, "ca.crt", test_authority_pem(authority));
    test_plugin_write(test, "certificate-authority: ca.crt",
                      "interactiveMode: Never, provideClusterInfo: true");
    test_plugin_answer_token(test, "sesame", 0);
    test_plugin_open(test);
    cleanup_text struct text expected;
    text_init(&expected, 100 * 1000);
    text_append(&expected, "{" HEAD ",\"spec\":{\"cluster\":{\"server\":\"https://dev.example\","
                           "\"certificate-authority-data\":\"");
    base64_append(&expected, test_authority_pem(authority), strlen(test_authority_pem(authority)));
    text_append(&expected, "\"},\"interactive\":false}}");
    assert_string_equal(test_plugin_info(test), expected.bytes);
    test_authority_free(authority);
}

static void reads_yaml(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_answer(test, "---\nkind: ExecCredential\napiVersion: " VERSION "\nstatus:\n"
                             "  token: sesame\n  expirationTimestamp: 2100-01-01T00:00:00Z\n");
    test_plugin_open(test);
    assert_string_equal(test->set.token, "sesame");
}

static void gives_a_client_certificate(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("clients");
    struct test_certificate certificate;
    test_authority_issue(authority, "ann", NULL, 3600, &certificate);
    test_plugin_write(test, "", "interactiveMode: Never");
    cleanup_text struct text answer;
    text_init(&answer, 100 * 1000);
    text_append(&answer, "kind: ExecCredential\napiVersion: " VERSION "\nstatus:\n"
                         "  clientCertificateData: |\n    ");
    for (const char *at = certificate.certificate_pem; *at != '\0'; at++) {
        text_append_char(&answer, *at);
        text_append(&answer, *at == '\n' ? "    " : "");
    }
    text_append(&answer, "\n  clientKeyData: |\n    ");
    for (const char *at = certificate.key_pem; *at != '\0'; at++) {
        text_append_char(&answer, *at);
        text_append(&answer, *at == '\n' ? "    " : "");
    }
    test_plugin_answer(test, answer.bytes);
    test_plugin_open(test);
    assert_string_equal(test->set.certificate_pem, certificate.certificate_pem);
    assert_string_equal(test->set.key_pem, certificate.key_pem);
    assert_null(test->set.token);
    test_certificate_release(&certificate);
    test_authority_free(authority);
}

/* Fails, with this message; a second question does not run it again at once. */
static void fails(struct test_access *test, enum error_class class, const char *format)
{
    const char *message =
        arena_print(&test->folder.arena, "%s%s/%s", "the exec plugin ", test->folder.path, format);
    test_access_open(test);
    test_access_await(test);
    size_t run_count = test_plugin_run_count(test);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(test_access_get(test), CREDENTIALS_FAILED);
        assert_string_equal(test->error.message, message);
        assert_int_equal(test->error.class, class);
    }
    assert_int_equal(test_plugin_run_count(test), run_count);
    assert_null(strstr(test->error.message, "sesame"));
    assert_null(strstr(test->log.bytes, "sesame"));
    access_free(test->access);
    test->access = NULL;
}

static void says_what_is_wrong_with_the_answer(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never, installHint: not here");
    static const char *const answers[][2] = {
        {"", "bin/login printed: nothing"},
        {"sesame\n", "bin/login printed: no ExecCredential, but a list or a single value"},
        {"a: [sesame\n",
         "bin/login printed: line 2, column 1: did not find expected ',' or ']' while parsing a "
         "flow sequence"},
        {"{" HEAD ", status: {token: sesame}}\n---\nsesame",
         "bin/login printed: more than one document"},
        {"{" HEAD ", status: {token: sesame, expirationTimestamp: '2001-01-01T00:00:00Z'}}",
         "bin/login printed: a credential that expired at 2001-01-01T00:00:00Z"},
        {"{" HEAD ", status: {clientCertificateData: sesame, clientKeyData: sesame}}",
         "bin/login printed: client certificate: there is no PEM certificate in it"},
    };
    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        test_plugin_answer(test, answers[i][0]);
        fails(test, ERROR_INVALID, answers[i][1]);
    }
}

static void gives_the_install_hint_with_a_failure(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never, installHint: 'Install it, then log in'");
    test_plugin_answer(test, "sesame");
    test_plugin_set_failing(test, true);
    fails(test, ERROR_SYSTEM, "bin/login ended with status 3. Install it, then log in");
    test_folder_remove(&test->folder, "bin/login");
    fails(test, ERROR_SYSTEM, "bin/login: no such file or directory. Install it, then log in");
}

static void gives_up_at_the_deadline(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never, installHint: not here");
    test->options.exec_deadline_ms = 100;
    test_plugin_set_held(test, true);
    fails(test, ERROR_TIMEOUT, "bin/login has not ended within 100 ms");
}

static void is_killed_with_its_access(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_set_held(test, true);
    test_access_open(test);
    assert_int_equal(test_access_get(test), CREDENTIALS_PENDING);
    access_free(test->access); /* teardown's loop_free would wait for the plugin */
    test->access = NULL;
    assert_int_equal(test->changed_count, 0);
}

struct input {
    int saved, master, slave;
};

static struct input use_terminal(bool terminal)
{
    struct input input = {.saved = dup(STDIN_FILENO)};
    assert_int_equal(openpty(&input.master, &input.slave, NULL, NULL, NULL), 0);
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(dup2(terminal ? input.slave : fds[0], STDIN_FILENO), STDIN_FILENO);
    close(fds[0]);
    close(fds[1]);
    return input;
}

static void restore(struct input input)
{
    dup2(input.saved, STDIN_FILENO);
    close(input.saved);
    close(input.master);
    close(input.slave);
}

static void lends_a_terminal_to_a_plugin_that_may_ask(void **state)
{
    struct test_access *test = *state;
    static const char *const modes[] = {"interactiveMode: Always", "interactiveMode: IfAvailable"};
    struct input input = use_terminal(true);
    test_plugin_answer_token(test, "sesame", 0);
    for (size_t i = 0; i < 2; i++) {
        test_folder_remove(&test->folder, "runs");
        test_plugin_write(test, "", modes[i]);
        test_plugin_open(test);
        assert_string_equal(test_plugin_runs(test), "terminal|||\n");
        assert_string_equal(test_plugin_info(test), "{" HEAD ",\"spec\":{\"interactive\":true}}");
        access_free(test->access);
        test->access = NULL;
    }
    test_folder_remove(&test->folder, "runs");
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_open(test);
    assert_string_equal(test_plugin_runs(test), "none|||\n");
    restore(input);
}

static void does_without_a_terminal_if_it_may(void **state)
{
    struct test_access *test = *state;
    struct input input = use_terminal(false);
    test_plugin_answer_token(test, "sesame", 0);
    test_plugin_write(test, "", "interactiveMode: IfAvailable");
    test_plugin_open(test);
    assert_string_equal(test_plugin_runs(test), "none|||\n");
    assert_string_equal(test_plugin_info(test), "{" HEAD ",\"spec\":{\"interactive\":false}}");
    access_free(test->access);
    test->access = NULL;

    test_plugin_write(test, "", "interactiveMode: Always");
    test_access_refuse(test, arena_print(&test->folder.arena,
                                         "the exec plugin %s/bin/login wants a terminal "
                                         "(interactiveMode: Always), and standard input is none",
                                         test->folder.path));
    restore(input);
}

#define access_test(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, test_access_setup, test_access_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        access_test(runs_once_and_keeps_the_token),
        access_test(gives_arguments_and_variables),
        access_test(tells_about_the_cluster_and_its_authority_file),
        access_test(reads_yaml),
        access_test(gives_a_client_certificate),
        access_test(says_what_is_wrong_with_the_answer),
        access_test(gives_the_install_hint_with_a_failure),
        access_test(gives_up_at_the_deadline),
        access_test(is_killed_with_its_access),
        access_test(lends_a_terminal_to_a_plugin_that_may_ask),
        access_test(does_without_a_terminal_if_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
