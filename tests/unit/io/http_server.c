/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http_server.h"

#include "base/text.h"
#include "support/test_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { URL_BYTES = 64, LONG_BYTES = 1000 * 1000, ENDLESS_BYTES = 5 * 1000 * 1000 };

struct fixture {
    struct test_client client;
    struct http_server *server;
    char url[URL_BYTES];
    int asked_count;
};

static void answer(void *self, const char *path, struct http_answer *out)
{
    struct fixture *fixture = self;
    fixture->asked_count++;
    if (text_equal(path, "/hello")) {
        out->http_status = 200;
        text_append(out->body, "good day");
    } else if (text_equal(path, "/ill")) {
        out->http_status = 503;
        text_append(out->body, "not so good");
    } else if (text_equal(path, "/long") || text_equal(path, "/endless")) {
        size_t byte_count = text_equal(path, "/long") ? LONG_BYTES : ENDLESS_BYTES;
        out->http_status = 200;
        for (size_t i = 0; i < byte_count; i += 10) {
            text_append(out->body, "0123456789");
        }
    }
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct error error;
    fixture = (struct fixture){.asked_count = 0};
    test_client_init(&fixture.client, "http://127.0.0.1:1", NULL, NULL);
    if (!http_server_open(fixture.client.loop, "127.0.0.1:0", answer, &fixture, &fixture.server,
                          &error)) {
        return -1;
    }
    (void)snprintf(fixture.url, sizeof(fixture.url), "http://127.0.0.1:%d",
                   http_server_port(fixture.server));
    fixture.client.set.server = fixture.url;
    fixture.client.set.generation++;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    http_server_free(fixture->server);
    test_client_release(&fixture->client);
    return 0;
}

static void ask(struct fixture *fixture, enum method method, const char *path,
                struct test_call *call)
{
    struct request request = test_request(method, path);
    test_call_run(call, &fixture->client, &request);
    assert_int_equal(call->error.class, ERROR_NONE);
}

static void assert_answer(struct fixture *fixture, enum method method, const char *path, int status,
                          const char *body)
{
    struct test_call call;
    ask(fixture, method, path, &call);
    assert_int_equal(call.http_status, status);
    assert_string_equal(call.body.bytes, body);
    test_call_release(&call);
}

static void a_path_is_answered_with_what_its_handler_says(void **state)
{
    struct fixture *fixture = *state;
    assert_answer(fixture, METHOD_GET, "/hello", 200, "good day");
    assert_answer(fixture, METHOD_GET, "/hello?verbose=1", 200, "good day");
    assert_answer(fixture, METHOD_GET, "/ill", 503, "not so good");
    assert_answer(fixture, METHOD_GET, "/other", 404, "there is nothing here\n");
}

static void nothing_but_reading_is_allowed(void **state)
{
    struct fixture *fixture = *state;
    assert_answer(fixture, METHOD_PATCH, "/hello", 405, "");
    assert_answer(fixture, METHOD_DELETE, "/hello", 405, "");
    assert_int_equal(fixture->asked_count, 0);
}

static void a_long_answer_comes_whole(void **state)
{
    struct fixture *fixture = *state;
    struct test_call call;
    ask(fixture, METHOD_GET, "/long", &call);
    assert_int_equal(call.http_status, 200);
    assert_int_equal(call.body.length_bytes, LONG_BYTES);
    test_call_release(&call);
}

static void what_has_no_end_is_an_error(void **state)
{
    assert_answer(*state, METHOD_GET, "/endless", 500, "the answer is too long\n");
}

static void refuse(struct fixture *fixture, const char *address, enum error_class class)
{
    struct http_server *server = NULL;
    struct error error;
    assert_false(http_server_open(fixture->client.loop, address, answer, fixture, &server, &error));
    assert_int_equal(error.class, class);
    assert_non_null(strstr(error.message, address));
    assert_null(server);
}

static void an_address_is_an_ip_and_a_port(void **state)
{
    static const char *const bad[] = {
        "8080",       ":8080",          "localhost:8080",  "127.0.0.1",
        "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1",
        "::1:8080",   "[::1]",          "[127.0.0.1]:80",  "",
        NULL};
    for (size_t i = 0; bad[i] != NULL; i++) {
        refuse(*state, bad[i], ERROR_INVALID);
    }
}

static void a_port_that_is_taken_is_told(void **state)
{
    struct fixture *fixture = *state;
    refuse(fixture, fixture->url + strlen("http://"), ERROR_SYSTEM);
}

static void listens_on_version_6(void **state)
{
    struct fixture *fixture = *state;
    struct http_server *server;
    struct error error;
    char url[URL_BYTES];
    if (!http_server_open(fixture->client.loop, "[::1]:0", answer, fixture, &server, &error)) {
        assert_int_equal(error.class, ERROR_SYSTEM); /* a machine without it */
        return;
    }
    (void)snprintf(url, sizeof(url), "http://[::1]:%d", http_server_port(server));
    fixture->client.set.server = url;
    fixture->client.set.generation++;
    assert_answer(fixture, METHOD_GET, "/hello", 200, "good day");
    http_server_free(server);
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(a_path_is_answered_with_what_its_handler_says),
        WITH_SERVER(nothing_but_reading_is_allowed),
        WITH_SERVER(a_long_answer_comes_whole),
        WITH_SERVER(what_has_no_end_is_an_error),
        WITH_SERVER(an_address_is_an_ip_and_a_port),
        WITH_SERVER(a_port_that_is_taken_is_told),
        WITH_SERVER(listens_on_version_6),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
