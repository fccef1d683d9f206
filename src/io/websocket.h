/* SPDX-License-Identifier: Apache-2.0 */
/* A client's WebSocket frames (RFC 6455 section 5): bytes in, messages out, and back. Pure: sockets
   and chance are the caller's. */
#ifndef ADJOINT_IO_WEBSOCKET_H
#define ADJOINT_IO_WEBSOCKET_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEBSOCKET_MASK_BYTES = 4,
    WEBSOCKET_CONTROL_BYTES_MAX = 125,             /* of a ping, pong or close (section 5.5) */
    WEBSOCKET_MESSAGE_BYTES_MAX = 4 * 1024 * 1024, /* Kubernetes sends 32 KiB at a time */
};

enum websocket_kind {
    WEBSOCKET_NOTHING, /* more bytes are needed */
    WEBSOCKET_MESSAGE, /* text or binary, all its fragments */
    WEBSOCKET_PING,    /* to be answered with a pong of the same bytes */
    WEBSOCKET_PONG,
    WEBSOCKET_CLOSE, /* bytes: a reason for people, may be empty; nothing follows */
};

struct websocket_event {
    enum websocket_kind kind;
    const char *bytes; /* borrowed until the next call; NUL behind them */
    size_t byte_count;
};

struct websocket_reader {
    unsigned char header[10]; /* of the present frame, as far as it has come */
    size_t header_count;
    uint64_t left_bytes; /* of its payload */
    bool in_payload, in_message, is_closed;
    struct text message, control;
    bool message_is_given;
};

void websocket_reader_init(struct websocket_reader *reader);
void websocket_reader_release(struct websocket_reader *reader);

/* Takes from *bytes, which it moves on together with *byte_count, up to the end of one event.
   ERROR_INVALID for what no server may send, ERROR_LIMIT for a message that is too long; then the
   connection is of no use any more. */
MUST_CHECK bool websocket_read(struct websocket_reader *reader, const char **bytes,
                               size_t *byte_count, struct websocket_event *out,
                               struct error *error);

/* Appends a whole frame, masked. For WEBSOCKET_MESSAGE a binary one of any length; for the others
   at most WEBSOCKET_CONTROL_BYTES_MAX, a close's two bytes of code (1000) among them. mask: nobody
   may guess it (section 10.3). */
void websocket_write(struct text *out, enum websocket_kind kind,
                     const unsigned char mask[WEBSOCKET_MASK_BYTES], const char *bytes,
                     size_t byte_count);

#endif
