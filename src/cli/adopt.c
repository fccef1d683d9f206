/* SPDX-License-Identifier: Apache-2.0 */
#include "api/instance.h"
#include "api/names.h"
#include "cli/change.h"
#include "cli/command.h"
#include "cli/output.h"

enum { TEXT_BYTES_MAX = 4 * 1024 };

#define PATCH "{\"metadata\":{\"annotations\":{\"" ANNOTATION_ADOPT "\":\"asked\"}}}"

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
    if (object->instance->volume == NULL) {
        return cli_fail(cli, CLI_ERROR, "Instance %s/%s has no volume yet that could be adopted",
                        object->meta.namespace, object->meta.name);
    }
    if (!change_send(cli, object, PATCH, sizeof(PATCH) - 1, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    output_name(KIND_INSTANCE, object->meta.name, &out);
    text_print(&out, " adopts volume %s again: `%s why %s%s` says how far it is\n",
               object->instance->volume, cli->program, object->meta.name, cli->namespace_option);
    cli_print(cli, out.bytes);
    return CLI_OK;
}

const struct command command_adopt = {
    .name = "adopt",
    .operands = "NAME",
    .summary = "Run an Instance's database again whose Cluster or PVC was deleted",
    .details = "The volume of an Instance outlives its Cluster and its PVC. When somebody has "
               "deleted one of\nthem, the Instance is Failed and nothing is made anew until you "
               "ask for it with this command.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .run = run,
};
