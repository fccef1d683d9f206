/* SPDX-License-Identifier: Apache-2.0 */
/* What a sink is told of a reply. */
#include "support/test_client.h"
#include "support/test_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

struct reply {
    enum error_class class;
    int http_status;
    int64_t retry_after_ms;
    char body[64];
};

/* The server reads one request, sends this, and closes. */
static struct reply get_reply(enum method method, const char *sent)
{
    const struct test_step script[] = {
        {.kind = TEST_READ}, {.kind = TEST_SEND, .text = sent}, {.kind = TEST_END}};
    const struct test_step *const scripts[] = {script, NULL};
    struct test_server_options options = {.scripts = scripts};
    struct test_server *server = test_server_new(&options);
    struct test_client client;
    test_client_init(&client, test_server_url(server), NULL, NULL);

    struct request request = test_request(method, "/p");
    struct test_call call;
    test_call_run(&call, &client, &request);
    struct reply reply = {.class = call.error.class,
                          .http_status = call.http_status,
                          .retry_after_ms = call.retry_after_ms};
    snprintf(reply.body, sizeof(reply.body), "%s", call.body.bytes);
    test_call_release(&call);
    test_client_release(&client);
    test_server_free(server);
    return reply;
}

static void assert_reply(const char *sent, int http_status, const char *body)
{
    struct reply reply = get_reply(METHOD_GET, sent);
    assert_int_equal(reply.class, ERROR_NONE);
    assert_int_equal(reply.http_status, http_status);
    assert_string_equal(reply.body, body);
}

static void a_whole_reply_is_no_error_whatever_its_status(void **state)
{
    (void)state;
    assert_reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "{}");
    assert_reply("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", 404, "gone");
    assert_reply("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", 410, "");
    assert_reply("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", 503, "");
    assert_reply("HTTP/1.1 204 No Content\r\n\r\n", 204, "");
    assert_reply("HTTP/1.0 200 OK\r\n\r\nuntil it closes", 200, "until it closes");
}

static void chunks_are_joined_and_a_trailer_is_no_second_head(void **state)
{
    (void)state;
    assert_reply("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "1\r\na\r\n2\r\nbc\r\n0\r\nX-Trailer: 1\r\n\r\n",
                 201, "abc");
}

static void an_interim_head_is_not_the_replys(void **state)
{
    (void)state;
    assert_reply("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200,
                 "x");
}

static void a_redirect_is_not_followed(void **state)
{
    (void)state;
    assert_reply("HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\n"
                 "Content-Length: 0\r\n\r\n",
                 307, "");
}

static void a_reply_that_breaks_off_has_an_unknown_outcome_for_a_write(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    };
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        struct reply reply = get_reply(METHOD_POST, broken[i]);
        assert_int_equal(reply.class, ERROR_UNKNOWN);
        assert_int_equal(reply.http_status, 200);
        assert_string_equal(reply.body, "half");
        assert_int_equal(get_reply(METHOD_GET, broken[i]).class, ERROR_TIMEOUT);
    }
}

static void what_is_no_http_is_refused(void **state)
{
    (void)state;
    struct reply reply = get_reply(METHOD_PATCH, "SSH-2.0-OpenSSH_9.2\r\n");
    assert_int_equal(reply.class, ERROR_UNKNOWN);
    assert_int_equal(reply.http_status, 0);
}

static int64_t retry_after(const char *header)
{
    char sent[256];
    snprintf(sent, sizeof(sent), "HTTP/1.1 429 Slow Down\r\n%s\r\nContent-Length: 0\r\n\r\n",
             header);
    struct reply reply = get_reply(METHOD_GET, sent);
    assert_int_equal(reply.class, ERROR_NONE);
    assert_int_equal(reply.http_status, 429);
    return reply.retry_after_ms;
}

static void retry_after_is_read_in_seconds(void **state)
{
    (void)state;
    assert_int_equal(retry_after("X-Nothing: 1"), 0);
    assert_int_equal(retry_after("Retry-After: 1"), 1000);
    assert_int_equal(retry_after("retry-after:\t17  "), 17000);
    assert_int_equal(retry_after("Retry-After: 0"), 0);
}

static void a_senseless_retry_after_is_bounded(void **state)
{
    (void)state;
    assert_int_equal(retry_after("Retry-After: -5"), 0);
    assert_int_equal(retry_after("Retry-After: soon"), 0);
    assert_int_equal(retry_after("Retry-After: 9223372036854775807"), 3600 * 1000);
    assert_int_equal(retry_after("Retry-After: 99999999999999999999999"), 0);
}

static void retry_after_may_be_a_date(void **state)
{
    (void)state;
    char header[128];
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    struct tm date;
    wall.tv_sec += 600;
    gmtime_r(&wall.tv_sec, &date);
    strftime(header, sizeof(header), "Retry-After: %a, %d %b %Y %H:%M:%S GMT", &date);
    int64_t after_ms = retry_after(header);
    assert_in_range(after_ms, 1000, 600 * 1000);
    assert_int_equal(retry_after("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_reply_is_no_error_whatever_its_status),
        cmocka_unit_test(chunks_are_joined_and_a_trailer_is_no_second_head),
        cmocka_unit_test(an_interim_head_is_not_the_replys),
        cmocka_unit_test(a_redirect_is_not_followed),
        cmocka_unit_test(a_reply_that_breaks_off_has_an_unknown_outcome_for_a_write),
        cmocka_unit_test(what_is_no_http_is_refused),
        cmocka_unit_test(retry_after_is_read_in_seconds),
        cmocka_unit_test(a_senseless_retry_after_is_bounded),
        cmocka_unit_test(retry_after_may_be_a_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
