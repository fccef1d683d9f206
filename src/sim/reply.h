/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulated server answers: a status, and a body that is either a text of its own or an
   object's, which it then shares with the store. */
#ifndef ADJOINT_SIM_REPLY_H
#define ADJOINT_SIM_REPLY_H

#include "base/text.h"
#include "sim/objects.h"

#include <stddef.h>

/* One body; nothing in a simulated cluster comes near. */
enum { ROUTE_BODY_BYTES_MAX = 1024 * 1024 * 1024 };

struct route_reply {
    int http_status;
    int retry_after_s;        /* 0: no header */
    const char *content_type; /* static */
    const char *body;         /* lives as long as the reply; NUL-terminated */
    size_t body_bytes;
    struct record *record; /* private, and so is the next */
    char *text;
};

void route_reply_release(struct route_reply *reply);
#define cleanup_route_reply __attribute__((cleanup(route_reply_release)))

/* JSON; the text is taken over and left empty. */
void route_reply_take_text(struct route_reply *reply, int http_status, struct text *body);
void route_reply_plain(struct route_reply *reply, int http_status, const char *static_text);
/* The object itself; kept as long as the reply. */
void route_reply_record(struct route_reply *reply, int http_status, const struct record *record);

#endif
