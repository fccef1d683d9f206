/* SPDX-License-Identifier: Apache-2.0 */
/* 401, credentials that take time, and credentials that change. */
#include "support/test_client.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step refuses[] = {
    {.kind = TEST_SERVE, .count = 401, .text = "who are you"}};
static const struct test_step refuses_once[] = {
    {.kind = TEST_READ},
    {.kind = TEST_ANSWER, .count = 401, .text = "who are you"},
    {.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step refuses_and_closes[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND,
     .text = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 9\r\n\r\nwho"},
    {.kind = TEST_END}};

struct pair {
    struct test_server *server;
    struct test_client client;
};

static void open_pair(struct pair *pair, const struct test_step *const *scripts)
{
    struct test_server_options options = {.scripts = scripts};
    pair->server = test_server_new(&options);
    test_client_init(&pair->client, test_server_url(pair->server), NULL, NULL);
    pair->client.set.token = "old";
}

static void close_pair(struct pair *pair)
{
    test_client_release(&pair->client);
    test_server_free(pair->server);
}

static void assert_retried(const struct test_step *first, enum method method, bool watch)
{
    const struct test_step *const scripts[] = {first, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    pair.client.token_renewed = "new";
    struct request request = test_request(method, "/p");
    request.watch = watch;
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, ERROR_NONE);
    assert_int_equal(call.head_count, 1);
    assert_int_equal(call.http_status, 200);
    assert_string_equal(call.body.bytes, "{}");
    assert_int_equal(pair.client.invalidate_count, 1);
    assert_int_equal(test_server_request_count(pair.server), 2);
    assert_true(test_server_request_has(pair.server, 0, "Authorization: Bearer old\r\n"));
    assert_true(test_server_request_has(pair.server, 1, "Authorization: Bearer new\r\n"));
    test_call_release(&call);
    close_pair(&pair);
}

static void a_401_is_retried_with_credentials_read_again(void **state)
{
    (void)state;
    assert_retried(refuses_once, METHOD_GET, false);
    assert_retried(refuses_once, METHOD_PATCH, false);
    assert_retried(refuses_once, METHOD_POST, false);
    assert_retried(refuses, METHOD_GET, true);
}

static void a_401_that_breaks_off_is_one_too(void **state)
{
    (void)state;
    assert_retried(refuses_and_closes, METHOD_POST, false);
}

static void the_second_401_goes_to_the_sink(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {refuses, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_request(METHOD_PATCH, "/p");
    for (int i = 1; i <= 2; i++) {
        struct test_call call;
        test_call_run(&call, &pair.client, &request);
        assert_int_equal(call.error.class, ERROR_NONE);
        assert_int_equal(call.head_count, 1);
        assert_int_equal(call.http_status, 401);
        assert_string_equal(call.body.bytes, "who are you");
        assert_int_equal(pair.client.invalidate_count, i);
        assert_int_equal(test_server_request_count(pair.server), 2 * i);
        test_call_release(&call);
    }
    close_pair(&pair);
}

/* The retry of a 401 counts sendings anew, but still sends a write once. */
static void the_retry_of_a_write_is_not_sent_again_either(void **state)
{
    (void)state;
    static const struct test_step refuses_then_closes[] = {{.kind = TEST_READ},
                                                           {.kind = TEST_ANSWER, .count = 401},
                                                           {.kind = TEST_READ},
                                                           {.kind = TEST_END}};
    const struct test_step *const scripts[] = {refuses_then_closes, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, ERROR_UNKNOWN);
    assert_int_equal(test_server_request_count(pair.server), 2);
    test_call_release(&call);
    close_pair(&pair);
}

static bool turned_a_few_times(void *self)
{
    return ((const struct test_client *)self)->turn_count >= 5;
}

static void calls_wait_for_credentials_that_take_time(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    pair.client.state = CREDENTIALS_PENDING;
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call calls[2];
    test_call_start(&calls[0], &pair.client, &request);
    test_call_start(&calls[1], &pair.client, &request);
    test_client_run(&pair.client, turned_a_few_times, &pair.client);
    assert_int_equal(test_server_connection_count(pair.server), 0);

    pair.client.state = CREDENTIALS_READY;
    pair.client.changed(pair.client.listener);
    for (size_t i = 0; i < 2; i++) {
        if (calls[i].end_count == 0) {
            test_call_finish(&calls[i], &pair.client);
        }
        assert_int_equal(calls[i].error.class, ERROR_NONE);
        test_call_release(&calls[i]);
    }
    close_pair(&pair);
}

static void waiting_ends_at_the_deadline(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    pair.client.state = CREDENTIALS_PENDING;
    struct request request = test_request(METHOD_GET, "/p");
    request.deadline_ms = 30;
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, ERROR_UNAUTHORIZED);
    assert_string_equal(call.error.message, "no credentials within 30 ms");
    test_call_release(&call);
    close_pair(&pair);
}

static void credentials_that_fail_end_the_call_with_their_reason(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    pair.client.failure = "aws: no such command in PATH";
    struct request request = test_request(METHOD_GET, "/p");
    for (int i = 0; i < 2; i++) {
        struct test_call call;
        pair.client.state = i == 0 ? CREDENTIALS_FAILED : CREDENTIALS_PENDING;
        test_call_start(&call, &pair.client, &request);
        assert_int_equal(call.end_count, 0); /* not from inside start */
        pair.client.state = CREDENTIALS_FAILED;
        if (i == 1) {
            pair.client.changed(pair.client.listener);
        }
        assert_int_equal(call.end_count, 0);
        test_call_finish(&call, &pair.client);
        assert_int_equal(call.error.class, ERROR_UNAUTHORIZED);
        assert_string_equal(call.error.message, "aws: no such command in PATH");
        test_call_release(&call);
    }
    close_pair(&pair);
}

static void a_waiting_and_a_failed_call_can_be_cancelled(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    pair.client.failure = "no";
    struct request request = test_request(METHOD_GET, "/p");
    for (int i = 0; i < 2; i++) {
        struct test_call call;
        pair.client.state = i == 0 ? CREDENTIALS_FAILED : CREDENTIALS_PENDING;
        test_call_start(&call, &pair.client, &request);
        pair.client.transport.cancel(pair.client.transport.self, call.call);
        pair.client.turn_count = 0;
        test_client_run(&pair.client, turned_a_few_times, &pair.client);
        assert_int_equal(call.end_count, 0);
        test_call_release(&call);
    }
    close_pair(&pair);
}

static void run_one(struct pair *pair)
{
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call call;
    test_call_run(&call, &pair->client, &request);
    assert_int_equal(call.error.class, ERROR_NONE);
    test_call_release(&call);
}

static void a_new_token_needs_no_new_connection(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    run_one(&pair);
    pair.client.set.token = "new";
    pair.client.set.generation++;
    run_one(&pair);
    assert_true(test_server_request_has(pair.server, 1, "Authorization: Bearer new\r\n"));
    assert_int_equal(test_server_connection_count(pair.server), 1);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_401_is_retried_with_credentials_read_again),
        cmocka_unit_test(a_401_that_breaks_off_is_one_too),
        cmocka_unit_test(the_second_401_goes_to_the_sink),
        cmocka_unit_test(the_retry_of_a_write_is_not_sent_again_either),
        cmocka_unit_test(calls_wait_for_credentials_that_take_time),
        cmocka_unit_test(waiting_ends_at_the_deadline),
        cmocka_unit_test(credentials_that_fail_end_the_call_with_their_reason),
        cmocka_unit_test(a_waiting_and_a_failed_call_can_be_cancelled),
        cmocka_unit_test(a_new_token_needs_no_new_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
