/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of -o: what a command prints instead of its own text. */
#ifndef ADJOINT_CLI_OUTPUT_H
#define ADJOINT_CLI_OUTPUT_H

#include "cli/fetch.h"

#define OPTION_OUTPUT(the_choices)                                                                 \
    {                                                                                              \
        .name = "output", .letter = 'o', .argument = "FORMAT", .choices = (the_choices),           \
        .help = "print it as", OPTION_SETS_TEXT(struct cli_options, output)                        \
    }

extern const char *const OUTPUT_OBJECT[]; /* json, yaml, name */
extern const char *const OUTPUT_TABLE[];  /* and wide */

/* Is it the command's own text that is wanted? */
bool output_is_text(const struct cli *cli);
bool output_is_wide(const struct cli *cli);

/* Prints what was fetched as -o says, which is not text: one object as it is, of a list always a
   List. */
enum exit_code output_fetched(struct cli *cli, const struct fetched *fetched, bool is_list);

/* "instance.adjoint.dev/alice" */
void output_name(enum object_kind kind, const char *name, struct text *out);

#endif
