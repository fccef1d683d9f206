/* SPDX-License-Identifier: Apache-2.0 */
/* Who the server is, who we are, and what changes when either changes. */
#include "support/test_authority.h"
#include "support/test_client.h"
#include "support/test_server.h"

#include <openssl/ssl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* curl's own words, with the name behind them. */
#define NAME_DIFFERS "SSL: no alternative certificate subject name matches target host name "

enum { HOUR_S = 3600 };

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step one_event_then_silence[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND, .text = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nevent"},
    {.kind = TEST_HOLD}};
static const struct test_step *const all_serve[] = {serves, NULL};

struct bench {
    struct test_authority *authority, *other_authority;
    struct test_certificate certificate;
    struct test_server *server;
    struct test_client client;
};

/* The server's certificate is good for names until valid_s from now. */
static void open_bench(struct bench *bench, struct test_server_options options, const char *names,
                       long valid_s)
{
    *bench = (struct bench){.authority = test_authority_new("kubernetes"),
                            .other_authority = test_authority_new("kubernetes")};
    test_authority_issue(bench->authority, "kube-apiserver", names, valid_s, &bench->certificate);
    options.certificate = &bench->certificate;
    if (options.scripts == NULL) {
        options.scripts = all_serve;
    }
    if (options.client_authority_pem != NULL) {
        options.client_authority_pem = test_authority_pem(bench->other_authority);
    }
    bench->server = test_server_new(&options);
    test_client_init(&bench->client, test_server_url(bench->server),
                     test_authority_pem(bench->authority), NULL);
}

static void close_bench(struct bench *bench)
{
    test_client_release(&bench->client);
    test_server_free(bench->server);
    test_certificate_release(&bench->certificate);
    test_authority_free(bench->authority);
    test_authority_free(bench->other_authority);
}

static struct error run(struct bench *bench)
{
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call call;
    test_call_run(&call, &bench->client, &request);
    struct error error = call.error;
    test_call_release(&call);
    return error;
}

static void assert_works(struct bench *bench)
{
    struct error error = run(bench);
    assert_string_equal(error.message, "");
    assert_int_equal(error.class, ERROR_NONE);
}

static void assert_refused(struct bench *bench, const char *reason)
{
    struct error error = run(bench);
    assert_int_equal(error.class, ERROR_UNAVAILABLE);
    char expected[ERROR_MESSAGE_BYTES];
    snprintf(expected, sizeof(expected), "%s: %s", bench->client.set.server, reason);
    assert_string_equal(error.message, expected);
    assert_int_equal(test_server_request_count(bench->server), 0);
}

static void an_address_in_the_certificate_is_enough(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    assert_works(&bench);
    assert_string_equal(test_server_name_asked(bench.server, 0), "");
    close_bench(&bench);
}

static void http_2_is_not_offered(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    assert_works(&bench);
    assert_string_equal(test_server_protocols_asked(bench.server, 0), "\x08http/1.1");
    close_bench(&bench);
}

static void an_expired_certificate_is_called_that(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", -60);
    assert_refused(&bench, "its certificate has expired");
    close_bench(&bench);
}

static void a_wrong_name_is_called_that(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "DNS:example.test,IP:10.0.0.1", HOUR_S);
    assert_refused(&bench, NAME_DIFFERS "'127.0.0.1'");
    close_bench(&bench);
}

static void an_unknown_authority_is_called_that(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    bench.client.set.authority_pem = test_authority_pem(bench.other_authority); /* same name */
    assert_refused(&bench, "its certificate is signed by an unknown authority");
    struct test_authority *third = test_authority_new("another name");
    bench.client.set.authority_pem = test_authority_pem(third);
    assert_refused(&bench, "its certificate is signed by an unknown authority");
    test_authority_free(third);
    close_bench(&bench);
}

static void checks_can_be_switched_off_as_a_whole(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "DNS:example.test", -60);
    bench.client.set.authority_pem = NULL;
    bench.client.set.insecure_skip_tls_verify = true;
    assert_works(&bench);
    close_bench(&bench);
}

static void an_authority_that_is_garbage_is_no_authority(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    bench.client.set.authority_pem = "-----BEGIN NOTHING-----\n";
    assert_int_equal(run(&bench).class, ERROR_UNAVAILABLE);
    assert_int_equal(test_server_request_count(bench.server), 0);
    close_bench(&bench);
}

/* The name is asked for and checked; the connection and the Host header are the server's. */
static void a_tls_server_name_stands_in_for_the_servers(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "DNS:api.example.test", HOUR_S);
    bench.client.set.tls_server_name = "api.example.test";
    assert_works(&bench);
    assert_string_equal(test_server_name_asked(bench.server, 0), "api.example.test");
    char host[64];
    snprintf(host, sizeof(host), "\r\nHost: 127.0.0.1:%d\r\n", test_server_port(bench.server));
    assert_true(test_server_request_has(bench.server, 0, host));
    close_bench(&bench);
}

static void a_tls_server_name_is_checked(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    bench.client.set.tls_server_name = "api.example.test";
    assert_refused(&bench, NAME_DIFFERS "'api.example.test'");
    bench.client.set.tls_server_name = "::1";
    assert_refused(&bench, NAME_DIFFERS "'::1'");
    close_bench(&bench);
}

static void names_and_addresses_of_version_6_are_checked(void **state)
{
    (void)state;
    struct test_server_options options = {.address = "::1", .scripts = all_serve};
    struct test_server *probe = test_server_new(&options);
    if (probe == NULL) {
        skip(); /* this machine has no version 6 */
    }
    test_server_free(probe);
    struct bench bench;
    open_bench(&bench, options, "IP:::1", HOUR_S);
    assert_works(&bench);
    bench.client.set.tls_server_name = "::1";
    assert_works(&bench);
    close_bench(&bench);
}

/* Given a system that would still allow it; see main. */
static void tls_below_1_2_is_refused(void **state)
{
    (void)state;
    struct test_server_options options = {.tls_version_max = TLS1_1_VERSION};
    struct bench bench;
    open_bench(&bench, options, "IP:127.0.0.1", HOUR_S);
    assert_int_equal(run(&bench).class, ERROR_UNAVAILABLE);
    assert_int_equal(test_server_request_count(bench.server), 0);
    close_bench(&bench);
}

static bool one_is_open(void *self)
{
    return test_server_open_count(self) == 1;
}

static void a_new_authority_is_used_from_the_next_call_on(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, (struct test_server_options){0}, "IP:127.0.0.1", HOUR_S);
    assert_works(&bench);
    bench.client.set.authority_pem = test_authority_pem(bench.other_authority);
    bench.client.set.generation++;
    assert_int_equal(run(&bench).class, ERROR_UNAVAILABLE); /* not on the kept connection */
    bench.client.set.authority_pem = test_authority_pem(bench.authority);
    bench.client.set.generation++;
    assert_works(&bench);
    test_client_run(&bench.client, one_is_open, bench.server);
    close_bench(&bench);
}

static void use_certificate(struct bench *bench, const struct test_certificate *certificate)
{
    bench->client.set.certificate_pem = certificate->certificate_pem;
    bench->client.set.key_pem = certificate->key_pem;
    bench->client.set.generation++;
}

static bool two_are_open(void *self)
{
    return test_server_open_count(self) == 2;
}

static bool has_begun(void *self)
{
    return ((const struct test_call *)self)->head_count > 0;
}

static void a_new_client_certificate_closes_old_connections(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {one_event_then_silence, serves, NULL};
    struct test_server_options options = {.scripts = scripts, .client_authority_pem = "needed"};
    struct bench bench;
    open_bench(&bench, options, "IP:127.0.0.1", HOUR_S);
    struct test_certificate first, second;
    test_authority_issue(bench.other_authority, "first", NULL, HOUR_S, &first);
    test_authority_issue(bench.other_authority, "second", NULL, HOUR_S, &second);

    use_certificate(&bench, &first);
    struct request request = test_watch("/w");
    struct test_call watch;
    test_call_start(&watch, &bench.client, &request);
    test_client_run(&bench.client, has_begun, &watch);
    assert_works(&bench);
    assert_works(&bench);
    use_certificate(&bench, &second);
    assert_works(&bench);

    assert_int_equal(test_server_connection_count(bench.server), 3);
    assert_string_equal(test_server_client_name(bench.server, 1), "first");
    assert_string_equal(test_server_client_name(bench.server, 2), "second");
    /* The watch stays, the kept connection of the first certificate goes. */
    test_client_run(&bench.client, two_are_open, bench.server);
    assert_int_equal(watch.end_count, 0);

    bench.client.transport.cancel(bench.client.transport.self, watch.call);
    test_call_release(&watch);
    close_bench(&bench);
    test_certificate_release(&first);
    test_certificate_release(&second);
}

/* TLS 1.3: the server looks at our certificate when for us the handshake is over. */
static void a_refusal_of_our_certificate_comes_after_sending(void **state)
{
    (void)state;
    struct test_server_options options = {.client_authority_pem = "needed"};
    struct bench bench;
    open_bench(&bench, options, "IP:127.0.0.1", HOUR_S);
    assert_int_equal(run(&bench).class, ERROR_UNKNOWN);
    assert_int_equal(test_server_request_count(bench.server), 0);
    close_bench(&bench);
}

/* OpenSSL on Debian refuses old versions by itself. These tests are to fail without our own
   minimum, so they run with a configuration that allows everything. */
static bool allow_old_tls(char *path)
{
    static const char configuration[] = "openssl_conf = main\n[main]\nssl_conf = ssl\n"
                                        "[ssl]\nsystem_default = all\n"
                                        "[all]\nMinProtocol = TLSv1\n"
                                        "CipherString = DEFAULT:@SECLEVEL=0\n";
    int descriptor = mkstemp(path);
    size_t length = strlen(configuration);
    bool written = descriptor >= 0 && write(descriptor, configuration, length) == (ssize_t)length;
    return written && close(descriptor) == 0 && setenv("OPENSSL_CONF", path, 1) == 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_in_the_certificate_is_enough),
        cmocka_unit_test(http_2_is_not_offered),
        cmocka_unit_test(an_expired_certificate_is_called_that),
        cmocka_unit_test(a_wrong_name_is_called_that),
        cmocka_unit_test(an_unknown_authority_is_called_that),
        cmocka_unit_test(checks_can_be_switched_off_as_a_whole),
        cmocka_unit_test(an_authority_that_is_garbage_is_no_authority),
        cmocka_unit_test(a_tls_server_name_stands_in_for_the_servers),
        cmocka_unit_test(a_tls_server_name_is_checked),
        cmocka_unit_test(names_and_addresses_of_version_6_are_checked),
        cmocka_unit_test(tls_below_1_2_is_refused),
        cmocka_unit_test(a_new_authority_is_used_from_the_next_call_on),
        cmocka_unit_test(a_new_client_certificate_closes_old_connections),
        cmocka_unit_test(a_refusal_of_our_certificate_comes_after_sending),
    };
    char path[] = "/tmp/adjoint-test-openssl-XXXXXX";
    if (!allow_old_tls(path)) {
        return 1;
    }
    int failed_count = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed_count;
}
