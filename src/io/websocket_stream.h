/* SPDX-License-Identifier: Apache-2.0 */
/* A WebSocket to the API server: credentials, connection, upgrade, messages both ways. */
#ifndef ADJOINT_IO_WEBSOCKET_STREAM_H
#define ADJOINT_IO_WEBSOCKET_STREAM_H

#include "io/port_forward.h"

#include <stdbool.h>
#include <stddef.h>

struct websocket_stream;

/* Called from the loop, never from inside a call of the stream; may call it and free it. */
struct websocket_stream_events {
    void (*opened)(void *self);
    /* bytes: borrowed, NUL behind them; byte_count > 0. false: *error says what is wrong with it,
       and the stream ends with that. */
    bool (*message)(void *self, const char *bytes, size_t byte_count, struct error *error);
    void (*sent)(void *self); /* all that was said */
    /* The last one; the stream is still its owner's. ERROR_NONE: the server has closed it. refusal:
       the body of the server's reply when the error has an http_status. */
    void (*ended)(void *self, const struct error *error, const char *refusal);
    void *self;
};

/* options are borrowed: path, credentials, deadlines. Ends by itself when it is not open in time or
   the server is silent. */
struct websocket_stream *websocket_stream_new(const struct port_forward_options *options,
                                              const char *protocol,
                                              struct websocket_stream_events events);
void websocket_stream_free(struct websocket_stream *stream); /* NULL is fine */

/* An open one says this message, after what it was told before. */
void websocket_stream_say(struct websocket_stream *stream, const char *bytes, size_t byte_count);

/* While it is paused the server is not read; what has been read before may still come. */
void websocket_stream_pause(struct websocket_stream *stream, bool paused);

/* Says goodbye. Messages do not come any more, `ended` does: when the server has closed, too, or
   lets us wait. */
void websocket_stream_close(struct websocket_stream *stream);

#endif
