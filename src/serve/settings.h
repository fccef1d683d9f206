/* SPDX-License-Identifier: Apache-2.0 */
/* adjoint-sim's options: one table for the command line and --help. */
#ifndef ADJOINT_SRC_SERVE_SETTINGS_H
#define ADJOINT_SRC_SERVE_SETTINGS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct settings {
    const char *address, *kubeconfig;
    const char *crds; /* NULL: those that came with the program */
    int64_t port, speed, seed, provisioner_timeout_ms;
    bool golden, trace, help;
};

MUST_CHECK bool settings_read(int argc, char **argv, struct settings *out, struct error *error);
void settings_help(struct text *out);

#endif
