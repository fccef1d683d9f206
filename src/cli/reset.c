/* SPDX-License-Identifier: Apache-2.0 */
/* One more than was ever asked for or done: a request that is sent again after a reply that got
   lost is refused by its version, and asks for nothing twice. */
#include "api/instance.h"
#include "cli/change.h"
#include "cli/command.h"
#include "cli/wait_report.h"

#include <inttypes.h>

static const char *const GOLDENS[] = {"any", "current", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "golden",
     .argument = "WHICH",
     .fallback = "any",
     .choices = GOLDENS,
     .help = "which golden the new clone is to be of",
     OPTION_SETS_TEXT(struct cli_options, golden)},
    OPTIONS_WAIT("wait until it is ready on the new clone (default: on a terminal)", "1h"),
    {.name = NULL},
};

struct asked {
    bool current;
    int64_t count; /* out */
};

static bool write(void *self, const struct object *object, struct json_writer *json,
                  struct error *error)
{
    struct asked *asked = self;
    const struct instance *instance = object->instance;
    if (instance->reset_count > instance->reset.count && instance->volume != NULL) {
        return error_set(error, ERROR_EXISTS,
                         "Instance %s/%s is being reset already: `adj why %s` says how far that is",
                         object->meta.namespace, object->meta.name, object->meta.name);
    }
    int64_t last = instance->reset_count > instance->reset.count ? instance->reset_count
                                                                 : instance->reset.count;
    asked->count = last + 1;
    json_member_object(json, "reset");
    json_member_int64(json, "count", asked->count);
    json_member_string(json, "golden", asked->current ? "Current" : "Any");
    json_end_object(json);
    return true;
}

static enum exit_code run(struct cli *cli)
{
    struct asked asked = {.current = text_equal(cli->options.golden, "current")};
    struct change change = {
        .cli = cli, .name = cli->operands.items[0], .write = write, .self = &asked};
    enum exit_code code = change_instance(&change);
    if (code == CLI_OK && cli_waits(cli)) {
        code = wait_until_ready(cli, change.fetched.objects[0], asked.count, true,
                                "The reset goes on");
    } else if (code == CLI_OK) {
        change_say(&change,
                   " is reset when a clone is reserved for it; its database runs until "
                   "then: `%s get %s%s` says where it stands",
                   cli->program, change.name, cli->namespace_option);
    }
    fetched_release(&change.fetched);
    return code;
}

const struct command command_reset = {
    .name = "reset",
    .operands = "NAME",
    .summary = "Replace an Instance's database by a fresh clone under the same name",
    .details =
        "Everything in the database is given up, whatever the Instance's deletionPolicy. It runs "
        "until a\nclone is reserved for this Instance, which waits its turn for it like a new one; "
        "host, database and\nuser stay the same. --golden current takes a "
        "clone of the Pool's present golden\nalone. On a terminal, or with --wait, shows where it "
        "stands until it is ready.\n\n"
        "Exit codes: 0 it is ready on the new clone (or, without waiting, was asked to be reset); "
        "3 "
        "it\nfailed; 4 --timeout has passed, and the reset goes on; 1 and 2 as ever.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .options = OPTIONS,
    .run = run,
};
