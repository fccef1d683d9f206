/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "cli/nearest.h"

enum { HELP_BYTES_MAX = 32 * 1024 };

const struct command *const COMMANDS[] = {
    &command_clone,   &command_list,      &command_get,
    &command_why,     &command_connect,   &command_extend,
    &command_protect, &command_hibernate, &command_wake,
    &command_reset,   &command_delete,    &command_adopt,
    &command_pools,   &command_top,       &command_size,
    &command_fanout,  &command_burst,     &command_soak,
    &command_bench,   &command_golden,    &command_plan,
    &command_doctor,  &command_report,    &command_completion,
    &command_version, &command_help,      NULL,
};

const struct option_row COMMON_OPTIONS[] = {
    {.name = "namespace",
     .letter = 'n',
     .argument = "NAME",
     .help = "the namespace (default: the context's)",
     .completion = COMPLETE_NAMESPACES,
     OPTION_SETS_TEXT(struct cli_options, namespace)},
    {.name = "kubeconfig",
     .argument = "FILE",
     .help = "the kubeconfig (default: $KUBECONFIG, then a pod's service account, then "
             "~/.kube/config)",
     .completion = COMPLETE_FILES,
     OPTION_SETS_TEXT(struct cli_options, kubeconfig)},
    {.name = "context",
     .argument = "NAME",
     .help = "the context of the kubeconfig (default: its current one)",
     OPTION_SETS_TEXT(struct cli_options, context)},
    {.name = "verbose",
     .letter = 'v',
     .help = "show each request with its outcome and time",
     OPTION_SETS_FLAG(struct cli_options, verbose)},
    {.name = "help",
     .letter = 'h',
     .help = "show what the command does and its options",
     OPTION_SETS_FLAG(struct cli_options, help)},
    {.name = NULL},
};

bool command_find(const char *name, const struct command **out, struct error *error)
{
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        if (text_equal((*at)->name, name)) {
            *out = *at;
            return true;
        }
        nearest_offer(&nearest, (*at)->name);
    }
    if (nearest.word == NULL) {
        return error_set(error, ERROR_INVALID, "unknown command \"%s\"", name);
    }
    return error_set(error, ERROR_INVALID, "unknown command \"%s\": did you mean \"%s\"?", name,
                     nearest.word);
}

static void write_command(const struct cli *cli, const struct command *command, struct text *out)
{
    text_print(out, "%s\n\nusage: %s %s%s%s [options]\n", command->summary, cli->program,
               command->name, command->operands[0] == '\0' ? "" : " ", command->operands);
    if (command->details != NULL) {
        text_print(out, "\n%s", command->details);
    }
    if (command->example != NULL) {
        text_print(out, "\n  %s %s %s\n", cli->program, command->name, command->example);
    }
    if (command->options != NULL) {
        text_append(out, "\nOptions:\n");
        options_write_help(command->options, out);
    }
}

static void write_overview(const struct cli *cli, struct text *out)
{
    text_print(out,
               "Postgres on a clone of a golden snapshot, in seconds.\n\n"
               "usage: %s COMMAND [options]\n\n",
               cli->program);
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        text_print(out, "  %-10s %-15s %s\n", (*at)->name, (*at)->operands, (*at)->summary);
    }
    text_print(out,
               "\n`%s COMMAND --help` says more about each.\n\n"
               "Exit codes: 0 done; 1 an error, which one line on stderr explains; 2 the command "
               "line is\nwrong; 3 the Instance failed or cannot be served; 4 the time-out has "
               "passed;\n5 doctor found what does not work.\n",
               cli->program);
}

void command_print_help(const struct cli *cli, const struct command *command, FILE *stream)
{
    cleanup_text struct text help;
    text_init(&help, HELP_BYTES_MAX);
    if (command == NULL) {
        write_overview(cli, &help);
    } else {
        write_command(cli, command, &help);
    }
    text_append(&help, "\nOptions of every command:\n");
    options_write_help(COMMON_OPTIONS, &help);
    (void)fputs(help.bytes, stream);
}
