/* SPDX-License-Identifier: Apache-2.0 */
/* The transport over libcurl's multi socket interface on libuv. HTTP/1.1; connections are kept and
   shared by plain calls, each watch has its own. Measured with libcurl 7.88.1 on Debian 12:
   - curl re-sends a request of its own when a kept connection closes: a second send of the same
     call is aborted (CURLOPT_PREREQFUNCTION) and the write's class is ERROR_UNKNOWN;
   - a black hole is found by TCP: keepalive after 15 s then 3 x 5 s, TCP_USER_TIMEOUT 20 s;
   - CAPATH must be NULL and the CA given as a blob, or the system's CAs are trusted too. */
#ifndef ADJOINT_IO_HTTP_CLIENT_H
#define ADJOINT_IO_HTTP_CLIENT_H

#include "kube/credentials.h"
#include "kube/transport.h"

struct loop;
struct http_client;

struct http_client_options {
    const char *user_agent; /* borrowed, as long as the client lives */
    int64_t connect_timeout_ms;
    int64_t tcp_user_timeout_ms;
    int64_t keepalive_idle_ms, keepalive_interval_ms;
    int keepalive_count;
};
extern const struct http_client_options http_client_options_default;

/* credentials are borrowed and must outlive it. */
struct http_client *http_client_new(struct loop *loop, struct credentials credentials,
                                    const struct http_client_options *options);
/* Cancels what is running. */
void http_client_free(struct http_client *client);
struct transport http_client_transport(struct http_client *client);

#endif
