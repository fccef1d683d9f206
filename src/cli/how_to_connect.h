/* SPDX-License-Identifier: Apache-2.0 */
/* From an Instance that is ready to a psql that is connected: what is where, and lines to paste. */
#ifndef ADJOINT_CLI_HOW_TO_CONNECT_H
#define ADJOINT_CLI_HOW_TO_CONNECT_H

#include "cli/cli.h"

/* Appends; object is an Instance that has a connection in its status. */
void how_to_connect(const struct cli *cli, const struct object *object, struct text *out);

/* Appends what `adj connect` does as lines for a shell: with kubectl and psql, or with the psql in
   the Instance's pod, as its superuser. */
void how_to_forward(const struct cli *cli, const struct object *object, struct text *out);
void how_to_execute(const struct cli *cli, const struct object *object, const char *pod,
                    struct text *out);

/* As one word of a POSIX shell: quoted when it must be. */
void shell_word(const char *word, struct text *out);

#endif
