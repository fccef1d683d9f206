/* SPDX-License-Identifier: Apache-2.0 */
#include "api/instance.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/change.h"
#include "cli/command.h"

enum { OPERANDS_WITH_DURATION = 2 };

static const struct option_row OPTIONS[] = {
    {.name = "off",
     .help = "protect it no longer: its lifetime may end it",
     OPTION_SETS_FLAG(struct cli_options, off)},
    {.name = NULL},
};

struct protection {
    struct cli *cli;
    int64_t for_ms; /* 0: off */
    char until[TIMESTAMP_BYTES];
};

static bool write(void *self, const struct object *object, struct json_writer *json,
                  struct error *error)
{
    struct protection *protection = self;
    (void)object;
    (void)error;
    if (protection->for_ms == 0) {
        json_member_raw(json, "protectedUntil", "null");
        return true;
    }
    timestamp_format_seconds(protection->cli->now.wall_ms + protection->for_ms, protection->until);
    json_member_string(json, "protectedUntil", protection->until);
    return true;
}

/* Who has no volume yet has no end yet either, and may be given one by the Pool. */
static void say(const struct change *change, const struct protection *protection)
{
    const struct instance *instance = change->fetched.objects[0]->instance;
    bool ends = instance->lifetime_ms != 0 || instance->expires_ms != 0;
    if (protection->for_ms == 0) {
        change_say(change, !ends ? " is not protected"
                                 : " is not protected: its lifetime ends it, in a while if it is "
                                   "over");
    } else {
        change_say(change,
                   !ends && instance->steps[STEP_VOLUME_CLAIMED] != 0
                       ? " is protected until %s; it has no lifetime that would end it"
                       : " is protected until %s, if its Pool allows that long",
                   protection->until);
    }
}

static enum exit_code run(struct cli *cli)
{
    struct protection protection = {.cli = cli};
    struct change change = {
        .cli = cli, .name = cli->operands.items[0], .write = write, .self = &protection};
    struct error error;
    bool has_duration = cli->operands.count == OPERANDS_WITH_DURATION;
    if (has_duration == cli->options.off) {
        return cli_fail(cli, CLI_USAGE, "say for how long (`%s protect %s 7d`), or --off",
                        cli->program, change.name);
    }
    if (has_duration && !duration_parse(cli->operands.items[1], &protection.for_ms, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    if (has_duration && (protection.for_ms == 0 || protection.for_ms > DURATION_MS_MAX)) {
        return cli_fail(cli, CLI_USAGE, "%s is no length to protect it for",
                        cli->operands.items[1]);
    }
    enum exit_code code = change_instance(&change);
    if (code == CLI_OK) {
        say(&change, &protection);
    }
    fetched_release(&change.fetched);
    return code;
}

const struct command command_protect = {
    .name = "protect",
    .operands = "NAME [DURATION]",
    .summary = "Keep an Instance beyond the end of its lifetime, or --off",
    .details = "Its lifetime does not end it for DURATION (12h, 7d) from now, whatever was said "
               "before. Its Pool\nmay bound how long: `get` shows when it ends. `delete` asks "
               "for --force then; kubectl does not.\n",
    .example = "alice 7d",
    .operand_count_min = 1,
    .operand_count_max = OPERANDS_WITH_DURATION,
    .operand_completion = COMPLETE_INSTANCES,
    .options = OPTIONS,
    .run = run,
};
