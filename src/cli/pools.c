/* SPDX-License-Identifier: Apache-2.0 */
#include "api/pool.h"
#include "base/duration.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/standing.h"
#include "cli/table.h"

#include <inttypes.h>

enum { TABLE_BYTES_MAX = 4 * 1024 * 1024, AGE_BYTES_MAX = 32 };

static const struct option_row OPTIONS[] = {
    {.name = "all-namespaces",
     .letter = 'A',
     .help = "those of all namespaces, as without -n",
     OPTION_SETS_FLAG(struct cli_options, all_namespaces)},
    OPTION_OUTPUT(OUTPUT_TABLE),
    {.name = NULL},
};

static void add_gap(struct table *table, const struct lane_record *lane)
{
    cleanup_text struct text gap;
    text_init(&gap, AGE_BYTES_MAX);
    if (lane->gap_ms > 0) {
        duration_print_age(lane->gap_ms, &gap);
    }
    table_add(table, lane->gap_ms > 0 ? gap.bytes : NULL);
}

/* "morning ends in 2h", "morning begins in 12m" */
static void add_schedule(const struct cli *cli, struct table *table,
                         const struct schedule_record *schedule)
{
    cleanup_text struct text left;
    text_init(&left, AGE_BYTES_MAX);
    if (schedule->current != NULL) {
        duration_print_age(schedule->until_ms - cli->now.wall_ms, &left);
        table_print(table, "%s ends in %s", schedule->current, left.bytes);
    } else if (schedule->next != NULL) {
        duration_print_age(schedule->next_ms - cli->now.wall_ms, &left);
        table_print(table, "%s begins in %s", schedule->next, left.bytes);
    } else {
        table_add(table, NULL);
    }
}

static void add_row(const struct cli *cli, struct table *table, const struct object *object)
{
    const struct pool *pool = object->pool;
    const struct pool_counts *counts = &pool->counts;
    const struct condition *ready = conditions_find(&pool->conditions, CONDITION_READY);
    const struct condition *telling = standing_of_pool(object);
    cleanup_text struct text age;
    text_init(&age, AGE_BYTES_MAX);
    duration_print_age(cli->now.wall_ms - object->meta.created_ms, &age);

    table_add(table, object->meta.namespace);
    table_add(table, object->meta.name);
    table_add(table, ready == NULL ? NULL : condition_status_name(ready->status));
    table_add(table, telling == NULL ? NULL : telling->reason);
    const int64_t numbers[] = {counts->warm, pool_wanted_size(pool), counts->filling,
                               counts->claimed, counts->waiting};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        table_print(table, "%" PRId64, numbers[i]);
    }
    table_add(table, pool->golden != NULL ? pool->golden : pool->golden_snapshot);
    if (output_is_wide(cli)) {
        table_print(table, "%" PRId64, counts->retiring);
        table_add(table, pool->storage_class);
        table_add(table, pool->golden_system_id);
        table_add(table, pool->measured.name);
        add_gap(table, &pool->measured);
        add_schedule(cli, table, &pool->scheduled);
    }
    table_add(table, age.bytes);
}

static void print_table(struct cli *cli, const struct fetched *fetched)
{
    static const char *const wide[] = {"NAMESPACE", "NAME",    "READY",     "REASON",  "WARM",
                                       "SIZE",      "FILLING", "CLAIMED",   "WAITING", "GOLDEN",
                                       "RETIRING",  "STORAGE", "SYSTEM-ID", "LANE",    "GAP",
                                       "SCHEDULE",  "AGE",     NULL};
    static const char *const narrow[] = {"NAMESPACE", "NAME",   "READY",   "REASON",
                                         "WARM",      "SIZE",   "FILLING", "CLAIMED",
                                         "WAITING",   "GOLDEN", "AGE",     NULL};
    cleanup_arena struct arena arena;
    cleanup_text struct text out;
    arena_init(&arena, 0);
    text_init(&out, TABLE_BYTES_MAX);
    struct table table;
    table_init(&table, &arena, output_is_wide(cli) ? wide : narrow);
    for (size_t i = 0; i < fetched->count; i++) {
        add_row(cli, &table, fetched->objects[i]);
    }
    table_write(&table, &out);
    cli_print(cli, out.bytes);
}

static enum exit_code run(struct cli *cli)
{
    bool all = cli->options.all_namespaces || cli->options.namespace == NULL;
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_POOL);
    struct error error;
    if (!fetch_list(cli, all ? NULL : cli->options.namespace, &fetched, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    if (!output_is_text(cli)) {
        return output_fetched(cli, &fetched, true);
    }
    if (fetched.count == 0) {
        cli_say(cli, "There are no Pools%s%s.", all ? "" : " in namespace ",
                all ? "" : cli->options.namespace);
        return CLI_OK;
    }
    print_table(cli, &fetched);
    return CLI_OK;
}

const struct command command_pools = {
    .name = "pools",
    .operands = "",
    .summary = "List Pools, of all namespaces or of the one that -n names",
    .details = "WARM clones can be claimed now, of the SIZE that is wanted now (by spec.size, a "
               "schedule, or\nautosize); FILLING ones are being made, CLAIMED ones are Instances'. "
               "WAITING counts the Instances in\nthe queue. With -o wide, LANE is the file system "
               "that makes the clones, GAP how far apart they come,\nand SCHEDULE which of the "
               "Pool's is in force, or begins next.\n",
    .options = OPTIONS,
    .run = run,
};
