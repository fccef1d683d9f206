/* SPDX-License-Identifier: Apache-2.0 */
/* adjoint-operator's options: one table for the command line, the environment and --help. */
#ifndef ADJOINT_SRC_CLI_OPERATOR_OPTIONS_H
#define ADJOINT_SRC_CLI_OPERATOR_OPTIONS_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct operator_settings {
    const char *kubeconfig, *context;
    const char *lease_namespace; /* NULL: the service account's or the context's */
    const char *lease_name, *identity;
    int64_t lease_duration_ms, lease_renew_ms, lease_retry_ms;
    int64_t watch_silence_ms;
    const char *listen; /* NULL: nowhere */
    const char *log_level;
    bool help, version;
};

/* Defaults, environment, command line; and what does not fit together is refused. */
MUST_CHECK bool operator_options_read(int argc, char **argv, struct operator_settings *out,
                                      struct error *error);
void operator_options_help(struct text *out);

#endif
