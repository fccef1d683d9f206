/* SPDX-License-Identifier: Apache-2.0 */
/* libmicrohttpd runs in the loop's step only: its epoll descriptor is watched so that the loop
   wakes, and that is all the poll's callback is for. So requests are never handled while the world
   is in the middle of an event, and always at a world that has been moved to now. */
#include "sim/front.h"

#include "sim/front_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/loop.h"

#include <arpa/inet.h>
#include <assert.h>
#include <uv.h>

/* How soon a client that left is noticed. */
enum { LOOK_AT_CLIENTS_MS = 1000, URL_BYTES_MAX = 128 };

static void descriptor_is_ready(uv_poll_t *poll, int status, int events)
{
    (void)poll; /* the turn that it starts is all */
    (void)status;
    (void)events;
}

/* ---- opening ---- */

static bool start_daemon(struct front *front, const struct sockaddr_in *address,
                         struct error *error)
{
    if (!front_certificate_make(front->address, &front->certificate, error)) {
        return false;
    }
    front->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_TLS | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, front_call_go_on,
        front, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_URI_LOG_CALLBACK, front_call_begin, front,
        MHD_OPTION_NOTIFY_COMPLETED, front_call_end, front, MHD_OPTION_HTTPS_MEM_CERT,
        front->certificate.certificate_pem, MHD_OPTION_HTTPS_MEM_KEY, front->certificate.key_pem,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    return front->daemon != NULL || error_set(error, ERROR_SYSTEM, "cannot serve on %s, port %d",
                                              front->address, ntohs(address->sin_port));
}

static void watch_descriptor(struct front *front)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(front->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    front->poll = memory_new(1, sizeof(*front->poll));
    int status = uv_poll_init(loop_uv(front->loop), front->poll, info->epoll_fd);
    assert(status == 0);
    status = uv_poll_start(front->poll, UV_READABLE, descriptor_is_ready);
    assert(status == 0);
}

bool front_open(struct loop *loop, struct apiserver *server, const struct front_options *options,
                struct front **out_front, struct error *error)
{
    struct front *front = memory_new(1, sizeof(*front));
    front->loop = loop;
    front->server = server;
    front->speed = options->speed;
    front->from_wall_ms = options->from_wall_ms;
    front->tell = options->tell;
    front->tell_self = options->self;
    front->address = memory_copy_text(options->address);
    front->token = memory_copy_text(options->token);
    front->user = memory_copy_text(options->user);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)options->port)};
    bool started = inet_pton(AF_INET, front->address, &address.sin_addr) == 1
                       ? start_daemon(front, &address, error)
                       : error_set(error, ERROR_INVALID, "%s is no IPv4 address", front->address);
    if (!started) {
        front_free(front);
        return false;
    }
    watch_descriptor(front);
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(front->daemon, MHD_DAEMON_INFO_BIND_PORT);
    cleanup_text struct text url;
    text_init(&url, URL_BYTES_MAX);
    text_print(&url, "https://%s:%d",
               text_equal(front->address, "0.0.0.0") ? "127.0.0.1" : front->address, info->port);
    front->url = text_take(&url);
    *out_front = front;
    return true;
}

/* ---- closing ---- */

static void free_poll(uv_handle_t *handle)
{
    memory_free(handle);
}

void front_free(struct front *front)
{
    if (front == NULL) {
        return;
    }
    if (front->daemon != NULL) {
        front_watch_end_all(front); /* it does not stop with suspended connections */
        (void)MHD_run(front->daemon);
        MHD_stop_daemon(front->daemon);
        uv_close((uv_handle_t *)front->poll, free_poll);
    }
    assert(front->watches == NULL);
    front_certificate_release(&front->certificate);
    memory_free(front->address);
    memory_free(front->token);
    memory_free(front->user);
    memory_free(front->url);
    memory_free(front);
}

/* ---- running ---- */

int64_t front_step(struct front *front, struct now now)
{
    MHD_UNSIGNED_LONG_LONG wait_ms = 0;
    if (now.mono_ms >= front->looked_at_clients_ms + LOOK_AT_CLIENTS_MS) {
        front->looked_at_clients_ms = now.mono_ms;
        front_watch_look_at_clients(front);
    }
    (void)MHD_run(front->daemon);
    int64_t wake_at_ms = NOW_NEVER;
    if (MHD_get_timeout(front->daemon, &wait_ms) == MHD_YES) {
        wake_at_ms = now.mono_ms + (int64_t)wait_ms;
    }
    int64_t look_at_ms = front->looked_at_clients_ms + LOOK_AT_CLIENTS_MS;
    return front->watches != NULL && look_at_ms < wake_at_ms ? look_at_ms : wake_at_ms;
}

const char *front_url(const struct front *front)
{
    return front->url;
}
