/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl says which sockets and which time it waits for (CURLMOPT_SOCKETFUNCTION and
   CURLMOPT_TIMERFUNCTION), libuv waits, and curl_multi_socket_action lets curl work. Measured with
   libcurl 7.88.1: rounding curl's timeout of 0 up to 1 ms costs more than a millisecond a request.
   It need not be rounded, because uv_timer_start with 0 fires in the next turn and so never inside
   the callback that sets it.

   A poll handle outlives its socket until libuv has closed it, hence a heap block for each. There
   is no limit of connections to a host: watches would use it up and let plain calls wait.

   Before curl uses a kept connection again it looks whether the server has closed it, but takes a
   TLS close_notify that lies unread for a sign of life (7.88.1; plain TCP it gets right). A write
   sent there would have an unknown outcome for nothing, so its socket is looked at once more: a
   server has nothing to say on an idle HTTP/1.1 connection but goodbye. curl tells only the local
   port in time, hence the list of sockets; one that is listed but gone matches no port. */
#include "io/http_connections.h"

#include "base/memory.h"

#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <uv.h>

enum { KEPT_CONNECTIONS_MAX = 64 }; /* well above LIMIT_REQUESTS_IN_FLIGHT and all watches */

struct http_connections {
    CURLM *multi;
    uv_loop_t *uv;
    uv_timer_t timer;
    void (*ended)(void *self, CURL *easy, CURLcode result);
    void *self;
    bool keeps_ended;
    int sockets[KEPT_CONNECTIONS_MAX]; /* a ring, each once */
    unsigned int socket_count;
};

struct polled_socket {
    uv_poll_t poll;
    curl_socket_t socket;
    struct http_connections *connections;
};

/* curl refuses these only when it is called in a wrong way, libuv when memory is short. */
static void must_multi(CURLMcode code)
{
    assert(code == CURLM_OK);
}

static void must_uv(int status)
{
    assert(status == 0);
}

static void report_ended(struct http_connections *connections)
{
    int left_count = 0;
    CURLMsg *message = NULL;
    while ((message = curl_multi_info_read(connections->multi, &left_count)) != NULL) {
        CURL *easy = message->easy_handle; /* the message dies with the removal */
        CURLcode result = message->data.result;
        if (!connections->keeps_ended) {
            must_multi(curl_multi_remove_handle(connections->multi, easy));
        }
        connections->ended(connections->self, easy, result);
    }
}

static void act(struct http_connections *connections, curl_socket_t socket, int events)
{
    int running_count = 0;
    must_multi(curl_multi_socket_action(connections->multi, socket, events, &running_count));
    report_ended(connections);
}

static void time_came(uv_timer_t *timer)
{
    act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int set_timer(CURLM *multi, long timeout_ms, void *self)
{
    (void)multi;
    struct http_connections *connections = self;
    if (timeout_ms < 0) {
        must_uv(uv_timer_stop(&connections->timer));
    } else if (!uv_is_closing((uv_handle_t *)&connections->timer)) {
        must_uv(uv_timer_start(&connections->timer, time_came, (uint64_t)timeout_ms, 0));
    }
    return 0;
}

static void socket_is_ready(uv_poll_t *poll, int status, int events)
{
    struct polled_socket *polled = poll->data;
    int curl_events = status < 0 ? CURL_CSELECT_ERR : 0;
    curl_events |= (events & UV_READABLE) != 0 ? CURL_CSELECT_IN : 0;
    curl_events |= (events & UV_WRITABLE) != 0 ? CURL_CSELECT_OUT : 0;
    act(polled->connections, polled->socket, curl_events);
}

static void poll_closed(uv_handle_t *poll)
{
    memory_free(poll->data);
}

static struct polled_socket *polled_new(struct http_connections *connections, curl_socket_t socket)
{
    struct polled_socket *polled = memory_new(1, sizeof(*polled));
    polled->socket = socket;
    polled->connections = connections;
    must_uv(uv_poll_init_socket(connections->uv, &polled->poll, socket));
    polled->poll.data = polled;
    must_multi(curl_multi_assign(connections->multi, socket, polled));
    return polled;
}

static int watch_socket(CURL *easy, curl_socket_t socket, int what, void *self, void *socket_data)
{
    (void)easy;
    struct http_connections *connections = self;
    struct polled_socket *polled = socket_data;
    if (what == CURL_POLL_REMOVE) {
        if (polled != NULL) {
            uv_close((uv_handle_t *)&polled->poll, poll_closed);
            must_multi(curl_multi_assign(connections->multi, socket, NULL));
        }
        return 0;
    }
    if (polled == NULL) {
        polled = polled_new(connections, socket);
    }
    int events = (what & CURL_POLL_IN) != 0 ? UV_READABLE : 0;
    events |= (what & CURL_POLL_OUT) != 0 ? UV_WRITABLE : 0;
    must_uv(uv_poll_start(&polled->poll, events, socket_is_ready));
    return 0;
}

struct http_connections *
http_connections_new(struct uv_loop_s *uv, void (*ended)(void *self, CURL *easy, CURLcode result),
                     void *self)
{
    struct http_connections *connections = memory_new(1, sizeof(*connections));
    connections->uv = uv;
    connections->ended = ended;
    connections->self = self;
    must_uv(uv_timer_init(uv, &connections->timer));
    connections->timer.data = connections;

    CURLM *multi = curl_multi_init();
    assert(multi != NULL);
    must_multi(curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch_socket));
    must_multi(curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, connections));
    must_multi(curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer));
    must_multi(curl_multi_setopt(multi, CURLMOPT_TIMERDATA, connections));
    must_multi(curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING));
    must_multi(curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)KEPT_CONNECTIONS_MAX));
    connections->multi = multi;
    return connections;
}

/* Only here, since a set may be freed by what report_ended calls. */
static void timer_closed(uv_handle_t *timer)
{
    struct http_connections *connections = timer->data;
    must_multi(curl_multi_cleanup(connections->multi));
    memory_free(connections);
}

void http_connections_free(struct http_connections *connections)
{
    if (connections != NULL) {
        uv_close((uv_handle_t *)&connections->timer, timer_closed);
    }
}

void http_connections_start(struct http_connections *connections, CURL *easy)
{
    must_multi(curl_multi_add_handle(connections->multi, easy));
}

void http_connections_keep_ended(struct http_connections *connections)
{
    connections->keeps_ended = true;
}

void http_connections_stop(struct http_connections *connections, CURL *easy)
{
    must_multi(curl_multi_remove_handle(connections->multi, easy));
}

void http_connections_note_socket(struct http_connections *connections, int socket)
{
    for (unsigned int i = 0; i < connections->socket_count && i < KEPT_CONNECTIONS_MAX; i++) {
        if (connections->sockets[i] == socket) {
            return;
        }
    }
    connections->sockets[connections->socket_count++ % KEPT_CONNECTIONS_MAX] = socket;
}

static int local_port_of(int socket)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof(address);
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) {
        return -1;
    }
    if (address.ss_family == AF_INET) {
        return ntohs(((const struct sockaddr_in *)&address)->sin_port);
    }
    return address.ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)&address)->sin6_port)
                                         : -1;
}

bool http_connections_closed_while_idle(const struct http_connections *connections, int local_port)
{
    for (unsigned int i = 0; i < connections->socket_count && i < KEPT_CONNECTIONS_MAX; i++) {
        int socket = connections->sockets[i];
        char byte = 0;
        if (local_port_of(socket) == local_port) {
            return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
        }
    }
    return false;
}
