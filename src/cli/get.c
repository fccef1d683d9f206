/* SPDX-License-Identifier: Apache-2.0 */
#include "api/instance.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/command.h"
#include "cli/how_to_connect.h"
#include "cli/output.h"
#include "cli/standing.h"

enum { TEXT_BYTES_MAX = 64 * 1024 };

static const struct option_row OPTIONS[] = {
    OPTION_OUTPUT(OUTPUT_OBJECT),
    {.name = NULL},
};

static void print_text(struct cli *cli, const struct object *object)
{
    const struct instance *instance = object->instance;
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    text_print(&out, "Instance %s/%s: ", object->meta.namespace, object->meta.name);
    standing_print(object, &out);
    standing_print_left(object, cli->now.wall_ms, &out);
    text_print(&out, "\n\n  pool      %s/%s\n  volume    %s\n  golden    %s\n  age       ",
               instance->pool_namespace, instance->pool,
               instance->volume == NULL ? "-" : instance->volume,
               instance->golden == NULL ? "-" : instance->golden);
    duration_print_age(cli->now.wall_ms - object->meta.created_ms, &out);
    if (instance->expires_ms != 0) {
        char at[TIMESTAMP_BYTES];
        timestamp_format_seconds(instance->expires_ms, at);
        text_print(&out, "\n  ends      %s", at);
    }
    text_print(&out, "\n  deletion  %s\n",
               instance->deletion_policy == DELETION_RETAIN
                   ? "Retain: its Cluster and volume stay when it is deleted"
                   : "Delete: its Cluster and volume go with it");
    if (instance->phase == PHASE_READY && instance->connection_host != NULL &&
        instance->connection_secret != NULL) {
        how_to_connect(cli, object, &out);
    }
    cli_print(cli, out.bytes);
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
    if (!output_is_text(cli)) {
        return output_fetched(cli, &fetched, false);
    }
    print_text(cli, fetched.objects[0]);
    return CLI_OK;
}

const struct command command_get = {
    .name = "get",
    .operands = "NAME",
    .summary = "Show an Instance and how to connect to it",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .options = OPTIONS,
    .run = run,
};
