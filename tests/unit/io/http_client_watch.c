/* SPDX-License-Identifier: Apache-2.0 */
/* Watches: deadlines of silence, connections of their own, and how they end. */
#include "support/test_client.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CHUNKED_HEAD "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

enum { SILENCE_MS = 400 };

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step black_hole[] = {{.kind = TEST_READ}, {.kind = TEST_HOLD}};
static const struct test_step one_event_then_silence[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND, .text = CHUNKED_HEAD "5\r\nevent\r\n"},
    {.kind = TEST_HOLD}};
static const struct test_step ends_cleanly[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND, .text = CHUNKED_HEAD "5\r\nevent\r\n0\r\n\r\n"},
    {.kind = TEST_HOLD}};
static const struct test_step breaks_off[] = {
    {.kind = TEST_READ},
    {.kind = TEST_SEND, .text = CHUNKED_HEAD "5\r\nevent\r\n"},
    {.kind = TEST_END}};
static const struct test_step closes_on_first[] = {{.kind = TEST_READ}, {.kind = TEST_END}};

struct pair {
    struct test_server *server;
    struct test_client client;
};

static void open_pair(struct pair *pair, const struct test_step *const *scripts)
{
    struct test_server_options options = {.scripts = scripts};
    pair->server = test_server_new(&options);
    test_client_init(&pair->client, test_server_url(pair->server), NULL, NULL);
}

static void close_pair(struct pair *pair)
{
    test_client_release(&pair->client);
    test_server_free(pair->server);
}

static void assert_plain_call_works(struct pair *pair)
{
    struct request request = test_request(METHOD_PATCH, "/plain");
    struct test_call call;
    test_call_run(&call, &pair->client, &request);
    assert_int_equal(call.error.class, ERROR_NONE);
    test_call_release(&call);
}

static bool has_a_byte(void *self)
{
    return ((const struct test_call *)self)->body.length_bytes > 0;
}

static bool all_are_closed(void *self)
{
    return test_server_open_count(self) == 0;
}

static void assert_watch_ends(const struct test_step *script, enum error_class class,
                              const char *message, const char *body)
{
    const struct test_step *const scripts[] = {script, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_watch("/w");
    request.deadline_ms = SILENCE_MS;
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, class);
    assert_non_null(strstr(call.error.message, message));
    assert_string_equal(call.body.bytes, body);
    assert_int_equal(call.http_status, body[0] == '\0' ? 0 : 200);
    test_call_release(&call);
    close_pair(&pair);
}

static void silence_ends_a_watch(void **state)
{
    (void)state;
    assert_watch_ends(one_event_then_silence, ERROR_TIMEOUT, "not a byte within 400 ms", "event");
    assert_watch_ends(black_hole, ERROR_TIMEOUT, "not a byte within 400 ms", "");
}

static void the_servers_end_is_no_error(void **state)
{
    (void)state;
    assert_watch_ends(ends_cleanly, ERROR_NONE, "", "event");
}

static void breaking_off_is_one(void **state)
{
    (void)state;
    assert_watch_ends(breaks_off, ERROR_TIMEOUT, "GET was sent, then", "event");
}

/* Three times as long as the silence that it is allowed. */
static void a_watch_lives_for_as_long_as_bytes_come(void **state)
{
    (void)state;
    static const struct test_step trickles[] = {{.kind = TEST_READ},
                                                {.kind = TEST_SEND, .text = CHUNKED_HEAD},
                                                {.kind = TEST_SEND, .text = "1\r\nx\r\n"},
                                                {.kind = TEST_REPEAT, .count = 3 * SILENCE_MS / 10},
                                                {.kind = TEST_SEND, .text = "0\r\n\r\n"},
                                                {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {trickles, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_watch("/w");
    request.deadline_ms = SILENCE_MS;
    struct test_call call;
    int64_t started_ms = loop_now(pair.client.loop).mono_ms;
    test_call_run(&call, &pair.client, &request);
    assert_true(loop_now(pair.client.loop).mono_ms - started_ms > 2 * SILENCE_MS);
    assert_int_equal(call.error.class, ERROR_NONE);
    assert_int_equal(call.body.length_bytes, 3 * SILENCE_MS / 10 + 1);
    test_call_release(&call);
    close_pair(&pair);
}

/* The same bytes do not keep a plain call alive. */
static void a_plain_calls_deadline_is_for_the_whole(void **state)
{
    (void)state;
    static const struct test_step trickles[] = {{.kind = TEST_READ},
                                                {.kind = TEST_SEND, .text = CHUNKED_HEAD},
                                                {.kind = TEST_SEND, .text = "1\r\nx\r\n"},
                                                {.kind = TEST_REPEAT, .count = 1000 * 1000}};
    const struct test_step *const scripts[] = {trickles, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    const enum method methods[] = {METHOD_GET, METHOD_PATCH};
    for (size_t i = 0; i < 2; i++) {
        struct request request = test_request(methods[i], "/p");
        request.deadline_ms = SILENCE_MS;
        struct test_call call;
        test_call_run(&call, &pair.client, &request);
        assert_int_equal(call.error.class, i == 0 ? ERROR_TIMEOUT : ERROR_UNKNOWN);
        assert_non_null(strstr(call.error.message, "no whole reply within 400 ms"));
        test_call_release(&call);
    }
    close_pair(&pair);
}

static void a_black_hole_ends_a_plain_call(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {black_hole, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_request(METHOD_POST, "/p");
    request.deadline_ms = 100;
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, ERROR_UNKNOWN);
    assert_int_equal(call.head_count, 0);
    test_call_release(&call);
    close_pair(&pair);
}

static void a_watch_takes_no_kept_connection_and_leaves_none(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {serves, ends_cleanly, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    assert_plain_call_works(&pair);
    struct request request = test_watch("/w");
    struct test_call watch;
    test_call_run(&watch, &pair.client, &request);
    assert_int_equal(watch.error.class, ERROR_NONE);
    test_call_release(&watch);
    assert_plain_call_works(&pair);
    assert_int_equal(test_server_request_connection(pair.server, 0), 0);
    assert_int_equal(test_server_request_connection(pair.server, 1), 1);
    assert_int_equal(test_server_request_connection(pair.server, 2), 0);
    assert_int_equal(test_server_open_count(pair.server), 1);
    close_pair(&pair);
}

static void a_watch_takes_over_the_connection_of_its_list(void **state)
{
    (void)state;
    static const struct test_step lists_then_watches[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER, .text = "{}"},
        {.kind = TEST_READ},
        {.kind = TEST_SEND, .text = CHUNKED_HEAD "5\r\nevent\r\n0\r\n\r\n"},
        {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {lists_then_watches, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request requests[] = {test_request(METHOD_GET, "/w"), test_watch("/w")};
    requests[0].list = true;
    for (size_t i = 0; i < 2; i++) {
        struct test_call call;
        test_call_run(&call, &pair.client, &requests[i]);
        assert_int_equal(call.error.class, ERROR_NONE);
        assert_string_equal(call.body.bytes, i == 0 ? "{}" : "event");
        test_call_release(&call);
        assert_plain_call_works(&pair);
    }
    const int connections[] = {0, 1, 0, 1};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(test_server_request_connection(pair.server, i), connections[i]);
    }
    assert_int_equal(test_server_open_count(pair.server), 1);
    close_pair(&pair);
}

static bool three_are_open(void *self)
{
    return test_server_request_count(self) == 3;
}

static void plain_calls_do_not_wait_for_watches(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {one_event_then_silence, one_event_then_silence,
                                               one_event_then_silence, serves, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct test_call watches[3];
    for (size_t i = 0; i < 3; i++) {
        struct request request = test_watch("/w");
        test_call_start(&watches[i], &pair.client, &request);
    }
    test_client_run(&pair.client, three_are_open, pair.server);
    assert_plain_call_works(&pair);
    assert_plain_call_works(&pair);
    assert_int_equal(test_server_connection_count(pair.server), 4);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(watches[i].end_count, 0);
        pair.client.transport.cancel(pair.client.transport.self, watches[i].call);
        test_call_release(&watches[i]);
    }
    close_pair(&pair);
}

static void a_cancelled_watch_closes_and_is_not_heard_of_again(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {one_event_then_silence, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_watch("/w");
    struct test_call watch;
    test_call_start(&watch, &pair.client, &request);
    test_client_run(&pair.client, has_a_byte, &watch);
    pair.client.transport.cancel(pair.client.transport.self, watch.call);
    test_client_run(&pair.client, all_are_closed, pair.server);
    assert_int_equal(watch.end_count, 0);
    test_call_release(&watch);
    close_pair(&pair);
}

static void one_that_closed_before_its_head_is_opened_once_more(void **state)
{
    (void)state;
    const struct test_step *const scripts[] = {closes_on_first, ends_cleanly, NULL};
    struct pair pair;
    open_pair(&pair, scripts);
    struct request request = test_watch("/w");
    struct test_call watch;
    test_call_run(&watch, &pair.client, &request);
    assert_int_equal(watch.error.class, ERROR_NONE);
    assert_string_equal(watch.body.bytes, "event");
    test_call_release(&watch);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_ends_a_watch),
        cmocka_unit_test(the_servers_end_is_no_error),
        cmocka_unit_test(breaking_off_is_one),
        cmocka_unit_test(a_watch_lives_for_as_long_as_bytes_come),
        cmocka_unit_test(a_plain_calls_deadline_is_for_the_whole),
        cmocka_unit_test(a_black_hole_ends_a_plain_call),
        cmocka_unit_test(a_watch_takes_no_kept_connection_and_leaves_none),
        cmocka_unit_test(a_watch_takes_over_the_connection_of_its_list),
        cmocka_unit_test(plain_calls_do_not_wait_for_watches),
        cmocka_unit_test(a_cancelled_watch_closes_and_is_not_heard_of_again),
        cmocka_unit_test(one_that_closed_before_its_head_is_opened_once_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
