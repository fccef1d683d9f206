/* SPDX-License-Identifier: Apache-2.0 */
/* A lifetime is a length, and what people want is a later end. So it is made longer by what was
   asked for, counted from its present end, or from now if that has passed (it is protected, or
   about to go). */
#include "api/instance.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/change.h"
#include "cli/command.h"

enum { SECOND_MS = 1000, LENGTH_BYTES_MAX = 64 };

struct extension {
    struct cli *cli;
    int64_t by_ms;
    int64_t lifetime_ms, end_ms; /* results; end_ms 0: it has not begun */
};

static int64_t present_lifetime(const struct instance *instance)
{
    bool by_pool = instance->lifetime_ms == 0 && instance->expires_ms != 0;
    return by_pool ? instance->expires_ms - instance->served_ms : instance->lifetime_ms;
}

static bool write(void *self, const struct object *object, struct json_writer *json,
                  struct error *error)
{
    struct extension *extension = self;
    const struct instance *instance = object->instance;
    int64_t lifetime_ms = present_lifetime(instance);
    if (lifetime_ms == 0 && instance->steps[STEP_VOLUME_CLAIMED] == 0) {
        return error_set(error, ERROR_INVALID,
                         "Instance %s/%s has no lifetime of its own, and its Pool's counts from "
                         "when it has its volume: extend it then",
                         object->meta.namespace, object->meta.name);
    }
    if (lifetime_ms == 0) {
        return error_set(error, ERROR_INVALID,
                         "Instance %s/%s has no lifetime that could be extended: it stays until "
                         "somebody deletes it",
                         object->meta.namespace, object->meta.name);
    }
    int64_t age_ms = extension->cli->now.wall_ms - instance->served_ms;
    if (instance->served_ms != 0 && age_ms > lifetime_ms) {
        lifetime_ms = age_ms;
    }
    lifetime_ms += extension->by_ms + SECOND_MS - 1;
    extension->lifetime_ms = lifetime_ms - lifetime_ms % SECOND_MS;
    extension->end_ms = instance->served_ms == 0 ? 0 : instance->served_ms + extension->lifetime_ms;
    cleanup_text struct text length;
    text_init(&length, LENGTH_BYTES_MAX);
    duration_print(extension->lifetime_ms, &length);
    json_member_string(json, "lifetime", length.bytes);
    return true;
}

static void say(const struct change *change, const struct extension *extension)
{
    cleanup_text struct text length;
    text_init(&length, LENGTH_BYTES_MAX);
    duration_print(extension->lifetime_ms, &length);
    if (extension->end_ms == 0) {
        change_say(change, " lives for %s from when it has its volume", length.bytes);
        return;
    }
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(extension->end_ms, at);
    change_say(change, " lives until %s (%s in all), if its Pool allows that long", at,
               length.bytes);
}

static enum exit_code run(struct cli *cli)
{
    struct extension extension = {.cli = cli};
    struct change change = {
        .cli = cli, .name = cli->operands.items[0], .write = write, .self = &extension};
    struct error error;
    if (!duration_parse(cli->operands.items[1], &extension.by_ms, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    if (extension.by_ms == 0 || extension.by_ms > DURATION_MS_MAX) {
        return cli_fail(cli, CLI_USAGE, "%s is no length to extend it by", cli->operands.items[1]);
    }
    enum exit_code code = change_instance(&change);
    if (code == CLI_OK) {
        say(&change, &extension);
    }
    fetched_release(&change.fetched);
    return code;
}

const struct command command_extend = {
    .name = "extend",
    .operands = "NAME DURATION",
    .summary = "Put the end of an Instance's lifetime off",
    .details = "Makes spec.lifetime longer, so that it ends DURATION (90m, 4h, 1d12h) after its "
               "present end; after\nnow, if that has passed. The Pool may allow no more than so "
               "long: `get` shows when it ends.\n",
    .example = "alice 4h",
    .operand_count_min = 2,
    .operand_count_max = 2,
    .operand_completion = COMPLETE_INSTANCES,
    .run = run,
};
