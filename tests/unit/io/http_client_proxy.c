/* SPDX-License-Identifier: Apache-2.0 */
/* Proxies, from the credentials and from the environment. Their tunnels lead to the test server
   whatever they are asked for, so that api.example.test needs no name server. */
#include "support/test_authority.h"
#include "support/test_client.h"
#include "support/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define SERVER "https://api.example.test:6443"
#define NEARBY "198.51.100.7" /* an address for documentation (RFC 5737) */

static const struct test_step serves[] = {{.kind = TEST_SERVE, .text = "{}"}};
static const struct test_step *const server_scripts[] = {serves, NULL};

/* Takes the place of libc's: what would go to NEARBY goes to 127.0.0.1. */
int connect(int descriptor, const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_in there = {0};
    if (address->sa_family == AF_INET) {
        memcpy(&there, address, sizeof(there));
        if (there.sin_addr.s_addr == inet_addr(NEARBY)) {
            there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            address = (struct sockaddr *)&there;
        }
    }
    return (int)syscall(SYS_connect, descriptor, address, length);
}

struct route {
    struct test_authority *authority;
    struct test_certificate certificate;
    struct test_server *server, *proxy;
    struct test_step proxy_script[5];
    const struct test_step *proxy_scripts[2];
    struct test_client client;
    char nearby_url[64], proxy_url[128];
};

static void open_proxy(struct route *route, const char *scheme,
                       const struct test_certificate *certificate)
{
    route->proxy_scripts[0] = route->proxy_script;
    route->proxy_scripts[1] = NULL;
    struct test_server_options options = {.scripts = route->proxy_scripts,
                                          .certificate = certificate};
    route->proxy = test_server_new(&options);
    snprintf(route->proxy_url, sizeof(route->proxy_url), "%s://127.0.0.1:%d", scheme,
             test_server_port(route->proxy));
}

static void open_route(struct route *route)
{
    *route = (struct route){.authority = test_authority_new("ca")};
    test_authority_issue(route->authority, "server",
                         "DNS:api.example.test,IP:" NEARBY ",IP:127.0.0.1", 3600,
                         &route->certificate);
    struct test_server_options options = {.scripts = server_scripts,
                                          .certificate = &route->certificate};
    route->server = test_server_new(&options);
    snprintf(route->nearby_url, sizeof(route->nearby_url), "https://" NEARBY ":%d",
             test_server_port(route->server));
    test_client_init(&route->client, SERVER, test_authority_pem(route->authority), NULL);
    route->client.set.token = "t0ken";
}

static void close_route(struct route *route)
{
    test_client_release(&route->client);
    test_server_free(route->proxy);
    test_server_free(route->server);
    test_certificate_release(&route->certificate);
    test_authority_free(route->authority);
}

static void open_connect_proxy(struct route *route, const char *scheme)
{
    const struct test_step script[] = {
        {.kind = TEST_READ},
        {.kind = TEST_SEND, .text = "HTTP/1.1 200 Connection established\r\n\r\n"},
        {.kind = TEST_TUNNEL, .count = test_server_port(route->server)}};
    memcpy(route->proxy_script, script, sizeof(script));
    bool is_tls = strcmp(scheme, "https") == 0;
    open_proxy(route, scheme, is_tls ? &route->certificate : NULL);
}

static struct error run(struct route *route)
{
    struct request request = test_request(METHOD_PATCH, "/p");
    struct test_call call;
    test_call_run(&call, &route->client, &request);
    struct error error = call.error;
    assert_true(error.class != ERROR_NONE || call.http_status == 200);
    assert_true(error.class != ERROR_NONE || call.head_count == 1);
    test_call_release(&call);
    return error;
}

static void assert_works(struct route *route)
{
    struct error error = run(route);
    assert_string_equal(error.message, "");
    assert_int_equal(error.class, ERROR_NONE);
}

/* The proxy is told where to connect to, and not who we are. */
static void assert_went_through(struct route *route, const char *target)
{
    assert_works(route);
    char connect_line[128];
    snprintf(connect_line, sizeof(connect_line), "CONNECT %s HTTP/1.1\r\n", target);
    assert_int_equal(test_server_request_count(route->proxy), 1);
    assert_true(test_server_request_has(route->proxy, 0, connect_line));
    assert_false(test_server_request_has(route->proxy, 0, "t0ken"));
    assert_true(test_server_request_has(route->server, 0, "t0ken"));
}

static void assert_went_past(struct route *route)
{
    assert_works(route);
    assert_int_equal(test_server_connection_count(route->proxy), 0);
}

static void a_proxy_of_the_credentials_is_used(void **state)
{
    (void)state;
    static const char *const schemes[] = {"http", "https"};
    for (size_t i = 0; i < 2; i++) {
        struct route route;
        open_route(&route);
        open_connect_proxy(&route, schemes[i]);
        route.client.set.proxy_url = route.proxy_url;
        setenv("NO_PROXY", "*", 1); /* which is about the environment's */
        assert_went_through(&route, "api.example.test:6443");
        unsetenv("NO_PROXY");
        assert_works(&route);
        assert_int_equal(test_server_connection_count(route.proxy), 1); /* kept */
        close_route(&route);
    }
}

static void a_tls_server_name_goes_through_a_proxy_to_the_server(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    open_connect_proxy(&route, "http");
    route.client.set.proxy_url = route.proxy_url;
    route.client.set.server = "https://[fd00::7]:6443";
    route.client.set.tls_server_name = "api.example.test";
    assert_went_through(&route, "[fd00::7]:6443");
    close_route(&route);
}

/* The name goes to the proxy, which may be the only one that can resolve it. */
static void a_socks_proxy_resolves_the_servers_name(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    static const char name[] = "api.example.test";
    const struct test_step script[] = {
        {.kind = TEST_READ_BYTES, .count = 4}, /* version 5, two methods */
        {.kind = TEST_SEND, .text = "\x05\x00", .count = 2},
        {.kind = TEST_READ_BYTES, .count = 4 + 1 + (int)strlen(name) + 2},
        {.kind = TEST_SEND, .text = "\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x01", .count = 10},
        {.kind = TEST_TUNNEL, .count = test_server_port(route.server)}};
    memcpy(route.proxy_script, script, sizeof(script));
    open_proxy(&route, "socks5", NULL);
    route.client.set.proxy_url = route.proxy_url;
    assert_works(&route);
    const char *asked = test_server_request(route.proxy, 1);
    assert_memory_equal(asked, "\x05\x01\x00\x03\x10", 5); /* connect, a name of 16 bytes */
    assert_memory_equal(asked + 5, name, strlen(name));
    close_route(&route);
}

static void a_proxy_that_refuses_is_quoted(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    const struct test_step script[] = {{.kind = TEST_READ},
                                       {.kind = TEST_ANSWER, .count = 403, .text = "not there"}};
    memcpy(route.proxy_script, script, sizeof(script));
    open_proxy(&route, "http", NULL);
    route.client.set.proxy_url = route.proxy_url;
    struct error error = run(&route);
    assert_int_equal(error.class, ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.message, SERVER));
    assert_non_null(strstr(error.message, "403"));
    close_route(&route);
}

static void the_environments_proxy_is_used(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    open_connect_proxy(&route, "http");
    setenv("HTTPS_PROXY", route.proxy_url, 1);
    assert_went_through(&route, "api.example.test:6443");
    close_route(&route);
}

static void no_proxy_excepts_names_and_networks(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    open_connect_proxy(&route, "http");
    setenv("HTTPS_PROXY", route.proxy_url, 1);
    route.client.set.server = route.nearby_url;
    setenv("NO_PROXY", "example.org,198.51.100.0/24", 1);
    assert_went_past(&route);
    setenv("NO_PROXY", NEARBY, 1);
    assert_went_past(&route);
    setenv("NO_PROXY", "198.51.100.128/25", 1);
    assert_went_through(&route, route.nearby_url + strlen("https://"));
    close_route(&route);
}

static void a_server_on_this_machine_needs_no_proxy(void **state)
{
    (void)state;
    struct route route;
    open_route(&route);
    open_connect_proxy(&route, "http");
    setenv("HTTPS_PROXY", route.proxy_url, 1);
    route.client.set.server = test_server_url(route.server);
    assert_went_past(&route);
    route.client.set.tls_server_name = "api.example.test";
    assert_went_past(&route);
    close_route(&route);
}

static int clear_environment(void **state)
{
    (void)state;
    static const char *const names[] = {"HTTPS_PROXY", "https_proxy", "ALL_PROXY",
                                        "all_proxy",   "NO_PROXY",    "no_proxy"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unsetenv(names[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_proxy_of_the_credentials_is_used, clear_environment),
        cmocka_unit_test_setup(a_tls_server_name_goes_through_a_proxy_to_the_server,
                               clear_environment),
        cmocka_unit_test_setup(a_socks_proxy_resolves_the_servers_name, clear_environment),
        cmocka_unit_test_setup(a_proxy_that_refuses_is_quoted, clear_environment),
        cmocka_unit_test_setup(the_environments_proxy_is_used, clear_environment),
        cmocka_unit_test_setup(no_proxy_excepts_names_and_networks, clear_environment),
        cmocka_unit_test_setup(a_server_on_this_machine_needs_no_proxy, clear_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
