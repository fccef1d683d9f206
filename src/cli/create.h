/* SPDX-License-Identifier: Apache-2.0 */
/* An object that a command makes. */
#ifndef ADJOINT_CLI_CREATE_H
#define ADJOINT_CLI_CREATE_H

#include "base/json.h"
#include "cli/cli.h"

/* Begins it, up to its name; metadata is left open. namespace NULL: it has none. */
void create_begin(struct json_writer *json, enum object_kind kind, const char *namespace,
                  const char *name);

/* POSTs the object; dry_run: the API server judges it and makes nothing. out_reply NULL: not
   wanted. Errors of cli_call, and ERROR_LIMIT when a name or the object is too long. */
MUST_CHECK bool create_send(struct cli *cli, enum object_kind kind, const char *namespace,
                            const struct text *object, bool dry_run, struct text *out_reply,
                            struct error *error);

#endif
