/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/version.h"

#include "api/names.h"
#include "cli/command.h"

static enum exit_code run(struct cli *cli)
{
    cli_print(cli, "adj " ADJOINT_VERSION ", for " NAME_API_VERSION "\n");
    return CLI_OK;
}

const struct command command_version = {
    .name = "version",
    .operands = "",
    .summary = "Print the version",
    .run = run,
};
