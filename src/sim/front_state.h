/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the front share. */
#ifndef ADJOINT_SRC_SIM_FRONT_STATE_H
#define ADJOINT_SRC_SIM_FRONT_STATE_H

#include "sim/front.h"
#include "sim/front_certificate.h"

#include <microhttpd.h>

struct front_watch;

struct front {
    struct loop *loop;
    struct apiserver *server;
    struct MHD_Daemon *daemon;
    char *address, *token, *user, *url;
    int64_t speed, from_wall_ms;
    bool (*tell)(void *self, const char *path, struct text *out);
    void *tell_self;
    struct front_certificate certificate;
    struct uv_poll_s *poll;       /* of the daemon's epoll descriptor */
    struct front_watch *watches;  /* those whose connections are open */
    int64_t looked_at_clients_ms; /* mono */
};

/* ---- one request, front_call.c ---- */
struct front_call;

/* Called before anything but the request line is read; the call's whole life is libmicrohttpd's to
   say. uri: path and query as they came. */
void *front_call_begin(void *front, const char *uri, struct MHD_Connection *connection);
enum MHD_Result front_call_go_on(void *front, struct MHD_Connection *connection, const char *uri,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_bytes, void **call);
void front_call_end(void *front, struct MHD_Connection *connection, void **call,
                    enum MHD_RequestTerminationCode code);

/* ---- one watch, front_watch.c ---- */
struct request;
struct route_reply;

/* Opens it and answers with what it brings. NULL out: it was refused, with *out_refusal. */
struct MHD_Response *front_watch_open(struct front *front, struct MHD_Connection *connection,
                                      const struct request *request,
                                      struct route_reply *out_refusal);
/* Ends those whose client has gone: a suspended connection is not read from, so libmicrohttpd does
   not find out. */
void front_watch_look_at_clients(struct front *front);
/* All of them, because the front ends. */
void front_watch_end_all(struct front *front);

#endif
