/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to and from the API server on a connection of their own, with TLS and proxies as calls have
   them, for what leaves HTTP behind after its head. */
#ifndef ADJOINT_IO_HTTP_STREAM_H
#define ADJOINT_IO_HTTP_STREAM_H

#include "base/error.h"
#include "io/http_client.h"
#include "io/http_endpoint.h"
#include "kube/credentials.h"

#include <stdbool.h>
#include <stddef.h>

struct http_stream;

/* Called from the loop, never from inside a call of the stream; may use and close it. */
struct http_stream_events {
    void (*opened)(void *self, const struct error *error); /* class ERROR_NONE: it is open */
    void (*ready)(void *self);                             /* as awaited */
    void *self;
};

/* NULL: the credentials name no server; *error says so. */
struct http_stream *http_stream_open(struct loop *loop, const struct credential_set *set,
                                     const struct http_client_options *options,
                                     struct http_stream_events events, struct error *error);
void http_stream_close(struct http_stream *stream); /* NULL is fine */

const struct http_endpoint *http_stream_endpoint(const struct http_stream *stream);

/* As many bytes as there are, or as can be sent: 0 for none at the moment. out_ended: the server
   has closed. false: the connection broke. */
MUST_CHECK bool http_stream_read(struct http_stream *stream, char *bytes, size_t byte_count,
                                 size_t *out_count, bool *out_ended, struct error *error);
MUST_CHECK bool http_stream_write(struct http_stream *stream, const char *bytes, size_t byte_count,
                                  size_t *out_count, struct error *error);

/* Calls ready whenever one of them may bring more than nothing, until it is told otherwise. What
   was not read until it brought nothing may be in TLS' own buffer and make nothing ready. */
void http_stream_await(struct http_stream *stream, bool can_read, bool can_write);

#endif
