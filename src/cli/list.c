/* SPDX-License-Identifier: Apache-2.0 */
#include "api/instance.h"
#include "api/pool.h"
#include "base/duration.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"

#include <inttypes.h>

enum { TABLE_BYTES_MAX = 16 * 1024 * 1024, AGE_BYTES_MAX = 32 };

static const struct option_row OPTIONS[] = {
    {.name = "all-namespaces",
     .letter = 'A',
     .help = "those of all namespaces",
     OPTION_SETS_FLAG(struct cli_options, all_namespaces)},
    OPTION_OUTPUT(OUTPUT_TABLE),
    {.name = NULL},
};

/* What is left of its wait. */
static void add_left(const struct cli *cli, struct table *table, const struct instance *instance)
{
    cleanup_text struct text left;
    text_init(&left, AGE_BYTES_MAX);
    if (instance->queue_eta_ms == 0) {
        table_add(table, NULL);
        return;
    }
    duration_print_age(instance->queue_eta_ms - cli->now.wall_ms, &left);
    table_add(table, left.bytes);
}

static void add_row(const struct cli *cli, struct table *table, const struct object *object)
{
    const struct instance *instance = object->instance;
    const struct condition *ready = conditions_find(&instance->conditions, CONDITION_READY);
    const struct condition *eligible =
        conditions_find(&instance->conditions, INSTANCE_CONDITION_ELIGIBLE);
    bool refused = eligible != NULL && eligible->status == CONDITION_FALSE;
    const struct condition *telling = refused ? eligible : ready;
    cleanup_text struct text age;
    text_init(&age, AGE_BYTES_MAX);
    duration_print_age(cli->now.wall_ms - object->meta.created_ms, &age);

    if (cli->options.all_namespaces) {
        table_add(table, object->meta.namespace);
    }
    table_add(table, object->meta.name);
    table_add(table, instance_phase_name(instance->phase));
    table_add(table, telling == NULL ? NULL : telling->reason);
    table_print(table, "%s/%s", instance->pool_namespace, instance->pool);
    if (instance->queue_position > 0) {
        table_print(table, "%" PRId64, instance->queue_position);
    } else {
        table_add(table, NULL);
    }
    add_left(cli, table, instance);
    if (output_is_wide(cli)) {
        table_add(table, instance->volume);
        table_add(table, instance->golden);
        table_add(table, instance->connection_host);
    }
    table_add(table, age.bytes);
}

static void print_table(struct cli *cli, const struct fetched *fetched)
{
    static const char *const wide[] = {"NAMESPACE", "NAME",     "PHASE", "REASON",
                                       "POOL",      "POSITION", "ETA",   "VOLUME",
                                       "GOLDEN",    "HOST",     "AGE",   NULL};
    static const char *const narrow[] = {"NAMESPACE", "NAME", "PHASE", "REASON", "POOL",
                                         "POSITION",  "ETA",  "AGE",   NULL};
    const char *const *headings = output_is_wide(cli) ? wide : narrow;
    cleanup_arena struct arena arena;
    cleanup_text struct text out;
    arena_init(&arena, 0);
    text_init(&out, TABLE_BYTES_MAX);
    struct table table;
    table_init(&table, &arena, cli->options.all_namespaces ? headings : headings + 1);
    for (size_t i = 0; i < fetched->count; i++) {
        add_row(cli, &table, fetched->objects[i]);
    }
    table_write(&table, &out);
    cli_print(cli, out.bytes);
}

static enum exit_code run(struct cli *cli)
{
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_INSTANCE);
    struct error error;
    if (!cli_connect(cli, &error) ||
        !fetch_list(cli, cli->options.all_namespaces ? NULL : cli_namespace(cli), &fetched,
                    &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    if (!output_is_text(cli)) {
        return output_fetched(cli, &fetched, true);
    }
    if (fetched.count > 0) {
        print_table(cli, &fetched);
    } else if (cli->options.all_namespaces) {
        cli_say(cli, "There are no Instances.");
    } else {
        cli_say(cli, "There are no Instances in namespace %s.", cli_namespace(cli));
    }
    return CLI_OK;
}

const struct command command_list = {
    .name = "list",
    .operands = "",
    .summary = "List Instances",
    .details = "POSITION is an Instance's place among those that wait for a clone of its Pool; 1 "
               "is next.\nETA is about how long that will take.\n",
    .options = OPTIONS,
    .run = run,
};
