/* SPDX-License-Identifier: Apache-2.0 */
/* A port of a pod, here on loopback: each connection is carried by a WebSocket of its own to the
   pod's portforward subresource, subprotocol v4.channel.k8s.io. That one is the kubelet's and the
   container runtime's own and is passed through by every API server so far, 1.36 among them; the
   newer SPDY/3.1+portforward.k8s.io (KEP-4006) is SPDY with its compressed headers inside a
   WebSocket, and brings nothing to a client that opens one connection at a time. It takes `get` on
   pods/portforward, from 1.35 on also `create`.
   Sources: Kubernetes pkg/registry/core/pod/rest/subresources.go, k8s.io/cri-streaming
   portforward/websocket.go, k8s.io/streaming wsstream/conn.go (1.36.3). */
#ifndef ADJOINT_IO_PORT_FORWARD_H
#define ADJOINT_IO_PORT_FORWARD_H

#include "base/entropy.h"
#include "base/error.h"
#include "io/http_client.h"
#include "kube/credentials.h"

#include <stddef.h>
#include <stdint.h>

struct loop;
struct port_forward;

struct port_forward_options {
    struct loop *loop;
    struct credentials credentials; /* somebody else listens to them; asked again until ready */
    struct http_client_options client;
    struct entropy entropy;
    const char *path; /* "/api/v1/namespaces/N/pods/P/portforward?ports=5432"; one port */
    int64_t open_deadline_ms;
    int64_t ping_ms; /* between two signs of life that are asked for; the second silence ends it */
    /* A connection could not be opened or broke; others go on. refusal: the body of the server's
       reply when the error has an http_status; borrowed. NULL: nobody wants to know. */
    void (*failed)(void *self, const struct error *error, const char *refusal);
    void *self;
};

/* Listens on a free port of 127.0.0.1. Copies options but for the path. ERROR_SYSTEM. */
MUST_CHECK bool port_forward_open(const struct port_forward_options *options,
                                  struct port_forward **out, struct error *error);
/* Closes all connections. NULL is fine. */
void port_forward_free(struct port_forward *forward);

int port_forward_port(const struct port_forward *forward);
/* Connections that are not over. */
size_t port_forward_count(const struct port_forward *forward);

/* Opens a connection to see whether that can be done, and closes it. probed is called once, from
   the loop: as `failed`, or with ERROR_NONE. */
void port_forward_probe(struct port_forward *forward,
                        void (*probed)(void *self, const struct error *error, const char *refusal),
                        void *self);

#endif
