/* SPDX-License-Identifier: Apache-2.0 */
/* What a command of `adj` has at hand: its options and names, two streams, and one API server that
   is connected to by the first request. Results go to `out`, all else to `err`. */
#ifndef ADJOINT_CLI_CLI_H
#define ADJOINT_CLI_CLI_H

#include "api/kind.h"
#include "cli/options.h"
#include "cli/session.h"
#include "kube/client.h"

#include <stdio.h>

/* Of one reply, a whole list among them. */
enum { CLI_BODY_BYTES_MAX = 64 * 1024 * 1024 };

enum exit_code {
    CLI_OK = 0,
    CLI_ERROR = 1,           /* the API server's or another: one line says what and what to do */
    CLI_USAGE = 2,           /* what was typed */
    CLI_INSTANCE_FAILED = 3, /* the Instance will not become what was waited for */
    CLI_TIMED_OUT = 4,
    CLI_UNHEALTHY = 5, /* doctor has found what does not work */
};

/* The targets of all commands' options. */
struct cli_options {
    const char *kubeconfig, *context, *namespace;
    bool verbose, help;
    const char *output;
    bool all_namespaces, fail_if_empty;
    bool bodies;
    const char *pool, *pool_namespace, *deletion_policy;
    int64_t lifetime_ms; /* 0: not said */
    enum option_switch wait;
    bool off, force, once;
    int64_t interval_ms;
    const char *golden;
    const char *handle, *system_id, *database, *owner, *driver; /* of a golden */
    int64_t major_version;                                      /* 0: not said */
    bool dry_run, client_only;
    const char *operator_url, *operator_namespace, *file;
    int64_t timeout_ms;
    const char *from; /* a file of requests */
    int64_t gap_s, target;
    bool fsx, remove_finalizers, yes;
    bool address;
    const char *service_account, *lease_namespace, *lease_name;
    const char *snapshot, *storage_class, *size, *svg; /* of tests in the field */
    const char *rate, *path, *instance;
    int64_t count, for_ms, life_ms, seconds;
    bool clean;
};

struct command;

struct cli {
    FILE *in, *out, *err;
    bool in_is_terminal, out_is_terminal, err_is_terminal;
    size_t err_columns;        /* of the terminal */
    const char *program;       /* "adj" or "kubectl adj" */
    char namespace_option[80]; /* " -n NAME" as it was given, for commands that messages name */
    bool (*open_session)(void *opener, const struct access_options *options, struct session *out,
                         struct error *error);
    void *opener;

    const struct command *command;
    struct cli_options options;
    struct operands operands;

    struct session session; /* open after cli_connect */
    struct client *client;
    struct now now; /* of the last step; 0 before the first */
    bool hurries;   /* rather no reply than one that keeps a person waiting */
};

/* Parses argv, runs its command, reports. The streams, terminals and open_session are set; all else
   is this call's. */
enum exit_code cli_execute(struct cli *cli, int argc, char *const *argv);

/* Connects, unless it has been. */
MUST_CHECK bool cli_connect(struct cli *cli, struct error *error);
/* The option's or the context's; connected first. */
const char *cli_namespace(const struct cli *cli);

/* Does the command wait? As --wait says, else on a terminal. */
bool cli_waits(const struct cli *cli);

/* One request and its reply. out_body gets what a 2xx brought (NULL: not wanted); a throttled
   request is sent again when the server allows it, a few times. Connects when need be. */
MUST_CHECK bool cli_call(struct cli *cli, const struct request *request, struct text *out_body,
                         struct error *error);

/* The same, of another server: its URL without a path. */
MUST_CHECK bool cli_call_elsewhere(struct cli *cli, const char *url, const struct request *request,
                                   struct text *out_body, struct error *error);

/* A result, as it is. */
void cli_print(struct cli *cli, const char *text);
/* What was printed reaches who reads it: asked at the end, and in between by who prints without
   one. Not CLI_OK: it did not, and why was said; but who closed the pipe has seen enough. */
enum exit_code cli_flush(struct cli *cli);
/* A line for the person, on err. */
void cli_say(struct cli *cli, const char *format, ...) PRINTF_LIKE(2, 3);
/* "adj: ..." on err; returns code. */
enum exit_code cli_fail(struct cli *cli, enum exit_code code, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* The same for an error met with objects of a kind, explained (cli/explain.h); CLI_ERROR. */
enum exit_code cli_fail_with(struct cli *cli, enum object_kind kind, const struct error *error);

#endif
