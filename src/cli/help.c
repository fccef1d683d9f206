/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

static enum exit_code run(struct cli *cli)
{
    const struct command *command = NULL;
    struct error error;
    if (cli->operands.count == 1 && !command_find(cli->operands.items[0], &command, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    command_print_help(cli, command, cli->out);
    return CLI_OK;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "Show what a command does",
    .operand_count_max = 1,
    .operand_completion = COMPLETE_COMMANDS,
    .run = run,
};
