/* SPDX-License-Identifier: Apache-2.0 */
/* How a connection is opened, and what keeps it from being. */
#include "io/port_forward.h"

#include "support/forward_fixture.h"
#include "support/test_authority.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void expect_probe(const struct test_step *const *scripts, enum error_class class,
                         const char *message)
{
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, class);
    assert_non_null(strstr(fixture.error.message, message));
    forward_fixture_release(&fixture);
}

/* ---- what goes wrong at first ---- */

static void a_probe_opens_a_connection_and_closes_it(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(FORWARD_OPEN), {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {script, NULL};
    expect_probe(scripts, ERROR_NONE, "");
}

static void a_refusal_is_told_with_the_servers_words(void **state)
{
    (void)state;
    static const struct test_step refuses[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER, .text = "{\"message\":\"no\"}", .count = 403},
        {.kind = TEST_END}};
    static const struct test_step *const scripts[] = {refuses, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_UNAVAILABLE);
    assert_int_equal(fixture.error.http_status, 403);
    assert_string_equal(fixture.refusal, "{\"message\":\"no\"}");
    forward_fixture_release(&fixture);
}

/* kube-apiserver's proxy closes where it does not say how long a body is. */
static void a_refusal_may_end_with_its_connection(void **state)
{
    (void)state;
    static const struct test_step refuses[] = {
        {.kind = TEST_READ},
        FORWARD_SAYS("HTTP/1.1 404 Not Found\r\n\r\nno such pod"),
        {.kind = TEST_END}};
    static const struct test_step *const scripts[] = {refuses, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.http_status, 404);
    assert_string_equal(fixture.refusal, "no such pod");
    forward_fixture_release(&fixture);
}

static void credentials_are_read_again_after_a_401(void **state)
{
    (void)state;
    static const struct test_step refuses[] = {
        {.kind = TEST_READ}, {.kind = TEST_ANSWER, .text = "{}", .count = 401}, {.kind = TEST_END}};
    const struct test_step *const scripts[] = {refuses, forward_echo[0], NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    fixture.token_renewed = "n3w";
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_NONE);
    assert_true(test_server_request_has(fixture.server, 1, "Authorization: Bearer n3w\r\n"));
    forward_fixture_release(&fixture);

    static const struct test_step *const stubborn[] = {refuses, NULL};
    forward_fixture_init(&fixture, stubborn, NULL);
    fixture.token_renewed = "n3w";
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.http_status, 401);
    assert_int_equal(test_server_connection_count(fixture.server), 2);
    forward_fixture_release(&fixture);
}

static void who_speaks_something_else_is_refused(void **state)
{
    (void)state;
    static const struct test_step other_key[] = {
        {.kind = TEST_READ},
        FORWARD_SAYS(FORWARD_HEAD("AAAA", "v4.channel.k8s.io")),
        {.kind = TEST_HOLD}};
    static const struct test_step *const other_key_scripts[] = {other_key, NULL};
    expect_probe(other_key_scripts, ERROR_UNAVAILABLE, "what answers there speaks no WebSocket");
    static const struct test_step other_protocol[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(FORWARD_HEAD(FORWARD_ACCEPT, "v5")), {.kind = TEST_HOLD}};
    static const struct test_step *const other_protocol_scripts[] = {other_protocol, NULL};
    expect_probe(other_protocol_scripts, ERROR_UNAVAILABLE,
                 "the server does not speak v4.channel.k8s.io");
    static const struct test_step no_http[] = {
        {.kind = TEST_READ}, FORWARD_SAYS("SSH-2.0\r\n\r\n"), {.kind = TEST_HOLD}};
    static const struct test_step *const no_http_scripts[] = {no_http, NULL};
    expect_probe(no_http_scripts, ERROR_UNAVAILABLE, "what answers there speaks no HTTP/1.1");
    static const struct test_step hangs_up[] = {{.kind = TEST_READ}, {.kind = TEST_END}};
    static const struct test_step *const hangs_up_scripts[] = {hangs_up, NULL};
    expect_probe(hangs_up_scripts, ERROR_UNAVAILABLE, "the connection closed before a reply");
}

static void who_does_not_answer_is_not_waited_for(void **state)
{
    (void)state;
    static const struct test_step holds[] = {{.kind = TEST_READ}, {.kind = TEST_HOLD}};
    static const struct test_step *const scripts[] = {holds, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    fixture.options.open_deadline_ms = 50;
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_string_equal(fixture.error.message, "no connection to the pod within 50 ms");
    forward_fixture_release(&fixture);
}

static bool was_asked_again(struct forward_fixture *fixture)
{
    return fixture->asked_count >= 3;
}

static void no_credentials_are_an_error_and_pending_ones_are_waited_for(void **state)
{
    (void)state;
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, forward_echo, NULL);
    fixture.state = CREDENTIALS_FAILED;
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_UNAUTHORIZED);
    assert_string_equal(fixture.error.message, "no login");
    fixture.state = CREDENTIALS_PENDING;
    forward_fixture_connect(&fixture, 0);
    forward_fixture_say(&fixture, 0, "hi");
    forward_fixture_run(&fixture, was_asked_again);
    fixture.state = CREDENTIALS_READY;
    forward_fixture_finish(&fixture);
    assert_string_equal(fixture.taken[0].bytes, "hello");
    forward_fixture_release(&fixture);
}

static void a_server_that_is_gone_is_an_error(void **state)
{
    (void)state;
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, forward_echo, NULL);
    fixture.set.server = "http://127.0.0.1:1";
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_UNAVAILABLE);
    assert_non_null(strstr(fixture.error.message, "Connection refused"));
    forward_fixture_release(&fixture);
}

/* ---- TLS and proxies ---- */

static void tls_and_a_proxy_are_used_as_for_calls(void **state)
{
    (void)state;
    struct test_authority *authority = test_authority_new("ca");
    struct test_certificate certificate;
    test_authority_issue(authority, "server", "DNS:api.example.test", 3600, &certificate);
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, forward_echo, &certificate);
    const struct test_step tunnels[] = {
        {.kind = TEST_READ},
        FORWARD_SAYS("HTTP/1.1 200 Connection established\r\n\r\n"),
        {.kind = TEST_TUNNEL, .count = test_server_port(fixture.server)}};
    const struct test_step *const proxy_scripts[] = {tunnels, NULL};
    struct test_server_options proxy_options = {.scripts = proxy_scripts};
    struct test_server *proxy = test_server_new(&proxy_options);
    fixture.set.server = "https://api.example.test:6443/base";
    fixture.set.authority_pem = test_authority_pem(authority);
    fixture.set.proxy_url = test_server_url(proxy);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_say(&fixture, 0, "hi");
    forward_fixture_finish(&fixture);
    assert_string_equal(fixture.taken[0].bytes, "hello");
    assert_true(test_server_request_has(proxy, 0, "CONNECT api.example.test:6443 "));
    assert_true(test_server_request_has(fixture.server, 0,
                                        "GET /base" FORWARD_TARGET
                                        " HTTP/1.1\r\nHost: api.example.test:6443\r\n"));
    forward_fixture_release(&fixture);
    test_server_free(proxy);

    forward_fixture_init(&fixture, forward_echo, &certificate);
    fixture.set.authority_pem = test_authority_pem(authority);
    forward_fixture_listen(&fixture);
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_UNAVAILABLE); /* another host's certificate */
    assert_int_equal(test_server_request_count(fixture.server), 0);
    fixture.set.tls_server_name = "api.example.test";
    forward_fixture_probe(&fixture);
    assert_int_equal(fixture.error.class, ERROR_NONE);
    forward_fixture_release(&fixture);
    test_certificate_release(&certificate);
    test_authority_free(authority);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_opens_a_connection_and_closes_it),
        cmocka_unit_test(a_refusal_is_told_with_the_servers_words),
        cmocka_unit_test(a_refusal_may_end_with_its_connection),
        cmocka_unit_test(credentials_are_read_again_after_a_401),
        cmocka_unit_test(who_speaks_something_else_is_refused),
        cmocka_unit_test(who_does_not_answer_is_not_waited_for),
        cmocka_unit_test(no_credentials_are_an_error_and_pending_ones_are_waited_for),
        cmocka_unit_test(a_server_that_is_gone_is_an_error),
        cmocka_unit_test(tls_and_a_proxy_are_used_as_for_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
