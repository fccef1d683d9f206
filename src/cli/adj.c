/* SPDX-License-Identifier: Apache-2.0 */
/* The command line is parsed twice: up to the command's name with the options that every command
   has, which may stand before it, and from there on with its own as well. */
#include "cli/adj.h"

#include "cli/command.h"
#include "cli/complete.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_UNKNOWN = 80 };

#define PLUGIN_NAME "kubectl-adj"

static enum exit_code refuse(struct cli *cli, const struct error *error)
{
    const struct command *command = cli->command;
    return cli_fail(cli, CLI_USAGE, "%s (`%s%s%s --help` says more)", error->message, cli->program,
                    command == NULL ? "" : " ", command == NULL ? "" : command->name);
}

static bool check_operands(const struct cli *cli, struct error *error)
{
    const struct command *command = cli->command;
    size_t count = cli->operands.count;
    if (count < command->operand_count_min) {
        return error_set(error, ERROR_INVALID, "%s needs %s", command->name, command->operands);
    }
    if (count > command->operand_count_max) {
        return error_set(error, ERROR_INVALID, "\"%s\" is one word too many for %s",
                         cli->operands.items[command->operand_count_max], command->name);
    }
    const char *const *choices = command->operand_choices;
    return count == 0 || option_check_choice(choices, cli->operands.items[0], error);
}

static enum exit_code run_command(struct cli *cli, struct arguments *arguments)
{
    static const struct option_row none[] = {{.name = NULL}};
    const struct option_row *own = cli->command->options == NULL ? none : cli->command->options;
    const struct option_row *const own_only[] = {own, NULL};
    const struct option_row *const tables[] = {own, COMMON_OPTIONS, NULL};
    struct error error;
    if (!options_prefill(own_only, &cli->options, &error) ||
        !options_parse(tables, arguments, &cli->options, &cli->operands, &error)) {
        return refuse(cli, &error);
    }
    if (cli->options.help) {
        command_print_help(cli, cli->command, cli->out);
        return CLI_OK;
    }
    if (!check_operands(cli, &error)) {
        return refuse(cli, &error);
    }
    if (cli->options.namespace != NULL) {
        (void)snprintf(cli->namespace_option, sizeof(cli->namespace_option), " -n %s",
                       cli->options.namespace);
    }
    return cli->command->run(cli);
}

static enum exit_code dispatch(struct cli *cli, struct arguments *arguments)
{
    const struct option_row *const tables[] = {COMMON_OPTIONS, NULL};
    struct error error;
    if (!options_prefill(tables, &cli->options, &error) ||
        !options_parse(tables, arguments, &cli->options, NULL, &error)) {
        return refuse(cli, &error);
    }
    if (arguments->count == 0) {
        command_print_help(cli, NULL, cli->options.help ? cli->out : cli->err);
        return cli->options.help ? CLI_OK : CLI_USAGE;
    }
    if (!command_find(arguments->items[0], &cli->command, &error)) {
        return refuse(cli, &error);
    }
    arguments->count--;
    arguments->items++;
    return run_command(cli, arguments);
}

/* Without its folder. */
static const char *name_of(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    return name == NULL ? "" : name;
}

static enum exit_code answer(struct cli *cli, const char *name, struct arguments *arguments)
{
    bool is_asked = text_starts_with(name, COMPLETE_PROGRAM);
    if (!is_asked && arguments->count > 0 && text_equal(arguments->items[0], COMPLETE_WORD)) {
        is_asked = true;
        arguments->count--;
        arguments->items++;
    }
    return is_asked ? complete_words(cli, arguments->count, arguments->items)
                    : dispatch(cli, arguments);
}

static void disconnect(struct cli *cli)
{
    client_free(cli->client);
    cli->client = NULL;
    if (cli->session.self != NULL) {
        cli->session.close(cli->session.self);
        cli->session = (struct session){.self = NULL};
    }
}

enum exit_code cli_execute(struct cli *cli, int argc, char *const *argv)
{
    struct arguments arguments = {.count = argc > 0 ? argc - 1 : 0, .items = argv + 1};
    const char *name = name_of(argc > 0 ? argv[0] : NULL);
    cli->program = text_starts_with(name, PLUGIN_NAME) ? "kubectl adj" : "adj";
    enum exit_code code = answer(cli, name, &arguments);
    disconnect(cli);
    return code == CLI_OK ? cli_flush(cli) : code;
}

static bool open_live(void *opener, const struct access_options *options, struct session *out,
                      struct error *error)
{
    (void)opener;
    return session_open(options, out, error);
}

int adj_main(int argc, char *const *argv)
{
    struct winsize size = {.ws_col = 0};
    bool sized = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    struct cli cli = {
        .in = stdin,
        .out = stdout,
        .err = stderr,
        .in_is_terminal = isatty(STDIN_FILENO) == 1,
        .out_is_terminal = isatty(STDOUT_FILENO) == 1,
        .err_is_terminal = isatty(STDERR_FILENO) == 1,
        .err_columns = sized ? size.ws_col : COLUMNS_UNKNOWN,
        .open_session = open_live,
    };
    return (int)cli_execute(&cli, argc, argv);
}
