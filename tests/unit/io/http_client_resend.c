/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that close under a request: a write is never sent twice, a GET once more. */
#include "support/test_client.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step closes_on_first[] = {{.kind = TEST_READ}, {.kind = TEST_END}};
static const struct test_step resets_on_first[] = {{.kind = TEST_READ}, {.kind = TEST_RESET}};
static const struct test_step closes_on_second[] = {{.kind = TEST_READ},
                                                    {.kind = TEST_ANSWER, .text = "{}"},
                                                    {.kind = TEST_READ},
                                                    {.kind = TEST_END}};
static const struct test_step resets_on_second[] = {{.kind = TEST_READ},
                                                    {.kind = TEST_ANSWER, .text = "{}"},
                                                    {.kind = TEST_READ},
                                                    {.kind = TEST_RESET}};
static const struct test_step closes_when_told[] = {{.kind = TEST_READ},
                                                    {.kind = TEST_ANSWER, .text = "{}"},
                                                    {.kind = TEST_AWAIT},
                                                    {.kind = TEST_END}};
static const struct test_step says_close[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND,
     .text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"},
    {.kind = TEST_END}};

struct pair {
    struct test_server *server;
    struct test_client client;
};

static void open_pair(struct pair *pair, const struct test_step *const *scripts,
                      const struct test_certificate *certificate, const char *authority_pem)
{
    struct test_server_options options = {.scripts = scripts, .certificate = certificate};
    pair->server = test_server_new(&options);
    test_client_init(&pair->client, test_server_url(pair->server), authority_pem, NULL);
}

static void close_pair(struct pair *pair)
{
    test_client_release(&pair->client);
    test_server_free(pair->server);
}

static struct error run(struct pair *pair, enum method method)
{
    struct request request = test_request(method, "/p");
    struct test_call call;
    test_call_run(&call, &pair->client, &request);
    struct error error = call.error;
    test_call_release(&call);
    return error;
}

static int count_sent(struct pair *pair, const char *method)
{
    int count = 0;
    for (int i = 0; i < test_server_request_count(pair->server); i++) {
        count += text_starts_with(test_server_request(pair->server, i), method) ? 1 : 0;
    }
    return count;
}

static void assert_write_is_sent_once(enum method method, const struct test_step *first)
{
    const struct test_step *const scripts[] = {first, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts, NULL, NULL);
    if (first == closes_on_second || first == resets_on_second) {
        assert_int_equal(run(&pair, METHOD_GET).class, ERROR_NONE);
    }
    struct error error = run(&pair, method);
    assert_int_equal(error.class, ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, test_server_url(pair.server)));
    assert_non_null(strstr(error.message, method_name(method)));
    assert_int_equal(count_sent(&pair, method_name(method)), 1);
    close_pair(&pair);
}

static void a_write_on_a_kept_connection_is_never_sent_again(void **state)
{
    (void)state;
    static const enum method writes[] = {METHOD_POST, METHOD_PUT, METHOD_PATCH, METHOD_DELETE};
    for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
        assert_write_is_sent_once(writes[i], closes_on_second);
        assert_write_is_sent_once(writes[i], resets_on_second);
    }
}

static void a_write_on_a_new_connection_is_never_sent_again(void **state)
{
    (void)state;
    assert_write_is_sent_once(METHOD_PATCH, closes_on_first);
    assert_write_is_sent_once(METHOD_PATCH, resets_on_first);
}

static void assert_get_is_sent_twice(const struct test_step *first)
{
    const struct test_step *const scripts[] = {first, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts, NULL, NULL);
    int earlier_count = 0;
    if (first == closes_on_second || first == resets_on_second) {
        assert_int_equal(run(&pair, METHOD_PATCH).class, ERROR_NONE);
        earlier_count = 1;
    }
    assert_int_equal(run(&pair, METHOD_GET).class, ERROR_NONE);
    assert_int_equal(count_sent(&pair, "GET"), 2);
    assert_int_equal(test_server_request_connection(pair.server, earlier_count), 0);
    assert_int_equal(test_server_request_connection(pair.server, earlier_count + 1), 1);
    close_pair(&pair);
}

static void a_get_is_sent_once_more_on_a_new_connection(void **state)
{
    (void)state;
    assert_get_is_sent_twice(closes_on_first);
    assert_get_is_sent_twice(resets_on_first);
    assert_get_is_sent_twice(closes_on_second);
    assert_get_is_sent_twice(resets_on_second);
}

static bool two_are_open(void *self)
{
    return test_server_open_count(self) <= 2;
}

static bool turned_many_times(void *self)
{
    return ((const struct test_client *)self)->turn_count >= 50;
}

/* Else it would be lost with the second of several connections that a restart has cut. Those that
   it has not tried stay open. */
static void the_second_try_of_a_get_takes_no_other_kept_connection(void **state)
{
    (void)state;
    enum { KEPT_COUNT = 3 };
    const struct test_step *const scripts[] = {closes_on_second, closes_on_second, closes_on_second,
                                               serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts, NULL, NULL);
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call calls[KEPT_COUNT];
    for (size_t i = 0; i < KEPT_COUNT; i++) {
        test_call_start(&calls[i], &pair.client, &request);
    }
    for (size_t i = 0; i < KEPT_COUNT; i++) {
        if (calls[i].end_count == 0) {
            test_call_finish(&calls[i], &pair.client);
        }
        assert_int_equal(calls[i].error.class, ERROR_NONE);
        test_call_release(&calls[i]);
    }
    assert_int_equal(test_server_connection_count(pair.server), KEPT_COUNT);
    assert_int_equal(run(&pair, METHOD_GET).class, ERROR_NONE);
    assert_int_equal(count_sent(&pair, "GET"), 2);
    assert_int_equal(test_server_request_connection(pair.server, KEPT_COUNT + 1), KEPT_COUNT);
    test_client_run(&pair.client, two_are_open, pair.server);
    pair.client.turn_count = 0;
    test_client_run(&pair.client, turned_many_times, &pair.client);
    assert_int_equal(test_server_open_count(pair.server), 2);
    close_pair(&pair);
}

static void a_get_is_not_sent_a_third_time(void **state)
{
    (void)state;
    static const struct test_step *const firsts[] = {closes_on_first, closes_on_second};
    for (size_t i = 0; i < 2; i++) {
        const struct test_step *const scripts[] = {firsts[i], closes_on_first, NULL};
        struct pair pair;
        open_pair(&pair, scripts, NULL, NULL);
        if (i == 1) {
            assert_int_equal(run(&pair, METHOD_PATCH).class, ERROR_NONE);
        }
        assert_int_equal(run(&pair, METHOD_GET).class, ERROR_TIMEOUT);
        assert_int_equal(count_sent(&pair, "GET"), 2);
        close_pair(&pair);
    }
}

static bool all_are_closed(void *self)
{
    return test_server_open_count(self) == 0;
}

/* A restarting server says goodbye to idle connections; nothing was lost then. */
static void assert_closed_idle_connection_is_not_used(const struct test_certificate *certificate,
                                                      const char *authority_pem)
{
    const struct test_step *const scripts[] = {closes_when_told, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts, certificate, authority_pem);
    assert_int_equal(run(&pair, METHOD_GET).class, ERROR_NONE);
    test_server_go(pair.server);
    test_client_run(&pair.client, all_are_closed, pair.server);
    assert_int_equal(run(&pair, METHOD_PATCH).class, ERROR_NONE);
    assert_int_equal(count_sent(&pair, "PATCH"), 1);
    close_pair(&pair);
}

static void a_write_does_not_use_a_connection_that_was_closed_while_idle(void **state)
{
    (void)state;
    assert_closed_idle_connection_is_not_used(NULL, NULL);
}

static void nor_one_with_tls(void **state)
{
    (void)state;
    struct test_authority *authority = test_authority_new("ca");
    struct test_certificate certificate;
    test_authority_issue(authority, "server", "IP:127.0.0.1", 3600, &certificate);
    assert_closed_idle_connection_is_not_used(&certificate, test_authority_pem(authority));
    test_certificate_release(&certificate);
    test_authority_free(authority);
}

static void a_server_may_close_after_each_reply(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {says_close, NULL};
    struct pair pair;
    open_pair(&pair, scripts, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run(&pair, i == 1 ? METHOD_PATCH : METHOD_GET).class, ERROR_NONE);
    }
    assert_int_equal(test_server_connection_count(pair.server), 3);
    assert_int_equal(test_server_request_count(pair.server), 3);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_on_a_kept_connection_is_never_sent_again),
        cmocka_unit_test(a_write_on_a_new_connection_is_never_sent_again),
        cmocka_unit_test(a_get_is_sent_once_more_on_a_new_connection),
        cmocka_unit_test(the_second_try_of_a_get_takes_no_other_kept_connection),
        cmocka_unit_test(a_get_is_not_sent_a_third_time),
        cmocka_unit_test(a_write_does_not_use_a_connection_that_was_closed_while_idle),
        cmocka_unit_test(nor_one_with_tls),
        cmocka_unit_test(a_server_may_close_after_each_reply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
