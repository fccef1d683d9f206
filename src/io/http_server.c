/* SPDX-License-Identifier: Apache-2.0 */
/* libmicrohttpd without a thread: the loop watches its epoll descriptor and rings for its
   time-outs, and it runs in those callbacks. An answer only reads, so it need not wait for a
   step. */
#include "io/http_server.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/loop.h"

#include <arpa/inet.h>
#include <assert.h>
#include <microhttpd.h>
#include <string.h>
#include <uv.h>

enum { CONNECTIONS_MAX = 32, CONNECTION_BYTES_MAX = 16 * 1024, IDLE_S = 30, HOST_BYTES = 64 };

struct http_server {
    struct MHD_Daemon *daemon;
    http_answer_function answer;
    void *self;
    /* Of the loop; freed in their close callbacks. */
    uv_poll_t *poll;
    uv_timer_t *alarm;
    int port;
};

/* ---- the loop ---- */

static void run(struct http_server *server);

static void alarm_rings(uv_timer_t *alarm)
{
    run(alarm->data);
}

static void descriptor_is_ready(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    run(poll->data);
}

static void run(struct http_server *server)
{
    MHD_UNSIGNED_LONG_LONG wait_ms = 0;
    (void)MHD_run(server->daemon);
    if (MHD_get_timeout(server->daemon, &wait_ms) == MHD_YES) {
        (void)uv_timer_start(server->alarm, alarm_rings, wait_ms, 0);
    } else {
        (void)uv_timer_stop(server->alarm);
    }
}

static void watch(struct http_server *server, struct loop *loop)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    server->poll = memory_new(1, sizeof(*server->poll));
    server->alarm = memory_new(1, sizeof(*server->alarm));
    int status = uv_poll_init(loop_uv(loop), server->poll, info->epoll_fd);
    assert(status == 0);
    status = uv_timer_init(loop_uv(loop), server->alarm);
    assert(status == 0);
    server->poll->data = server;
    server->alarm->data = server;
    status = uv_poll_start(server->poll, UV_READABLE, descriptor_is_ready);
    assert(status == 0);
}

/* ---- requests ---- */

static enum MHD_Result reply(struct MHD_Connection *connection, int http_status,
                             const char *content_type, struct text *body)
{
    size_t byte_count = body->length_bytes;
    char *bytes = text_take(body);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(byte_count, bytes, memory_free);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (http_status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    }
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)http_status, response);
    MHD_destroy_response(response);
    return result;
}

/* NOLINTNEXTLINE(bugprone-easily-swappable-parameters): the signature is libmicrohttpd's */
static enum MHD_Result request_came(void *self, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_bytes, void **call)
{
    struct http_server *server = self;
    (void)version;
    (void)upload;
    if (*upload_bytes > 0) { /* nobody is asked for a body; it is read past */
        *upload_bytes = 0;
        return MHD_YES;
    }
    if (*call == NULL) { /* the head alone: answering now would cut the body off */
        *call = server;
        return MHD_YES;
    }
    cleanup_text struct text body;
    text_init(&body, LIMIT_BODY_BYTES);
    struct http_answer answer = {
        .http_status = MHD_HTTP_NOT_FOUND, .content_type = "text/plain", .body = &body};
    if (text_equal(method, MHD_HTTP_METHOD_GET) || text_equal(method, MHD_HTTP_METHOD_HEAD)) {
        server->answer(server->self, url, &answer);
    } else {
        answer.http_status = MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (body.overflowed) {
        text_clear(&body);
        answer = (struct http_answer){MHD_HTTP_INTERNAL_SERVER_ERROR, "text/plain", &body};
        text_append(&body, "the answer is too long\n");
    } else if (answer.http_status == MHD_HTTP_NOT_FOUND && body.length_bytes == 0) {
        text_append(&body, "there is nothing here\n");
    }
    return reply(connection, answer.http_status, answer.content_type, &body);
}

/* ---- life ---- */

static bool read_port(const char *string, uint16_t *out_port)
{
    struct error ignored;
    int64_t port = 0;
    if (!text_parse_int64(string, &port, &ignored) || port < 0 || port > UINT16_MAX) {
        return false;
    }
    *out_port = (uint16_t)port;
    return true;
}

/* "IP:PORT", "[IPv6]:PORT". */
static bool read_address(const char *string, struct sockaddr_storage *out_address)
{
    const char *colon = strrchr(string, ':');
    size_t host_bytes = colon == NULL ? 0 : (size_t)(colon - string);
    uint16_t port = 0;
    char host[HOST_BYTES];
    if (host_bytes == 0 || host_bytes >= sizeof(host) || !read_port(colon + 1, &port)) {
        return false;
    }
    (void)memset(out_address, 0, sizeof(*out_address));
    bool brackets = string[0] == '[' && string[host_bytes - 1] == ']';
    (void)memcpy(host, brackets ? string + 1 : string, host_bytes - (brackets ? 2 : 0));
    host[host_bytes - (brackets ? 2 : 0)] = '\0';
    if (brackets) {
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)out_address;
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        return inet_pton(AF_INET6, host, &six->sin6_addr) == 1;
    }
    struct sockaddr_in *four = (struct sockaddr_in *)out_address;
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return inet_pton(AF_INET, host, &four->sin_addr) == 1;
}

bool http_server_open(struct loop *loop, const char *address, http_answer_function answer,
                      void *self, struct http_server **out_server, struct error *error)
{
    struct sockaddr_storage socket_address;
    if (!read_address(address, &socket_address)) {
        return error_set(error, ERROR_INVALID, "\"%s\" is no address to listen on: write IP:PORT",
                         address);
    }
    struct http_server *server = memory_new(1, sizeof(*server));
    server->answer = answer;
    server->self = self;
    unsigned flags = MHD_USE_EPOLL | (socket_address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, request_came, server, MHD_OPTION_SOCK_ADDR, &socket_address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (server->daemon == NULL) {
        memory_free(server);
        return error_set(error, ERROR_SYSTEM, "cannot listen on %s: is the port taken?", address);
    }
    server->port = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    watch(server, loop);
    *out_server = server;
    return true;
}

static void free_handle(uv_handle_t *handle)
{
    memory_free(handle);
}

void http_server_free(struct http_server *server)
{
    if (server == NULL) {
        return;
    }
    uv_close((uv_handle_t *)server->poll, free_handle);
    uv_close((uv_handle_t *)server->alarm, free_handle);
    MHD_stop_daemon(server->daemon);
    memory_free(server);
}

int http_server_port(const struct http_server *server)
{
    return server->port;
}
