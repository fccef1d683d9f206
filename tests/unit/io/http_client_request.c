/* SPDX-License-Identifier: Apache-2.0 */
/* What is sent, byte by byte. */
#include "support/test_client.h"
#include "support/test_server.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct test_step serve[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step *const scripts[] = {serve, NULL};

struct pair {
    struct test_server *server;
    struct test_client client;
};

static void open_pair(struct pair *pair)
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

static void assert_answered(struct pair *pair, const struct request *request)
{
    struct test_call call;
    test_call_run(&call, &pair->client, request);
    assert_int_equal(call.error.class, ERROR_NONE);
    assert_int_equal(call.http_status, 200);
    assert_string_equal(call.body.bytes, "{}");
    test_call_release(&call);
}

/* rest: what follows User-Agent. */
static void assert_sent(struct pair *pair, const char *method_and_path, const char *rest)
{
    char expected[1024];
    snprintf(expected, sizeof(expected),
             "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: adjoint\r\n%s", method_and_path,
             test_server_port(pair->server), rest);
    int last = test_server_request_count(pair->server) - 1;
    assert_string_equal(test_server_request(pair->server, last), expected);
}

static void a_get_says_no_more_than_it_must(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request request = test_request(METHOD_GET, "/api/v1/pods?limit=2&labelSelector=a%3Db");
    assert_answered(&pair, &request);
    assert_sent(&pair, "GET /api/v1/pods?limit=2&labelSelector=a%3Db",
                "Accept: application/json\r\n"
                "\r\n");
    close_pair(&pair);
}

static void a_watch_asks_for_no_encoding(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request request = test_watch("/api/v1/pods?watch=1");
    request.accept = "application/json;as=Table";
    assert_answered(&pair, &request);
    assert_sent(&pair, "GET /api/v1/pods?watch=1",
                "Accept: application/json;as=Table\r\n"
                "\r\n");
    close_pair(&pair);
}

static void writes_carry_method_type_and_body(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request patch = test_request(METHOD_PATCH, "/p");
    patch.content_type = "application/json-patch+json";
    patch.body = "[ {} ]\n";
    patch.body_bytes = 6; /* not to its NUL */
    assert_answered(&pair, &patch);
    assert_sent(&pair, "PATCH /p",
                "Accept: application/json\r\n"
                "Content-Type: application/json-patch+json\r\n"
                "Content-Length: 6\r\n"
                "\r\n"
                "[ {} ]");
    struct request post = test_request(METHOD_POST, "/p");
    assert_answered(&pair, &post);
    assert_sent(&pair, "POST /p",
                "Accept: application/json\r\n"
                "Content-Type: application/json\r\n"
                "Content-Length: 2\r\n"
                "\r\n"
                "{}");
    struct request put = test_request(METHOD_PUT, "/p");
    assert_answered(&pair, &put);
    assert_sent(&pair, "PUT /p",
                "Accept: application/json\r\n"
                "Content-Type: application/json\r\n"
                "Content-Length: 2\r\n"
                "\r\n"
                "{}");
    close_pair(&pair);
}

static void a_delete_may_have_a_body_and_a_post_none(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request request = test_request(METHOD_DELETE, "/p");
    assert_answered(&pair, &request);
    assert_sent(&pair, "DELETE /p",
                "Accept: application/json\r\n"
                "\r\n");
    request.content_type = "application/json";
    request.body = "{\"preconditions\":{\"uid\":\"1\"}}";
    request.body_bytes = strlen(request.body);
    assert_answered(&pair, &request);
    assert_sent(&pair, "DELETE /p",
                "Accept: application/json\r\n"
                "Content-Type: application/json\r\n"
                "Content-Length: 29\r\n"
                "\r\n"
                "{\"preconditions\":{\"uid\":\"1\"}}");
    request = test_request(METHOD_POST, "/p");
    request.content_type = request.body = NULL;
    request.body_bytes = 0;
    assert_answered(&pair, &request);
    assert_sent(&pair, "POST /p",
                "Accept: application/json\r\n"
                "Content-Length: 0\r\n"
                "\r\n");
    close_pair(&pair);
}

/* curl would ask for a 100 first, and wait a second for one. */
static void a_large_body_is_sent_without_being_invited(void **state)
{
    (void)state;
    enum { BODY_BYTES = 1500 * 1024 };
    struct pair pair;
    open_pair(&pair);
    cleanup_memory char *body = memory_new(1, BODY_BYTES + 1);
    memset(body, 'x', BODY_BYTES);
    struct request request = test_request(METHOD_POST, "/p");
    request.body = body;
    request.body_bytes = BODY_BYTES;
    assert_answered(&pair, &request);
    assert_false(test_server_request_has(pair.server, 0, "Expect"));
    assert_true(test_server_request_has(pair.server, 0, body));
    close_pair(&pair);
}

static void a_token_or_a_password_identifies_us(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request request = test_request(METHOD_GET, "/p");
    pair.client.set.username = "ann";
    pair.client.set.password = "secret";
    assert_answered(&pair, &request);
    assert_true(test_server_request_has(pair.server, 0, "Authorization: Basic YW5uOnNlY3JldA==\r"));
    pair.client.set.token = "t0ken"; /* goes before the password, as with kubectl */
    assert_answered(&pair, &request);
    assert_true(test_server_request_has(pair.server, 1, "Authorization: Bearer t0ken\r\n"));
    assert_false(test_server_request_has(pair.server, 1, "Basic"));
    close_pair(&pair);
}

static void a_token_cannot_smuggle_a_header_in(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    pair.client.set.token = "t0ken\r\nImpersonate-User: root";
    struct request request = test_request(METHOD_GET, "/p");
    struct test_call call;
    test_call_run(&call, &pair.client, &request);
    assert_int_equal(call.error.class, ERROR_UNAUTHORIZED);
    assert_non_null(strstr(call.error.message, "the token has a line break in it"));
    assert_null(strstr(call.error.message, "t0ken"));
    assert_int_equal(test_server_request_count(pair.server), 0);
    test_call_release(&call);
    close_pair(&pair);
}

static void a_server_may_have_a_path_of_its_own(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    char server[128];
    snprintf(server, sizeof(server), "%s/k8s/clusters/c-1/", test_server_url(pair.server));
    pair.client.set.server = server;
    struct request request = test_request(METHOD_GET, "/api/../v1");
    assert_answered(&pair, &request);
    assert_true(test_server_request_has(pair.server, 0, "GET /k8s/clusters/c-1/api/../v1 HTTP"));
    close_pair(&pair);
}

static void plain_calls_share_a_connection(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    struct request get = test_request(METHOD_GET, "/p");
    struct request patch = test_request(METHOD_PATCH, "/p");
    assert_answered(&pair, &get);
    assert_answered(&pair, &patch);
    assert_answered(&pair, &get);
    assert_int_equal(test_server_connection_count(pair.server), 1);
    close_pair(&pair);
}

static void an_address_of_version_6_is_bracketed(void **state)
{
    (void)state;
    struct test_server_options options = {.scripts = scripts, .address = "::1"};
    struct pair pair = {.server = test_server_new(&options)};
    if (pair.server == NULL) {
        skip();
    }
    test_client_init(&pair.client, test_server_url(pair.server), NULL, NULL);
    struct request request = test_request(METHOD_GET, "/p");
    assert_answered(&pair, &request);
    char host[64];
    snprintf(host, sizeof(host), "\r\nHost: [::1]:%d\r\n", test_server_port(pair.server));
    assert_true(test_server_request_has(pair.server, 0, host));
    close_pair(&pair);
}

static void a_server_that_is_no_url_is_named(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    const char *const servers[] = {"", "https://", "https://a b", "gopher:/x"};
    for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
        pair.client.set.server = servers[i];
        struct request request = test_request(METHOD_GET, "/p");
        struct test_call call;
        test_call_run(&call, &pair.client, &request);
        assert_int_equal(call.error.class, ERROR_UNAVAILABLE);
        assert_non_null(strstr(call.error.message, servers[i]));
        test_call_release(&call);
    }
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_get_says_no_more_than_it_must),
        cmocka_unit_test(a_watch_asks_for_no_encoding),
        cmocka_unit_test(writes_carry_method_type_and_body),
        cmocka_unit_test(a_delete_may_have_a_body_and_a_post_none),
        cmocka_unit_test(a_large_body_is_sent_without_being_invited),
        cmocka_unit_test(a_token_or_a_password_identifies_us),
        cmocka_unit_test(a_token_cannot_smuggle_a_header_in),
        cmocka_unit_test(a_server_may_have_a_path_of_its_own),
        cmocka_unit_test(plain_calls_share_a_connection),
        cmocka_unit_test(an_address_of_version_6_is_bracketed),
        cmocka_unit_test(a_server_that_is_no_url_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
