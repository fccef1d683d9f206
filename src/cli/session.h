/* SPDX-License-Identifier: Apache-2.0 */
/* An API server as one command sees it: where requests go, and time that passes while it waits for
   their replies. A seam: session_open connects it with the loop and libcurl, tests with a script
   and a clock of their own. */
#ifndef ADJOINT_CLI_SESSION_H
#define ADJOINT_CLI_SESSION_H

#include "base/error.h"
#include "base/now.h"
#include "base/text.h"
#include "io/access.h"
#include "kube/transport.h"

#define SESSION_DONE INT64_MIN

struct session_forward {
    const char *path;
    void (*failed)(void *self, const struct error *error, const char *refusal);
    void *self;
};

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
    /* Brings a port of a pod to a free port of 127.0.0.1, until the session is closed; path as in
       io/port_forward.h. Opens one connection first, to see whether that can be done: if the server
       refuses, its reply's status is in *error and its body in out_refusal. Called once. failed
       hears of later connections, while `attend` goes on. */
    bool (*forward)(void *self, const struct session_forward *forward, int *out_port,
                    struct text *out_refusal, struct error *error);
    /* Runs a program in the foreground while connections are forwarded, and gives its exit code.
       command NULL: forwards until SIGINT or SIGTERM; 0. ERROR_SYSTEM: it cannot be started. */
    bool (*attend)(void *self, const char *command, const char *const *arguments,
                   const char *const *variables, int *out_code, struct error *error);
    /* A command in a pod (io/remote_command.h), to its end: what it prints goes to out. false: it
       did not end well; as with forward, if the server refuses. */
    bool (*execute)(void *self, const char *path, struct text *out, struct text *out_refusal,
                    struct error *error);
    void (*close)(void *self);
    void *self; /* NULL: not open */
};

/* The strings live until it is closed. */
MUST_CHECK bool session_open(const struct access_options *options, struct session *out,
                             struct error *error);

#endif
