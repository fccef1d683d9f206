/* SPDX-License-Identifier: Apache-2.0 */
/* The uid is a precondition: what is deleted is the Instance that was there when the command began,
   not one that got its name since. */
#include "api/instance.h"
#include "base/timestamp.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/wait.h"

enum { BODY_BYTES_MAX = 1024, PATH_BYTES_MAX = 2 * 1024, TEXT_BYTES_MAX = 4 * 1024 };

static const struct option_row OPTIONS[] = {
    OPTIONS_WAIT("wait until it is gone, and its volume handed back", "10m"),
    {.name = "force",
     .help = "even if it is protected",
     OPTION_SETS_FLAG(struct cli_options, force)},
    {.name = NULL},
};

static bool send_delete(struct cli *cli, const struct object *object, struct error *error)
{
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&body, BODY_BYTES_MAX);
    kind_path(kind_of(KIND_INSTANCE), object->meta.namespace, object->meta.name, NULL, &path);
    struct json_writer json;
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_member_string(&json, "apiVersion", "v1");
    json_member_string(&json, "kind", "DeleteOptions");
    json_member_object(&json, "preconditions");
    json_member_string(&json, "uid", object->meta.uid);
    json_end_object(&json);
    json_end_object(&json);
    struct request request = {.method = METHOD_DELETE,
                              .path = path.bytes,
                              .content_type = "application/json",
                              .body = body.bytes,
                              .body_bytes = body.length_bytes};
    return cli_call(cli, &request, NULL, error);
}

static enum exit_code report_wait(struct cli *cli, const struct wait *wait)
{
    switch (wait->outcome) {
    case WAIT_REACHED:
        return CLI_OK;
    case WAIT_TIMED_OUT:
        return cli_fail(cli, CLI_TIMED_OUT,
                        "Instance %s/%s is still there; its deletion goes on: `%s why %s%s` says "
                        "what it waits for",
                        cli_namespace(cli), wait->name, cli->program, wait->name,
                        cli->namespace_option);
    case WAIT_REFUSED:
        return cli_fail_with(cli, KIND_INSTANCE, &wait->error);
    case WAIT_GOES_ON:
    case WAIT_HOPELESS:
    case WAIT_VANISHED:
        break;
    }
    return CLI_ERROR;
}

static enum exit_code wait_until_gone(struct cli *cli, const struct object *object)
{
    cleanup_wait struct wait wait;
    wait_init(&wait, cli, WAIT_UNTIL_GONE, object->meta.name, object->meta.uid);
    (void)wait_run(&wait);
    return report_wait(cli, &wait);
}

/* One that is on its way out has nothing left to protect. */
static bool is_protected(const struct cli *cli, const struct object *object)
{
    return !cli->options.force && object->meta.deleting_ms == 0 &&
           object->instance->protected_until_ms > cli->now.wall_ms;
}

static enum exit_code refuse(struct cli *cli, const struct object *object)
{
    char until[TIMESTAMP_BYTES];
    timestamp_format_seconds(object->instance->protected_until_ms, until);
    return cli_fail(cli, CLI_ERROR,
                    "Instance %s/%s is protected until %s: if it is to go all the same, `%s "
                    "delete %s%s --force`; `%s protect %s%s --off` ends its protection",
                    object->meta.namespace, object->meta.name, until, cli->program,
                    object->meta.name, cli->namespace_option, cli->program, object->meta.name,
                    cli->namespace_option);
}

static enum exit_code run(struct cli *cli)
{
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_INSTANCE);
    struct error error;
    if (!cli_connect(cli, &error) ||
        !fetch_one(cli, cli_namespace(cli), cli->operands.items[0], &fetched, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    const struct object *object = fetched.objects[0];
    if (is_protected(cli, object)) {
        return refuse(cli, object);
    }
    if (!send_delete(cli, object, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    bool waits = cli->options.wait == SWITCH_ON;
    enum exit_code code = waits ? wait_until_gone(cli, object) : CLI_OK;
    if (code != CLI_OK) {
        return code;
    }
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    output_name(KIND_INSTANCE, object->meta.name, &out);
    text_append(&out, waits ? " is gone" : " is being deleted");
    text_append(&out, object->instance->deletion_policy == DELETION_RETAIN
                          ? "; its Cluster and volume stay\n"
                          : "; its Cluster and volume go with it\n");
    cli_print(cli, out.bytes);
    return CLI_OK;
}

const struct command command_delete = {
    .name = "delete",
    .operands = "NAME",
    .summary = "Delete an Instance, with its database unless its policy is Retain",
    .details = "One that is protected (`adj protect`) is deleted with --force alone. The API "
               "server knows no such\nprotection: `kubectl delete` deletes it.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .options = OPTIONS,
    .run = run,
};
