/* SPDX-License-Identifier: Apache-2.0 */
/* A client beyond the maximum waits: libuv takes no further one from the system's queue until the
   one it has told of is accepted. */
#include "io/port_forward.h"

#include "base/memory.h"
#include "io/loop.h"
#include "io/tunnel.h"

#include <assert.h>
#include <netinet/in.h>

enum { TUNNELS_MAX = 100, WAITING_MAX = 128 };

struct port_forward {
    struct port_forward_options options;
    uv_tcp_t listener;
    int port;
    bool client_waits;
    size_t count;
    struct tunnel *tunnels[TUNNELS_MAX];
    struct tunnel *probe; /* NULL: none runs */
    void (*probed)(void *self, const struct error *error, const char *refusal);
    void *probe_self;
};

static void accept_client(struct port_forward *forward);

static void tunnel_ended(void *self, const struct tunnel *tunnel, const struct error *error,
                         const char *refusal)
{
    struct port_forward *forward = self;
    size_t at = 0;
    while (forward->tunnels[at] != tunnel) {
        at++;
        assert(at < forward->count);
    }
    forward->tunnels[at] = forward->tunnels[--forward->count];
    if (forward->client_waits) {
        accept_client(forward);
    }
    if (error->class != ERROR_NONE && forward->options.failed != NULL) {
        forward->options.failed(forward->options.self, error, refusal);
    }
}

static void accept_client(struct port_forward *forward)
{
    forward->client_waits = forward->count == TUNNELS_MAX;
    if (!forward->client_waits) {
        forward->tunnels[forward->count++] =
            tunnel_new(&forward->options, (uv_stream_t *)&forward->listener, tunnel_ended, forward);
    }
}

static void client_came(uv_stream_t *listener, int status)
{
    if (status == 0) { /* else it has gone again */
        accept_client(listener->data);
    }
}

static int listen_on_loopback(struct port_forward *forward)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int address_bytes = (int)sizeof(address);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int status = uv_tcp_bind(&forward->listener, (const struct sockaddr *)&address, 0);
    if (status == 0) {
        status = uv_listen((uv_stream_t *)&forward->listener, WAITING_MAX, client_came);
    }
    if (status == 0) {
        status =
            uv_tcp_getsockname(&forward->listener, (struct sockaddr *)&address, &address_bytes);
    }
    forward->port = ntohs(address.sin_port);
    return status;
}

bool port_forward_open(const struct port_forward_options *options, struct port_forward **out,
                       struct error *error)
{
    struct port_forward *forward = memory_new(1, sizeof(*forward));
    forward->options = *options;
    int status = uv_tcp_init(loop_uv(options->loop), &forward->listener);
    assert(status == 0);
    forward->listener.data = forward;
    status = listen_on_loopback(forward);
    if (status != 0) {
        port_forward_free(forward);
        return error_set(error, ERROR_SYSTEM, "cannot listen on 127.0.0.1: %s",
                         uv_strerror(status));
    }
    *out = forward;
    return true;
}

static void listener_closed(uv_handle_t *listener)
{
    memory_free(listener->data);
}

void port_forward_free(struct port_forward *forward)
{
    if (forward == NULL) {
        return;
    }
    for (size_t i = 0; i < forward->count; i++) {
        tunnel_free(forward->tunnels[i]);
    }
    if (forward->probe != NULL) {
        tunnel_free(forward->probe);
    }
    uv_close((uv_handle_t *)&forward->listener, listener_closed);
}

int port_forward_port(const struct port_forward *forward)
{
    return forward->port;
}

size_t port_forward_count(const struct port_forward *forward)
{
    return forward->count;
}

static void probe_ended(void *self, const struct tunnel *tunnel, const struct error *error,
                        const char *refusal)
{
    struct port_forward *forward = self;
    assert(tunnel == forward->probe);
    forward->probe = NULL;
    forward->probed(forward->probe_self, error, refusal);
}

void port_forward_probe(struct port_forward *forward,
                        void (*probed)(void *self, const struct error *error, const char *refusal),
                        void *self)
{
    assert(forward->probe == NULL);
    forward->probed = probed;
    forward->probe_self = self;
    forward->probe = tunnel_new(&forward->options, NULL, probe_ended, forward);
}
