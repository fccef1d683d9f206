/* SPDX-License-Identifier: Apache-2.0 */
/* The real thing, from argv to sockets: a kubeconfig in a file and a server on loopback. */
#include "cli/session.h"

#include "base/timestamp.h"
#include "cli/adj.h"
#include "cli/cli.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

struct outcome {
    int code;
    char out[8192], err[8192];
};

static void write_kubeconfig(const char *path, const char *server, const char *extensions)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{clusters: [{name: c, cluster: {server: '%s', extensions: [%s]}}], users: [{name: u, "
            "user: {token: t}}],"
            " contexts: [{name: x, context: {cluster: c, user: u, namespace: team}}],"
            " current-context: x}\n",
            server, extensions);
    fclose(file);
}

static bool open_real(void *opener, const struct access_options *options, struct session *out,
                      struct error *error)
{
    (void)opener;
    return session_open(options, out, error);
}

/* `adj COMMAND --kubeconfig FILE OPERAND OPTION`; operand, option NULL: none. */
static void run_adj(const char *command, const char *operand, const char *option,
                    const char *server, const char *extensions, struct outcome *outcome)
{
    char path[] = "/tmp/adj-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_kubeconfig(path, server, extensions);
    *outcome = (struct outcome){.code = -1};
    struct cli cli = {
        .out = fmemopen(outcome->out, sizeof(outcome->out), "w"),
        .err = fmemopen(outcome->err, sizeof(outcome->err), "w"),
        .open_session = open_real,
    };
    char words[5][64] = {"adj", "", "--kubeconfig"};
    int count = 4;
    snprintf(words[1], sizeof(words[1]), "%s", command);
    char *argv[] = {words[0], words[1], words[2], path, NULL, NULL};
    if (operand != NULL) {
        snprintf(words[3], sizeof(words[3]), "%s", operand);
        argv[count++] = words[3];
    }
    if (option != NULL) {
        snprintf(words[4], sizeof(words[4]), "%s", option);
        argv[count++] = words[4];
    }
    outcome->code = (int)cli_execute(&cli, count, argv);
    fclose(cli.out);
    fclose(cli.err);
    unlink(path);
}

static void run_list(const char *server, const char *extensions, struct outcome *outcome)
{
    run_adj("list", NULL, NULL, server, extensions, outcome);
}

static void a_command_speaks_with_the_server_of_its_kubeconfig(void **state)
{
    (void)state;
    static const struct test_step script[] = {
        {.kind = TEST_SERVE, .text = "{\"metadata\":{},\"items\":[]}"}, {.kind = TEST_END}};
    static const struct test_step *const scripts[] = {script, NULL};
    struct test_server_options options = {.scripts = scripts};
    struct test_server *server = test_server_new(&options);
    struct outcome outcome;
    run_list(test_server_url(server), "", &outcome);
    assert_int_equal(outcome.code, CLI_OK);
    assert_string_equal(outcome.err, "There are no Instances in namespace team.\n");
    assert_int_equal(test_server_request_count(server), 1);
    assert_true(test_server_request_has(
        server, 0, "GET /apis/adjoint.dev/v1alpha1/namespaces/team/instances HTTP/1.1"));
    assert_true(test_server_request_has(server, 0, "User-Agent: adj/"));
    assert_true(test_server_request_has(server, 0, "Authorization: Bearer t"));
    test_server_free(server);
}

/* An hour there is a second here: what was made there when both showed the same time, ten seconds
   ago here, is ten hours old. */
static void ages_are_by_the_clock_of_a_simulated_server(void **state)
{
    (void)state;
    struct timespec now;
    char from[TIMESTAMP_BYTES], extensions[256], body[512];
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    timestamp_format_seconds((now.tv_sec - 10) * INT64_C(1000), from);
    snprintf(extensions, sizeof(extensions),
             "{name: adjoint.dev/clock, extension: {speed: 3600, from: '%s'}}", from);
    snprintf(body, sizeof(body),
             "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"db\",\"namespace\":\"team\","
             "\"uid\":\"u\",\"resourceVersion\":\"1\",\"creationTimestamp\":\"%s\"},"
             "\"spec\":{\"pool\":{\"name\":\"p\",\"namespace\":\"q\"}}}]}",
             from);
    const struct test_step script[] = {{.kind = TEST_SERVE, .text = body}, {.kind = TEST_END}};
    const struct test_step *const scripts[] = {script, NULL};
    struct test_server_options options = {.scripts = scripts};
    struct test_server *server = test_server_new(&options);
    struct outcome outcome;
    run_list(test_server_url(server), extensions, &outcome);
    assert_int_equal(outcome.code, CLI_OK);
    assert_non_null(strstr(outcome.out, " 10h\n"));
    test_server_free(server);
}

static void a_server_that_is_not_there_is_named_with_its_kubeconfig(void **state)
{
    (void)state;
    struct outcome outcome;
    run_list("http://127.0.0.1:1", "", &outcome);
    assert_int_equal(outcome.code, CLI_ERROR);
    assert_non_null(strstr(outcome.err, "cannot reach the API server: http://127.0.0.1:1: "
                                        "Connection refused (context x of /tmp/adj-test-"));
    assert_string_equal(outcome.out, "");
}

static void a_server_elsewhere_is_given_no_credentials(void **state)
{
    (void)state;
    static const struct test_step script[] = {
        {.kind = TEST_SERVE, .text = "adjoint_build_info{version=\"0.1.9\"} 1\n"},
        {.kind = TEST_END}};
    static const struct test_step *const scripts[] = {script, NULL};
    struct test_server_options options = {.scripts = scripts};
    struct test_server *server = test_server_new(&options);
    struct outcome outcome;
    char url[64];
    snprintf(url, sizeof(url), "--operator-url=%s", test_server_url(server));
    run_adj("version", NULL, url, "http://127.0.0.1:1", "", &outcome);
    assert_int_equal(outcome.code, CLI_OK);
    assert_non_null(strstr(outcome.out, "adjoint-operator 0.1.9, http://127.0.0.1:"));
    assert_true(test_server_request_has(server, 0, "GET /metrics HTTP/1.1"));
    assert_false(test_server_request_has(server, 0, "Authorization"));
    test_server_free(server);
}

static void a_kubeconfig_that_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    struct outcome outcome;
    run_list("nonsense://", "", &outcome);
    assert_int_equal(outcome.code, CLI_ERROR);
    assert_non_null(strstr(outcome.err, "adj: "));
}

/* What an upgrade makes possible needs a pod: tests/end_to_end. */
static void a_port_that_may_not_be_forwarded_is_told_with_the_servers_words(void **state)
{
    (void)state;
    static const struct test_step replies[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER,
         .text = "{\"metadata\":{\"name\":\"db\",\"namespace\":\"team\",\"uid\":\"u\"},\"spec\":{"
                 "\"pool\":{\"name\":\"p\",\"namespace\":\"q\"}},\"status\":{\"phase\":\"Ready\","
                 "\"connection\":{\"host\":\"h\",\"secret\":\"db-app\"}}}"},
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER, .text = "{\"metadata\":{\"name\":\"db\",\"namespace\":\"team\"}}"},
        {.kind = TEST_HOLD}};
    static const struct test_step refuses[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER,
         .text = "{\"kind\":\"Status\",\"message\":\"not you\"}",
         .count = 403},
        {.kind = TEST_END}};
    static const struct test_step *const scripts[] = {replies, refuses, NULL};
    struct test_server_options options = {.scripts = scripts};
    struct test_server *server = test_server_new(&options);
    struct outcome outcome;
    run_adj("connect", "db", "--address", test_server_url(server), "", &outcome);
    assert_int_equal(outcome.code, CLI_ERROR);
    assert_non_null(strstr(outcome.err, "adj: not you: it takes the verbs get and create"));
    assert_non_null(strstr(outcome.out, "port-forward service/db-rw 5432"));
    assert_true(test_server_request_has(
        server, 2, "GET /api/v1/namespaces/team/pods/db-1/portforward?ports=5432 HTTP/1.1"));
    assert_true(test_server_request_has(server, 2, "Authorization: Bearer t\r\n"));
    test_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_speaks_with_the_server_of_its_kubeconfig),
        cmocka_unit_test(ages_are_by_the_clock_of_a_simulated_server),
        cmocka_unit_test(a_server_that_is_not_there_is_named_with_its_kubeconfig),
        cmocka_unit_test(a_server_elsewhere_is_given_no_credentials),
        cmocka_unit_test(a_kubeconfig_that_cannot_be_read_is_an_error),
        cmocka_unit_test(a_port_that_may_not_be_forwarded_is_told_with_the_servers_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
