/* SPDX-License-Identifier: Apache-2.0 */
/* Answers GET requests on the loop: health, metrics, state. Plain HTTP, no bodies, few connections
   at once, each closed when it idles: what asks is a kubelet, a Prometheus, or a person. */
#ifndef ADJOINT_IO_HTTP_SERVER_H
#define ADJOINT_IO_HTTP_SERVER_H

#include "base/error.h"

#include <stdbool.h>

struct http_server;
struct loop;
struct text;

struct http_answer {
    int http_status;
    const char *content_type; /* static */
    struct text *body;        /* empty, for the handler to append to */
};

/* Fills in the answer for path (without its query), which is 404 when left alone. Called from the
   loop between two steps; it only reads. */
typedef void (*http_answer_function)(void *self, const char *path, struct http_answer *answer);

/* address is "IP:PORT" or "[IPv6]:PORT"; port 0: any that is free. ERROR_INVALID: it is no such
   address. ERROR_SYSTEM: it cannot be listened on, as when the port is taken. The loop is borrowed
   and must outlive it. */
MUST_CHECK bool http_server_open(struct loop *loop, const char *address,
                                 http_answer_function answer, void *self,
                                 struct http_server **out_server, struct error *error);
void http_server_free(struct http_server *server); /* its connections end; NULL is fine */

int http_server_port(const struct http_server *server); /* the one that is listened on */

#endif
