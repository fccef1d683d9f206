/* SPDX-License-Identifier: Apache-2.0 */
/* A set of connections that its transfers share and keep: one of curl's multi handles, driven by
   the loop. */
#ifndef ADJOINT_IO_HTTP_CONNECTIONS_H
#define ADJOINT_IO_HTTP_CONNECTIONS_H

#include <curl/curl.h>

#include <stdbool.h>

struct http_connections;
struct uv_loop_s;

/* ended tells that a transfer is over and has left the set: from the loop, never from inside one
   of curl's callbacks, so that it may use curl, start and stop transfers, and free the set. */
struct http_connections *
http_connections_new(struct uv_loop_s *uv, void (*ended)(void *self, CURL *easy, CURLcode result),
                     void *self);

/* Closes the kept connections, at the end of the loop's turn. No transfer may be running. */
void http_connections_free(struct http_connections *connections);

void http_connections_start(struct http_connections *connections, CURL *easy);

/* To be told of each socket that a transfer of this set makes, so that closed_while_idle knows it:
   whether the kept connection with this local port was closed by the server. */
void http_connections_note_socket(struct http_connections *connections, int socket);
bool http_connections_closed_while_idle(const struct http_connections *connections, int local_port);

/* From now on a transfer that has ended stays in the set until it is stopped: with
   CURLOPT_CONNECT_ONLY its connection is closed when it leaves. */
void http_connections_keep_ended(struct http_connections *connections);

/* ended will not be called for it. Not from inside one of curl's callbacks. */
void http_connections_stop(struct http_connections *connections, CURL *easy);

#endif
