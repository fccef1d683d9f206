/* SPDX-License-Identifier: Apache-2.0 */
/* The HTTP before a WebSocket: the request that asks for one (RFC 6455 section 4.1) and the
   server's reply to it. Pure. */
#ifndef ADJOINT_IO_HTTP_UPGRADE_H
#define ADJOINT_IO_HTTP_UPGRADE_H

#include "base/entropy.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_UPGRADE_KEY_BYTES = 25,               /* base64 of 16, with its NUL */
    HTTP_UPGRADE_REPLY_BYTES_MAX = 128 * 1024, /* head, and the body of a refusal */
};

void http_upgrade_make_key(struct entropy entropy, char out_key[HTTP_UPGRADE_KEY_BYTES]);

/* Appends the headers behind request line and Host, and the empty line. */
void http_upgrade_write_headers(const char *key, const char *protocol, struct text *out);

struct http_upgrade_reply {
    int http_status;    /* 0: the head has not come whole */
    size_t head_bytes;  /* what is behind them is the WebSocket's already */
    const char *body;   /* of a reply that is no 101: what of it has come */
    bool body_is_whole; /* false, too, when the head does not say how long it is */
};

/* What the reply says as far as it has come. false: no server that speaks WebSocket and this
   protocol says so (ERROR_UNAVAILABLE), or it is too long (ERROR_LIMIT). */
MUST_CHECK bool http_upgrade_read_reply(const struct text *bytes, const char *key,
                                        const char *protocol, struct http_upgrade_reply *out,
                                        struct error *error);

#endif
