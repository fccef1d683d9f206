/* SPDX-License-Identifier: Apache-2.0 */
/* hibernate and wake: one field, set and unset. Falling asleep takes a moment and nobody waits for
   it; whoever wakes a database wants to connect to it. */
#include "api/instance.h"
#include "cli/change.h"
#include "cli/command.h"
#include "cli/wait_report.h"

static const struct option_row WAKE_OPTIONS[] = {
    OPTIONS_WAIT("wait until it is ready (default: on a terminal)", "10m"),
    {.name = NULL},
};

static bool write(void *self, const struct object *object, struct json_writer *json,
                  struct error *error)
{
    (void)object;
    (void)error;
    json_member_bool(json, "hibernated", *(const bool *)self);
    return true;
}

static enum exit_code set(struct cli *cli, bool hibernated,
                          enum exit_code (*then)(struct cli *cli, const struct change *change))
{
    struct change change = {
        .cli = cli, .name = cli->operands.items[0], .write = write, .self = &hibernated};
    enum exit_code code = change_instance(&change);
    code = code == CLI_OK ? then(cli, &change) : code;
    fetched_release(&change.fetched);
    return code;
}

static enum exit_code say_asleep(struct cli *cli, const struct change *change)
{
    const struct instance *instance = change->fetched.objects[0]->instance;
    change_say(change, "%s; `%s wake %s%s` starts it again",
               instance->phase == PHASE_READY || instance->phase == PHASE_HIBERNATED
                   ? " hibernates: Postgres stops, and the data is kept"
                   : " hibernates when it has been ready once; the data is kept",
               cli->program, change->name, cli->namespace_option);
    return CLI_OK;
}

static enum exit_code see_awake(struct cli *cli, const struct change *change)
{
    if (cli_waits(cli)) {
        return wait_until_ready(cli, change->fetched.objects[0], 0, true,
                                "It goes on: run this again to go on waiting");
    }
    change_say(change, " wakes: `%s get %s%s` says when it is ready", cli->program, change->name,
               cli->namespace_option);
    return CLI_OK;
}

static enum exit_code run_hibernate(struct cli *cli)
{
    return set(cli, true, say_asleep);
}

static enum exit_code run_wake(struct cli *cli)
{
    return set(cli, false, see_awake);
}

const struct command command_hibernate = {
    .name = "hibernate",
    .operands = "NAME",
    .summary = "Stop an Instance's Postgres and keep its data",
    .details = "CloudNativePG deletes the pod and keeps the PVC. Its lifetime goes on meanwhile.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .run = run_hibernate,
};

const struct command command_wake = {
    .name = "wake",
    .operands = "NAME",
    .summary = "Start an Instance's Postgres that hibernates",
    .details =
        "On a terminal, or with --wait, shows where it stands until it is ready; then prints "
        "how to connect.\n\n"
        "Exit codes: 0 it is ready (or, without waiting, was asked to wake); 3 it failed; 4 "
        "--timeout has\npassed; 1 and 2 as ever.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .options = WAKE_OPTIONS,
    .run = run_wake,
};
