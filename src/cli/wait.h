/* SPDX-License-Identifier: Apache-2.0 */
/* Follows one Instance until it is ready, gone, or beyond hope. */
#ifndef ADJOINT_CLI_WAIT_H
#define ADJOINT_CLI_WAIT_H

#include "cli/progress.h"
#include "kube/informer.h"

/* Two rows: what is waited for, and the default of how long. */
#define OPTIONS_WAIT(the_help, the_default)                                                        \
    {.name = "wait", .help = (the_help), OPTION_SETS_SWITCH(struct cli_options, wait)},            \
    {                                                                                              \
        .name = "timeout", .argument = "DURATION", .fallback = (the_default),                      \
        .help = "wait no longer than that", OPTION_SETS_DURATION(struct cli_options, timeout_ms)   \
    }

enum wait_goal { WAIT_UNTIL_READY, WAIT_UNTIL_GONE };

enum wait_outcome {
    WAIT_GOES_ON,
    WAIT_REACHED,
    WAIT_HOPELESS, /* see cli/standing.h */
    WAIT_VANISHED, /* gone, or another one of its name, while it should become ready */
    WAIT_TIMED_OUT,
    WAIT_REFUSED, /* the API server does not let us watch; see error */
};

struct wait {
    struct cli *cli;
    enum wait_goal goal;
    const char *name, *uid; /* borrowed */
    int64_t timeout_ms;
    int64_t reset_count; /* ready after so many resets; wait_init: 0 */
    /* Results. */
    enum wait_outcome outcome;
    const struct object *instance; /* as last seen; NULL: not there. Until wait_release */
    int64_t elapsed_ms;
    struct error error;
    /* Private. */
    struct text field_selector;
    struct informer_options options;
    struct store *store;
    struct informer *informer;
    struct progress progress;
    int64_t started_ms;
    bool started;
};

/* In cli_namespace. Connects nothing: the session is open. Strings must outlive it. */
void wait_init(struct wait *wait, struct cli *cli, enum wait_goal goal, const char *name,
               const char *uid);
void wait_release(struct wait *wait);
#define cleanup_wait __attribute__((cleanup(wait_release)))

/* Trying again will not help: a person has to change something first. */
bool wait_is_in_vain(enum error_class class);

/* At most cli->options.timeout_ms; shows progress meanwhile. */
enum wait_outcome wait_run(struct wait *wait);

#endif
