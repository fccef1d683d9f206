/* SPDX-License-Identifier: Apache-2.0 */
/* psql gets all it needs from its environment: a command line is for everybody to read. The port is
   forwarded by ourselves, so that a laptop needs no kubectl; whoever may not, or has no psql, is
   told the lines to paste instead. */
#include "api/instance.h"
#include "api/names.h"
#include "base/base64.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/fetch.h"
#include "cli/how_to_connect.h"
#include "cli/instance_pod.h"
#include "cli/standing.h"

#include <string.h>

enum { PATH_BYTES_MAX = 2048, TEXT_BYTES_MAX = 64 * 1024, VARIABLES_MAX = 12 };

static const struct option_row OPTIONS[] = {
    {.name = "address",
     .help = "start no psql: print 127.0.0.1:PORT, and forward to Postgres until interrupted",
     OPTION_SETS_FLAG(struct cli_options, address)},
    {.name = NULL},
};

struct connection {
    struct cli *cli;
    struct fetched fetched;
    const struct object *object; /* the Instance */
    struct arena arena;
    const char *pod;
    const char *database, *user, *password;
    int port; /* on 127.0.0.1 */
};

/* ---- where to ---- */

static enum exit_code refuse_unready(const struct connection *connection)
{
    struct cli *cli = connection->cli;
    const struct object *object = connection->object;
    bool sleeps = object->instance->phase == PHASE_HIBERNATED;
    cleanup_text struct text standing;
    text_init(&standing, TEXT_BYTES_MAX);
    standing_print(object, &standing);
    return cli_fail(cli, CLI_INSTANCE_FAILED,
                    "Instance %s/%s cannot be connected to: %s (`%s %s %s%s` %s)",
                    object->meta.namespace, object->meta.name, standing.bytes, cli->program,
                    sleeps ? "wake" : "why", object->meta.name, cli->namespace_option,
                    sleeps ? "starts it" : "says more");
}

static bool read_member(struct connection *connection, const struct json *data, const char *key,
                        const char **out, struct error *error)
{
    char *bytes = NULL;
    size_t byte_count = 0;
    const char *encoded = json_text(json_member(data, key));
    if (encoded == NULL) {
        return error_set(error, ERROR_INVALID, "it has no %s", key);
    }
    if (!base64_decode(encoded, &connection->arena, &bytes, &byte_count, error)) {
        return error_wrap(error, "its %s", key);
    }
    *out = bytes;
    return strlen(bytes) == byte_count ||
           error_set(error, ERROR_INVALID, "its %s has a NUL in it", key);
}

static bool read_secret(struct connection *connection, struct error *error)
{
    const struct object *object = connection->object;
    const char *name = object->instance->connection_secret;
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&body, CLI_BODY_BYTES_MAX);
    kind_path(kind_of(KIND_SECRET), object->meta.namespace, name, NULL, &path);
    struct request request = {.method = METHOD_GET, .path = path.bytes};
    if (!cli_call(connection->cli, &request, &body, error)) {
        return false;
    }
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(body.bytes, body.length_bytes, &document, error)) {
        return error_wrap(error, "Secret %s/%s", object->meta.namespace, name);
    }
    const struct json *data = json_member(json_root(document), "data");
    return (read_member(connection, data, "database", &connection->database, error) &&
            read_member(connection, data, "username", &connection->user, error) &&
            read_member(connection, data, "password", &connection->password, error)) ||
           error_wrap(error, "Secret %s/%s", object->meta.namespace, name);
}

/* ---- the forwarded port ---- */

static void connection_failed(void *self, const struct error *error, const char *refusal)
{
    struct connection *connection = self;
    struct error said = *error;
    instance_pod_use_reply(&said, refusal);
    cli_say(connection->cli, "%s: a connection to pod %s has failed: %s", connection->cli->program,
            connection->pod, said.message);
}

static enum exit_code refuse_forward(const struct connection *connection, const struct error *error)
{
    struct cli *cli = connection->cli;
    if (error->class != ERROR_FORBIDDEN) {
        return cli_fail_with(cli, KIND_POD, error);
    }
    cleanup_text struct text lines;
    text_init(&lines, TEXT_BYTES_MAX);
    how_to_forward(cli, connection->object, &lines);
    (void)cli_fail(cli, CLI_ERROR,
                   "%s: it takes the verbs get and create on pods/portforward. With create alone "
                   "kubectl does it:",
                   error->message);
    cli_print(cli, lines.bytes);
    return CLI_ERROR;
}

static bool forward(struct connection *connection, struct error *error)
{
    struct cli *cli = connection->cli;
    cleanup_text struct text path;
    cleanup_text struct text refusal;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&refusal, CLI_BODY_BYTES_MAX);
    kind_path(kind_of(KIND_POD), connection->object->meta.namespace, connection->pod, "portforward",
              &path);
    text_print(&path, "?ports=%d", CNPG_PORT);
    struct session_forward wanted = {
        .path = arena_copy(&connection->arena, path.bytes),
        .failed = connection_failed,
        .self = connection,
    };
    if (!text_check(&path, "the pod's name", error)) {
        return false;
    }
    if (!cli->session.forward(cli->session.self, &wanted, &connection->port, &refusal, error)) {
        instance_pod_use_reply(error, refusal.bytes);
        return false;
    }
    return true;
}

/* ---- who uses it ---- */

static enum exit_code refuse_psql(const struct connection *connection, const struct error *error)
{
    struct cli *cli = connection->cli;
    cleanup_text struct text lines;
    text_init(&lines, TEXT_BYTES_MAX);
    how_to_execute(cli, connection->object, connection->pod, &lines);
    (void)cli_fail(cli, CLI_ERROR,
                   "%s: install Postgres' client, let another client use what `%s connect %s%s "
                   "--address` prints, or take the psql in the pod, as superuser:",
                   error->message, cli->program, connection->object->meta.name,
                   cli->namespace_option);
    cli_print(cli, lines.bytes);
    return CLI_ERROR;
}

static enum exit_code attend(struct connection *connection)
{
    struct cli *cli = connection->cli;
    struct arena *arena = &connection->arena;
    /* PGSERVICE would go before all of them, PGHOSTADDR before PGHOST. */
    const char *const variables[VARIABLES_MAX] = {
        "PGHOST=127.0.0.1",
        arena_print(arena, "PGPORT=%d", connection->port),
        arena_print(arena, "PGDATABASE=%s", connection->database),
        arena_print(arena, "PGUSER=%s", connection->user),
        arena_print(arena, "PGPASSWORD=%s", connection->password),
        "PGSERVICE",
        "PGHOSTADDR",
        NULL,
    };
    const char *arguments[OPERANDS_MAX] = {NULL}; /* the Instance's name is none of psql's */
    memcpy(arguments, cli->operands.items + 1, (cli->operands.count - 1) * sizeof(*arguments));
    if (cli->options.address) {
        cli_print(cli, arena_print(arena, "127.0.0.1:%d\n", connection->port));
    }
    (void)fflush(cli->out);
    struct error error;
    int code = 0;
    const char *command = cli->options.address ? NULL : "psql";
    if (!cli->session.attend(cli->session.self, command, arguments, variables, &code, &error)) {
        return refuse_psql(connection, &error);
    }
    return (enum exit_code)code;
}

static enum exit_code connect_to(struct connection *connection)
{
    struct cli *cli = connection->cli;
    struct error error;
    if (!cli_connect(cli, &error) ||
        !fetch_one(cli, cli_namespace(cli), cli->operands.items[0], &connection->fetched, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    connection->object = connection->fetched.objects[0];
    const struct instance *instance = connection->object->instance;
    if (instance->phase != PHASE_READY || instance->connection_secret == NULL) {
        return refuse_unready(connection);
    }
    if (!cli->options.address && !read_secret(connection, &error)) {
        return cli_fail_with(cli, KIND_SECRET, &error);
    }
    if (!instance_pod_find(cli, connection->object, &connection->arena, &connection->pod, &error)) {
        return cli_fail_with(cli, KIND_CLUSTER, &error);
    }
    return forward(connection, &error) ? attend(connection) : refuse_forward(connection, &error);
}

static enum exit_code run(struct cli *cli)
{
    if (cli->options.address && cli->operands.count > 1) {
        return cli_fail(cli, CLI_USAGE, "--address starts no psql: \"%s\" would be for nobody",
                        cli->operands.items[1]);
    }
    struct connection connection = {.cli = cli};
    arena_init(&connection.arena, 0);
    fetched_init(&connection.fetched, KIND_INSTANCE);
    enum exit_code code = connect_to(&connection);
    fetched_release(&connection.fetched);
    arena_release(&connection.arena);
    return code;
}

const struct command command_connect = {
    .name = "connect",
    .operands = "NAME [-- ARGS]",
    .summary = "Open psql on an Instance, through the API server",
    .details =
        "Forwards a port of 127.0.0.1 to the Instance's Postgres for as long as psql runs, as\n"
        "`kubectl port-forward` does, with user, password and database from the Instance's "
        "Secret.\nWhat follows NAME is for psql; -- goes before its options. It takes get on the "
        "Secret, and get\nand create on pods/portforward.\n\n"
        "Exit codes: psql's own once it runs. Before that 1 an error: without psql, or without "
        "the\nright to forward, the kubectl lines to use instead are printed; 2 the command line "
        "is wrong;\n3 the Instance is not ready.\n",
    .example = "alice -- -Atc 'select version()'",
    .operand_count_min = 1,
    .operand_count_max = OPERANDS_MAX,
    .operand_completion = COMPLETE_INSTANCES,
    .options = OPTIONS,
    .run = run,
};
