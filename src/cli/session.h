/* SPDX-License-Identifier: Apache-2.0 */
/* An API server as one command sees it: where requests go, and time that passes while it waits for
   their replies. A seam: session_open connects it with the loop and libcurl, tests with a script
   and a clock of their own. */
#ifndef ADJOINT_CLI_SESSION_H
#define ADJOINT_CLI_SESSION_H

#include "base/error.h"
#include "base/now.h"
#include "io/access.h"
#include "kube/transport.h"

#define SESSION_DONE INT64_MIN

struct session {
    struct transport transport;
    const char *namespace;   /* the context's */
    const char *description; /* who speaks to whom, for messages */
    int64_t speed;           /* of a simulated server: its milliseconds in a real one; else 0 */
    /* Calls step whenever something may have happened, and at the mono_ms that it returned last
       (NOW_NEVER: none), until it returns SESSION_DONE. now is the server's (io/clock.h). */
    void (*run)(void *self, int64_t (*step)(void *self, struct now now), void *step_self);
    /* SIGINT and SIGTERM call stop_asked, once each, and then step; the second of each ends the
       process. */
    void (*on_stop)(void *self, void (*stop_asked)(void *self, int signal_number), void *stop_self);
    /* To another server, by its URL, which gets no credentials. Until it is called again, or the
       session is closed. */
    struct transport (*elsewhere)(void *self, const char *url);
    void (*close)(void *self);
    void *self; /* NULL: not open */
};

/* The strings live until it is closed. */
MUST_CHECK bool session_open(const struct access_options *options, struct session *out,
                             struct error *error);

#endif
