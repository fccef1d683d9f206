/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets and the loop: what is set on them, what blocks it, and what is left behind. */
#include "support/test_client.h"
#include "support/test_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step black_hole[] = {{.kind = TEST_READ}, {.kind = TEST_HOLD}};
static const struct test_step *const all_serve[] = {serves, NULL};
static const struct test_step *const all_hold[] = {black_hole, NULL};

/* Looking up slow.example.test takes until the test lets it go on, or too long. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool begun, let_go, gave_up, ended;
} lookup = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Takes the place of libc's. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **out)
{
    (void)name, (void)service, (void)hints, (void)out;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    pthread_mutex_lock(&lookup.lock);
    lookup.begun = true;
    int status = 0;
    while (!lookup.let_go && status == 0) {
        status = pthread_cond_timedwait(&lookup.changed, &lookup.lock, &until);
    }
    lookup.gave_up = !lookup.let_go;
    lookup.ended = true;
    pthread_mutex_unlock(&lookup.lock);
    return EAI_NONAME;
}

static bool lookup_has(void *self)
{
    pthread_mutex_lock(&lookup.lock);
    bool value = *(const bool *)self;
    pthread_mutex_unlock(&lookup.lock);
    return value;
}

struct pair {
    struct test_server *server;
    struct test_client client;
};

static void open_pair(struct pair *pair, const struct test_step *const *scripts,
                      const struct http_client_options *client_options)
{
    struct test_server_options options = {.scripts = scripts};
    pair->server = test_server_new(&options);
    test_client_init(&pair->client, test_server_url(pair->server), NULL, client_options);
}

static void close_pair(struct pair *pair)
{
    test_client_release(&pair->client);
    test_server_free(pair->server);
}

static void cancelling_does_not_wait_for_a_name_server(void **state)
{
    (void)state;
    struct test_client client;
    test_client_init(&client, "http://slow.example.test", NULL, NULL);
    struct request request = test_request(METHOD_GET, "/p");
    struct test_call call;
    test_call_start(&call, &client, &request);
    test_client_run(&client, lookup_has, &lookup.begun);
    client.transport.cancel(client.transport.self, call.call);
    assert_false(lookup_has(&lookup.ended));
    test_client_release(&client);
    assert_false(lookup_has(&lookup.ended));

    pthread_mutex_lock(&lookup.lock);
    lookup.let_go = true;
    pthread_cond_signal(&lookup.changed);
    pthread_mutex_unlock(&lookup.lock);
    while (!lookup_has(&lookup.ended)) {
        usleep(1000);
    }
    assert_false(lookup_has(&lookup.gave_up));
    usleep(20 * 1000); /* curl's thread frees what it has, after that */
    test_call_release(&call);
}

static void an_unknown_host_is_named(void **state)
{
    (void)state;
    struct test_client client;
    test_client_init(&client, "http://unknown.example.test", NULL, NULL);
    struct request request = test_request(METHOD_POST, "/p");
    struct test_call call;
    test_call_run(&call, &client, &request);
    assert_int_equal(call.error.class, ERROR_UNAVAILABLE);
    assert_string_equal(call.error.message, "http://unknown.example.test: Could not resolve host: "
                                            "unknown.example.test");
    test_call_release(&call);
    test_client_release(&client);
}

static void a_refused_connection_says_so(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair, all_serve, NULL);
    char url[64];
    snprintf(url, sizeof(url), "%s", test_server_url(pair.server));
    test_server_free(pair.server); /* nobody listens there any more */
    pair.server = NULL;
    pair.client.set.server = url;
    const enum method methods[] = {METHOD_GET, METHOD_POST};
    for (size_t i = 0; i < 2; i++) {
        struct request request = test_request(methods[i], "/p");
        struct test_call call;
        test_call_run(&call, &pair.client, &request);
        assert_int_equal(call.error.class, ERROR_UNAVAILABLE);
        char expected[128];
        snprintf(expected, sizeof(expected), "%s: Connection refused", url);
        assert_string_equal(call.error.message, expected);
        test_call_release(&call);
    }
    close_pair(&pair);
}

struct seen_options {
    int socket_count, keepalive, idle_s, interval_s, count;
    unsigned int user_timeout_ms;
};

static int option_of(int socket, int level, int name)
{
    int value = -1;
    socklen_t length = sizeof(value);
    assert_int_equal(getsockopt(socket, level, name, &value, &length), 0);
    return value;
}

static void look_at_socket(uv_handle_t *handle, void *self)
{
    struct seen_options *seen = self;
    int socket = -1;
    if (handle->type != UV_POLL || uv_fileno(handle, &socket) != 0) {
        return;
    }
    seen->socket_count++;
    seen->keepalive = option_of(socket, SOL_SOCKET, SO_KEEPALIVE);
    seen->idle_s = option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE);
    seen->interval_s = option_of(socket, IPPROTO_TCP, TCP_KEEPINTVL);
    seen->count = option_of(socket, IPPROTO_TCP, TCP_KEEPCNT);
    seen->user_timeout_ms = (unsigned int)option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT);
}

static bool a_request_came(void *self)
{
    return test_server_request_count(self) >= 1;
}

static struct seen_options options_of_connection(const struct http_client_options *client_options,
                                                 bool watch)
{
    struct pair pair;
    open_pair(&pair, all_hold, client_options);
    struct request request = test_request(METHOD_GET, "/p");
    request.watch = watch;
    struct test_call call;
    test_call_start(&call, &pair.client, &request);
    test_client_run(&pair.client, a_request_came, pair.server);
    struct seen_options seen = {0};
    uv_walk(loop_uv(pair.client.loop), look_at_socket, &seen);
    pair.client.transport.cancel(pair.client.transport.self, call.call);
    test_call_release(&call);
    close_pair(&pair);
    return seen;
}

static void tcp_finds_a_black_hole_within_45_seconds(void **state)
{
    (void)state;
    for (int watch = 0; watch < 2; watch++) {
        struct seen_options seen = options_of_connection(NULL, watch == 1);
        assert_int_equal(seen.socket_count, 1);
        assert_int_equal(seen.keepalive, 1);
        assert_int_equal(seen.idle_s, 15);
        assert_int_equal(seen.interval_s, 5);
        assert_int_equal(seen.count, 3);
        assert_int_equal(seen.user_timeout_ms, 20 * 1000);
    }
}

static void the_periods_are_options(void **state)
{
    (void)state;
    struct http_client_options options = http_client_options_default;
    options.keepalive_idle_ms = 1500; /* the system counts in seconds */
    options.keepalive_interval_ms = 1;
    options.keepalive_count = 7;
    options.tcp_user_timeout_ms = 1234;
    struct seen_options seen = options_of_connection(&options, true);
    assert_int_equal(seen.idle_s, 2);
    assert_int_equal(seen.interval_s, 1);
    assert_int_equal(seen.count, 7);
    assert_int_equal(seen.user_timeout_ms, 1234);
}

static bool has_turned(void *self)
{
    return ((const struct test_client *)self)->turn_count > 1;
}

/* curl asks to be called at once; rounded up to 1 ms, each request would take that much longer. */
static void the_loop_does_not_block_before_a_request_that_was_just_started(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair, all_hold, NULL);
    uv_loop_t *uv = loop_uv(pair.client.loop);
    test_client_run(&pair.client, has_turned, &pair.client);
    assert_int_not_equal(uv_backend_timeout(uv), 0);
    struct request request = test_request(METHOD_GET, "/p");
    struct test_call call;
    test_call_start(&call, &pair.client, &request);
    assert_int_equal(uv_backend_timeout(uv), 0);
    pair.client.transport.cancel(pair.client.transport.self, call.call);
    test_call_release(&call);
    close_pair(&pair);
}

static void freeing_the_client_ends_running_calls_unheard(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair, all_hold, NULL);
    struct request request = test_request(METHOD_POST, "/p");
    struct request watch_request = test_watch("/w");
    struct test_call call, watch;
    test_call_start(&call, &pair.client, &request);
    test_call_start(&watch, &pair.client, &watch_request);
    test_client_run(&pair.client, a_request_came, pair.server);
    close_pair(&pair);
    assert_int_equal(call.end_count + watch.end_count, 0);
    test_call_release(&call);
    test_call_release(&watch);
}

static bool all_are_closed(void *self)
{
    return test_server_open_count(self) == 0;
}

static void a_cancelled_call_closes_its_connection(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair, all_hold, NULL);
    struct request request = test_request(METHOD_POST, "/p");
    struct test_call call;
    test_call_start(&call, &pair.client, &request);
    test_client_run(&pair.client, a_request_came, pair.server);
    pair.client.transport.cancel(pair.client.transport.self, call.call);
    test_client_run(&pair.client, all_are_closed, pair.server);
    assert_int_equal(call.end_count, 0);
    test_call_release(&call);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancelling_does_not_wait_for_a_name_server),
        cmocka_unit_test(an_unknown_host_is_named),
        cmocka_unit_test(a_refused_connection_says_so),
        cmocka_unit_test(tcp_finds_a_black_hole_within_45_seconds),
        cmocka_unit_test(the_periods_are_options),
        cmocka_unit_test(the_loop_does_not_block_before_a_request_that_was_just_started),
        cmocka_unit_test(freeing_the_client_ends_running_calls_unheard),
        cmocka_unit_test(a_cancelled_call_closes_its_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
