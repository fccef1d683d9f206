/* SPDX-License-Identifier: Apache-2.0 */
/* What a wait for an Instance to be ready has come to, told to the person who waited. */
#ifndef ADJOINT_CLI_WAIT_REPORT_H
#define ADJOINT_CLI_WAIT_REPORT_H

#include "cli/wait.h"

/* Ready: how to connect (or what -o says), on out, with how long it took unless 0; all else on err.
   hint: a sentence without its full stop, what to do when the time was not enough. */
enum exit_code wait_report(const struct wait *wait, int64_t took_ms, const char *hint);

#endif
