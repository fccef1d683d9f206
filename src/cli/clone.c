/* SPDX-License-Identifier: Apache-2.0 */
/* Creating is idempotent, because a developer (or a CI job) who is told "unknown" or was cut off
   simply runs it again: an Instance of that name from that Pool is the one that is meant. */
#include "api/instance.h"
#include "base/duration.h"
#include "cli/command.h"
#include "cli/create.h"
#include "cli/object_name.h"
#include "cli/output.h"
#include "cli/wait_report.h"

#include <inttypes.h>
#include <string.h>

enum { LENGTH_BYTES_MAX = 64, BODY_BYTES_MAX = 4 * 1024, TEXT_BYTES_MAX = 64 * 1024 };

static const char *const POLICIES[] = {"Delete", "Retain", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "pool",
     .argument = "NS/NAME",
     .help = "the Pool to take a clone of, with its namespace; required",
     .completion = COMPLETE_POOLS,
     OPTION_SETS_TEXT(struct cli_options, pool)},
    {.name = "pool-namespace",
     .argument = "NAME",
     .help = "the Pool's namespace, when --pool names only the Pool",
     .completion = COMPLETE_NAMESPACES,
     OPTION_SETS_TEXT(struct cli_options, pool_namespace)},
    {.name = "deletion-policy",
     .argument = "POLICY",
     .choices = POLICIES,
     .help = "what becomes of the database when the Instance is deleted (default Delete)",
     OPTION_SETS_TEXT(struct cli_options, deletion_policy)},
    {.name = "lifetime",
     .argument = "DURATION",
     .maximum = DURATION_MS_MAX,
     .help = "delete it after so long, such as 8h or 1d12h, unless it is protected or extended "
             "(default: the Pool's)",
     OPTION_SETS_DURATION(struct cli_options, lifetime_ms)},
    {.name = "fail-if-empty",
     .help = "fail when no clone is warm, instead of waiting for the next",
     OPTION_SETS_FLAG(struct cli_options, fail_if_empty)},
    OPTIONS_WAIT("wait until it is ready (default: on a terminal)", "10m"),
    OPTION_OUTPUT(OUTPUT_OBJECT),
    {.name = NULL},
};

static bool read_pool(const struct cli_options *options, struct object_name *out,
                      struct error *error)
{
    if (options->pool == NULL) {
        return error_set(error, ERROR_INVALID,
                         "clone needs --pool NAMESPACE/NAME: `adj pools` lists them");
    }
    if (options->pool_namespace != NULL && strchr(options->pool, '/') != NULL) {
        return error_set(error, ERROR_INVALID,
                         "the Pool's namespace is in --pool and in --pool-namespace: give one");
    }
    return object_name_parse(options->pool, options->pool_namespace, out) ||
           error_set(error, ERROR_INVALID,
                     "--pool: \"%s\" has no namespace: write NAMESPACE/NAME, or add "
                     "--pool-namespace",
                     options->pool);
}

struct clone {
    struct cli *cli;
    const char *name;
    struct object_name pool;
    struct fetched fetched; /* the Instance */
    bool existed;
};

static void write_lifetime(int64_t lifetime_ms, struct json_writer *json)
{
    cleanup_text struct text length;
    text_init(&length, LENGTH_BYTES_MAX);
    duration_print(lifetime_ms, &length);
    json_member_optional(json, "lifetime", lifetime_ms == 0 ? NULL : length.bytes);
}

static void write_body(const struct clone *clone, struct text *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    create_begin(&json, KIND_INSTANCE, cli_namespace(clone->cli), clone->name);
    json_end_object(&json);
    json_member_object(&json, "spec");
    json_member_object(&json, "pool");
    json_member_string(&json, "name", clone->pool.name);
    json_member_string(&json, "namespace", clone->pool.namespace);
    json_end_object(&json);
    json_member_optional(&json, "deletionPolicy", clone->cli->options.deletion_policy);
    write_lifetime(clone->cli->options.lifetime_ms, &json);
    json_member_optional(&json, "whenEmpty", clone->cli->options.fail_if_empty ? "Fail" : NULL);
    json_end_object(&json);
    json_end_object(&json);
}

static bool post(struct clone *clone, struct error *error)
{
    cleanup_text struct text body;
    cleanup_text struct text reply;
    text_init(&body, BODY_BYTES_MAX);
    text_init(&reply, CLI_BODY_BYTES_MAX);
    write_body(clone, &body);
    return create_send(clone->cli, KIND_INSTANCE, cli_namespace(clone->cli), &body, false, &reply,
                       error) &&
           fetched_add_reply(&clone->fetched, reply.bytes, reply.length_bytes, error);
}

static bool is_from_pool(const struct clone *clone, const struct object *object)
{
    return text_equal(object->instance->pool, clone->pool.name) &&
           text_equal(object->instance->pool_namespace, clone->pool.namespace);
}

/* One of that name is there, or may be: is it the one that is wanted? */
static enum exit_code take_existing(struct clone *clone, const struct error *why)
{
    struct cli *cli = clone->cli;
    struct error error;
    if (!fetch_one(cli, cli_namespace(cli), clone->name, &clone->fetched, &error)) {
        bool was_not_made = why->class == ERROR_UNKNOWN && error.class == ERROR_NOT_FOUND;
        return cli_fail_with(cli, KIND_INSTANCE, was_not_made ? why : &error);
    }
    const struct object *object = clone->fetched.objects[0];
    const struct instance *instance = object->instance;
    clone->existed = true;
    if (!is_from_pool(clone, object)) {
        return cli_fail(cli, CLI_ERROR,
                        "Instance %s/%s exists already, from pool %s/%s: choose another name, or "
                        "delete it first",
                        object->meta.namespace, clone->name, instance->pool_namespace,
                        instance->pool);
    }
    if (object->meta.deleting_ms != 0) {
        return cli_fail(cli, CLI_ERROR,
                        "Instance %s/%s is being deleted: `%s delete %s%s --wait` waits until it "
                        "is gone; or choose another name",
                        object->meta.namespace, clone->name, cli->program, clone->name,
                        cli->namespace_option);
    }
    const char *policy = POLICIES[instance->deletion_policy];
    if (cli->options.deletion_policy != NULL && !text_equal(cli->options.deletion_policy, policy)) {
        cli_say(cli, "Instance %s/%s keeps its deletionPolicy %s.", object->meta.namespace,
                clone->name, policy);
    }
    int64_t lifetime_ms = cli->options.lifetime_ms;
    if (lifetime_ms != 0 && lifetime_ms != instance->lifetime_ms) {
        cli_say(
            cli, "Instance %s/%s keeps its lifetime: `%s extend %s DURATION%s` makes it longer.",
            object->meta.namespace, clone->name, cli->program, clone->name, cli->namespace_option);
    }
    return CLI_OK;
}

static enum exit_code create(struct clone *clone)
{
    struct error error;
    if (!cli_connect(clone->cli, &error)) {
        return cli_fail_with(clone->cli, KIND_INSTANCE, &error);
    }
    if (post(clone, &error)) {
        return CLI_OK;
    }
    if (error.class == ERROR_EXISTS || error.class == ERROR_UNKNOWN) {
        return take_existing(clone, &error);
    }
    return cli_fail_with(clone->cli, KIND_INSTANCE, &error);
}

static enum exit_code report_created(struct clone *clone)
{
    struct cli *cli = clone->cli;
    if (!output_is_text(cli)) {
        return output_fetched(cli, &clone->fetched, false);
    }
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    output_name(KIND_INSTANCE, clone->name, &out);
    text_append(&out, clone->existed ? " exists already\n" : " created\n");
    cli_print(cli, out.bytes);
    return CLI_OK;
}

static enum exit_code see_ready(struct clone *clone)
{
    struct cli *cli = clone->cli;
    const struct object *object = clone->fetched.objects[0];
    if (clone->existed) {
        cli_say(cli, "Instance %s/%s exists already; waiting until it is ready.",
                object->meta.namespace, clone->name);
    }
    return wait_until_ready(cli, object, 0, !clone->existed,
                            "It keeps its place: run this again to go on waiting");
}

static enum exit_code run(struct cli *cli)
{
    struct clone clone = {.cli = cli, .name = cli->operands.items[0]};
    struct error error;
    if (!read_pool(&cli->options, &clone.pool, &error)) {
        return cli_fail(cli, CLI_USAGE, "%s", error.message);
    }
    fetched_init(&clone.fetched, KIND_INSTANCE);
    enum exit_code code = create(&clone);
    if (code == CLI_OK) {
        code = cli_waits(cli) ? see_ready(&clone) : report_created(&clone);
    }
    fetched_release(&clone.fetched);
    return code;
}

const struct command command_clone = {
    .name = "clone",
    .operands = "NAME",
    .summary = "Make an Instance: a Postgres of your own on a clone from a Pool",
    .details =
        "Creates the Instance NAME in your namespace and, on a terminal or with --wait, shows "
        "where it\nstands until it is ready; then prints how to connect. An Instance of that name "
        "and Pool that is\nthere already is waited for.\n\n"
        "Exit codes: 0 it is ready (or, without waiting, created); 3 it failed or will not be "
        "served until\nsomething is changed: the reason is on stderr, and the Instance stays; 4 "
        "--timeout has passed: it\nkeeps its place, and the same command goes on waiting; 1 and 2 "
        "as ever.\n",
    .example = "alice --pool golden/main",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .options = OPTIONS,
    .run = run,
};
