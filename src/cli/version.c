/* SPDX-License-Identifier: Apache-2.0 */
/* Who uses Adjoint may mostly not see its pods, so that what is not seen is no failure. */
#include "cli/version.h"

#include "api/names.h"
#include "cli/command.h"
#include "cli/operator_pods.h"

#include <string.h>

enum { LINE_BYTES_MAX = 4 * 1024 };

static const struct option_row OPTIONS[] = {
    {.name = "client",
     .help = "this program's alone, and ask nobody",
     OPTION_SETS_FLAG(struct cli_options, client_only)},
    OPTIONS_OPERATOR,
    {.name = NULL},
};

/* The bytes of "0.1" in "0.1.0": with the same, two programs understand each other. */
static size_t release_bytes(const char *version)
{
    size_t major_bytes = strcspn(version, ".");
    return version[major_bytes] == '\0' ? major_bytes
                                        : major_bytes + 1 + strcspn(version + major_bytes + 1, ".");
}

static bool is_same_release(const char *one, const char *other)
{
    size_t byte_count = release_bytes(one);
    return byte_count == release_bytes(other) && strncmp(one, other, byte_count) == 0;
}

static void tell(struct cli *cli, const char *version, const char *where)
{
    cleanup_text struct text line;
    text_init(&line, LINE_BYTES_MAX);
    text_print(&line, "adjoint-operator %s, %s\n", version, where);
    cli_print(cli, line.bytes);
    if (!is_same_release(version, ADJOINT_VERSION)) {
        cli_say(cli,
                "adj: adj " ADJOINT_VERSION " and adjoint-operator %s are of different releases: "
                "install the adj of %.*s, or what one shows may not be what the other means",
                version, (int)release_bytes(version), version);
    }
}

static void tell_of_url(struct cli *cli, struct arena *arena)
{
    const char *version = NULL;
    struct error error;
    if (operator_pod_version(cli, NULL, arena, &version, &error)) {
        tell(cli, version, cli->options.operator_url);
    } else {
        cli_say(cli, "The operator at %s does not answer: %s", cli->options.operator_url,
                error.message);
    }
}

static void tell_of_pod(struct cli *cli, struct arena *arena, const struct operator_pod *pod)
{
    const char *version = NULL;
    const char *where = arena_print(arena, "pod %s/%s", pod->namespace, pod->name);
    struct error error;
    if (operator_pod_version(cli, pod, arena, &version, &error)) {
        tell(cli, version, where);
    } else if (pod->labelled_version != NULL) {
        tell(cli, pod->labelled_version, arena_print(arena, "by the label of %s", where));
    } else {
        cli_say(cli, "The operator in %s does not tell its version: %s", where, error.message);
    }
}

static void tell_of_operators(struct cli *cli)
{
    cleanup_arena struct arena arena;
    struct operator_pods pods;
    struct error error;
    arena_init(&arena, 0);
    cli->hurries = true;
    if (cli->options.operator_url != NULL) {
        tell_of_url(cli, &arena);
        return;
    }
    if (!operator_pods_read(cli, &arena, &pods, &error)) {
        cli_say(cli, "The operator's version is not seen: %s", error.message);
        return;
    }
    for (size_t i = 0; i < pods.count; i++) {
        tell_of_pod(cli, &arena, &pods.items[i]);
    }
    if (pods.count == 0) {
        cli_say(cli,
                "The operator's version is not seen: no pod has the label "
                "app.kubernetes.io/name=adjoint (--operator-url asks one that runs elsewhere)");
    }
}

static enum exit_code run(struct cli *cli)
{
    struct error error;
    if (!operator_url_check(cli, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    cli_print(cli, "adj " ADJOINT_VERSION ", for " NAME_API_VERSION "\n");
    if (!cli->options.client_only) {
        tell_of_operators(cli);
    }
    return CLI_OK;
}

const struct command command_version = {
    .name = "version",
    .operands = "",
    .summary = "Print the versions of adj and of the operators that run",
    .details = "An operator tells its own under /metrics, through the API server (the right to get "
               "pods/proxy) or at\n--operator-url; else the label of its pod does. An adj of "
               "another release is warned of.\n",
    .example = "--operator-url http://localhost:8080",
    .options = OPTIONS,
    .run = run,
};
