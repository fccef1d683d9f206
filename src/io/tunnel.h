/* SPDX-License-Identifier: Apache-2.0 */
/* One client's TCP connection, carried to a port of a pod by the API server's portforward
   subresource over a WebSocket. */
#ifndef ADJOINT_IO_TUNNEL_H
#define ADJOINT_IO_TUNNEL_H

#include "io/port_forward.h"

#include <uv.h>

struct tunnel;

/* Accepts the client that waits at listener; NULL: there is none, and it ends as soon as it is
   open. options are borrowed. ended is called once, from the loop and never from inside tunnel_new;
   the tunnel is gone after it. refusal: the body of the server's reply when the error has an
   http_status. */
struct tunnel *tunnel_new(const struct port_forward_options *options, uv_stream_t *listener,
                          void (*ended)(void *self, const struct tunnel *tunnel,
                                        const struct error *error, const char *refusal),
                          void *self);

/* ended will not be called. */
void tunnel_free(struct tunnel *tunnel);

#endif
