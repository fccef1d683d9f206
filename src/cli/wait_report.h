/* SPDX-License-Identifier: Apache-2.0 */
/* A wait for an Instance to be ready, and what it has come to, told to the person who waited. */
#ifndef ADJOINT_CLI_WAIT_REPORT_H
#define ADJOINT_CLI_WAIT_REPORT_H

#include "cli/wait.h"

/* Waits for this Instance, after so many resets. Ready: how to connect (or what -o says), on out,
   timed: with how long it took; all else on err. hint: a sentence without its full stop, what to do
   when the time was not enough. */
enum exit_code wait_until_ready(struct cli *cli, const struct object *instance, int64_t reset_count,
                                bool timed, const char *hint);

#endif
