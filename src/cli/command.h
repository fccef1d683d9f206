/* SPDX-License-Identifier: Apache-2.0 */
/* To add a command: a file with its `const struct command`, a declaration below, a place in the
   table of command.c. --help, `adj help` and the check of its arguments follow from that. */
#ifndef ADJOINT_CLI_COMMAND_H
#define ADJOINT_CLI_COMMAND_H

#include "cli/cli.h"

struct command {
    const char *name;
    const char *operands; /* as help shows them; "": none */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs, in lines; NULL: none */
    const char *example;  /* arguments that make sense; NULL: none */
    size_t operand_count_min, operand_count_max;
    /* Of the first operand: what it has to be (ends with NULL; NULL: any word), else what a shell
       offers for it. */
    const char *const *operand_choices;
    enum completion operand_completion;
    const struct option_row *options; /* besides those that every command has */
    enum exit_code (*run)(struct cli *cli);
};

extern const struct command command_adopt, command_bench, command_burst, command_clone,
    command_completion, command_connect, command_delete, command_doctor, command_extend,
    command_fanout, command_get, command_golden, command_help, command_hibernate, command_list,
    command_plan, command_pools, command_protect, command_report, command_reset, command_size,
    command_soak, command_top, command_version, command_wake, command_why;

/* In the order of help; ends with NULL. */
extern const struct command *const COMMANDS[];

/* ERROR_INVALID with what may have been meant. */
MUST_CHECK bool command_find(const char *name, const struct command **out, struct error *error);

/* The options that every command has. */
extern const struct option_row COMMON_OPTIONS[];

/* To the stream; command NULL: of the whole program. */
void command_print_help(const struct cli *cli, const struct command *command, FILE *stream);

#endif
