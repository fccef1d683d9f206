/* SPDX-License-Identifier: Apache-2.0 */
/* The whole story of one Instance from its own status, and one line of its Pool's when it waits for
   that. */
#include "api/instance.h"
#include "api/pool.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/standing.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TEXT_BYTES_MAX = 256 * 1024, AGE_BYTES_MAX = 32 };

/* ---- what it is ---- */

static void write_head(const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    text_print(out, "Instance %s/%s: ", object->meta.namespace, object->meta.name);
    standing_print(object, out);
    text_print(out, "\n\n  pool    %s/%s\n", instance->pool_namespace, instance->pool);
    text_print(out, "  volume  %s", instance->volume == NULL ? "none yet" : instance->volume);
    if (instance->volume_handle != NULL) {
        text_print(out, " (%s)", instance->volume_handle);
    }
    text_print(out, "\n  golden  %s", instance->golden == NULL ? "-" : instance->golden);
    if (instance->system_id != NULL) {
        text_print(out, " (system identifier %s)", instance->system_id);
    }
    text_append(out, "\n\n");
}

/* ---- the steps ---- */

static const char *step_title(enum claim_step step)
{
    switch (step) {
    case STEP_CHOSEN:
        return "volume chosen";
    case STEP_CLAIM_CREATED:
        return "claim sent";
    case STEP_VOLUME_CLAIMED:
        return "volume claimed";
    case STEP_BOUND:
        return "claim bound";
    case STEP_CLUSTER_CREATED:
        return "cluster sent";
    case STEP_READY:
        return "ready";
    case STEP_COUNT:
        break;
    }
    return "";
}

struct step {
    const char *title;
    int64_t at_ms; /* wall; 0: not yet */
};

/* By time, those that are not done last; equals keep their order, which qsort would not promise. */
static void sort_steps(struct step *steps, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct step moved = steps[i];
        size_t at = i;
        while (at > 0 && moved.at_ms != 0 &&
               (steps[at - 1].at_ms == 0 || steps[at - 1].at_ms > moved.at_ms)) {
            steps[at] = steps[at - 1];
            at--;
        }
        steps[at] = moved;
    }
}

static void add_step(struct table *table, const struct step *step, int64_t before_ms, bool roughly)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_millis(step->at_ms, at);
    table_add(table, step->title);
    table_add(table, step->at_ms == 0 ? NULL : at);
    if (step->at_ms == 0 || before_ms == 0) {
        table_add(table, NULL);
    } else {
        table_print(table, "%s%+" PRId64, roughly ? "~" : "", step->at_ms - before_ms);
    }
}

static void write_steps(const struct object *object, struct arena *arena, struct text *out)
{
    static const char *const headings[] = {"STEP", "AT", "MS", NULL};
    struct step steps[STEP_COUNT];
    for (size_t i = 0; i < STEP_COUNT; i++) {
        enum claim_step step = (enum claim_step)i;
        steps[i] = (struct step){step_title(step), object->instance->steps[i]};
    }
    sort_steps(steps, STEP_COUNT);
    struct table table;
    table_init(&table, arena, headings);
    struct step created = {"created", object->meta.created_ms};
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(created.at_ms, at); /* the API server keeps no more of it */
    table_add(&table, created.title);
    table_add(&table, at);
    table_add(&table, NULL);
    int64_t before_ms = created.at_ms;
    for (size_t i = 0; i < STEP_COUNT; i++) {
        add_step(&table, &steps[i], before_ms, i == 0);
        before_ms = steps[i].at_ms;
    }
    table_write(&table, out);
    const int64_t *done = object->instance->steps;
    if (done[STEP_CHOSEN] != 0 && done[STEP_READY] != 0) {
        text_print(out, "\nFrom the choice of its volume to ready: %" PRId64 " ms\n",
                   done[STEP_READY] - done[STEP_CHOSEN]);
    }
}

/* ---- the conditions ---- */

static void write_conditions(const struct cli *cli, const struct object *object,
                             struct arena *arena, struct text *out)
{
    static const char *const headings[] = {"CONDITION", "STATUS",  "SINCE",
                                           "REASON",    "MESSAGE", NULL};
    const struct conditions *conditions = &object->instance->conditions;
    if (conditions->count == 0) {
        return;
    }
    struct table table;
    table_init(&table, arena, headings);
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->items[i];
        cleanup_text struct text age;
        text_init(&age, AGE_BYTES_MAX);
        duration_print_age(cli->now.wall_ms - condition->changed_ms, &age);
        table_add(&table, condition->type);
        table_add(&table, condition_status_name(condition->status));
        table_add(&table, age.bytes);
        table_add(&table, condition->reason);
        table_add(&table, condition->message);
    }
    text_append_char(out, '\n');
    table_write(&table, out);
}

/* ---- what it waits for ---- */

static const char *next_step(const struct instance *instance)
{
    for (size_t i = 0; i < STEP_COUNT; i++) {
        if (instance->steps[i] == 0) {
            return step_title((enum claim_step)i);
        }
    }
    return step_title(STEP_READY);
}

static void write_schedule(const struct cli *cli, const struct schedule_record *schedule,
                           struct text *out)
{
    if (schedule->current != NULL) {
        text_print(out, "; its schedule %s keeps %" PRId64, schedule->current, schedule->size);
    } else if (schedule->next != NULL) {
        text_print(out, "; its schedule %s wants %" PRId64 " in ", schedule->next,
                   schedule->next_size);
        duration_print_age(schedule->next_ms - cli->now.wall_ms, out);
    }
}

static void write_pool(struct cli *cli, const struct instance *instance, struct text *out)
{
    cleanup_fetched struct fetched fetched;
    fetched_init(&fetched, KIND_POOL);
    struct error error; /* who may not read the Pool is told the rest */
    if (instance->pool == NULL ||
        !fetch_one(cli, instance->pool_namespace, instance->pool, &fetched, &error)) {
        return;
    }
    const struct pool_counts *counts = &fetched.objects[0]->pool->counts;
    text_print(
        out, "; pool %s/%s has %" PRId64 " warm and %" PRId64 " filling, for %" PRId64 " waiting",
        instance->pool_namespace, instance->pool, counts->warm, counts->filling, counts->waiting);
    write_schedule(cli, &fetched.objects[0]->pool->scheduled, out);
}

static void write_obstacle(const struct object *object, const char *otherwise, struct text *out)
{
    const struct condition *obstacle = standing_obstacle(object);
    text_append(out, obstacle == NULL ? otherwise : obstacle->message);
}

static void write_deletion(const struct object *object, struct text *out)
{
    write_obstacle(object, "the end of its deletion", out);
    for (size_t i = 0; i < object->meta.finalizer_count; i++) {
        text_print(out, "%s%s", i == 0 ? " (finalizers " : ", ", object->meta.finalizers[i]);
    }
    text_append(out, object->meta.finalizer_count > 0 ? ")" : "");
}

static void write_waits_for(struct cli *cli, const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    text_append(out, "\nWaits for: ");
    if (object->meta.deleting_ms != 0) {
        write_deletion(object, out);
        return;
    }
    switch (instance->phase) {
    case PHASE_PENDING:
        write_obstacle(object,
                       "adjoint-operator, which has not looked at it yet: is it running, and does "
                       "it hold the lease?",
                       out);
        return;
    case PHASE_WAITING:
        text_append(out, "a clone");
        if (instance->queue_position > 0) {
            text_print(out, ", at position %" PRId64, instance->queue_position);
        }
        standing_print_left(object, cli->now.wall_ms, out);
        write_pool(cli, instance, out);
        return;
    case PHASE_CLAIMING:
        text_print(out, "the step \"%s\": ", next_step(instance));
        write_obstacle(object, "no condition says more", out);
        return;
    case PHASE_STARTING:
        write_obstacle(object, "Postgres", out);
        return;
    case PHASE_RESETTING:
        write_obstacle(object, "the end of the old database", out);
        return;
    case PHASE_HIBERNATED:
        text_append(out, "you, if it is to run: ");
        write_obstacle(object, "it hibernates", out);
        return;
    case PHASE_FAILED:
        text_append(out, "you. ");
        write_obstacle(object, "Its conditions do not say why", out);
        return;
    case PHASE_READY:
        text_append(out, "nothing");
        return;
    case PHASE_DELETING:
    case PHASE_COUNT:
        return;
    }
}

static void write_story(struct cli *cli, const struct object *object, struct text *out)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    write_head(object, out);
    write_steps(object, &arena, out);
    write_conditions(cli, object, &arena, out);
    write_waits_for(cli, object, out);
    text_append_char(out, '\n');
    bool is_behind = object->instance->observed_generation < object->meta.generation;
    if (is_behind && object->instance->conditions.count > 0) {
        text_append(out, "\nadjoint-operator has not seen the latest change of its spec yet.\n");
    }
}

static enum exit_code run(struct cli *cli)
{
    cleanup_fetched struct fetched fetched;
    cleanup_text struct text out;
    fetched_init(&fetched, KIND_INSTANCE);
    text_init(&out, TEXT_BYTES_MAX);
    struct error error;
    if (!cli_connect(cli, &error) ||
        !fetch_one(cli, cli_namespace(cli), cli->operands.items[0], &fetched, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    write_story(cli, fetched.objects[0], &out);
    cli_print(cli, out.bytes);
    return CLI_OK;
}

const struct command command_why = {
    .name = "why",
    .operands = "NAME",
    .summary = "Tell an Instance's story: its claim step by step, and what it waits for",
    .details = "MS is the time since the step before it, in milliseconds. It is rough for the "
               "first one, because\nthe API server keeps creation times in whole seconds.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_completion = COMPLETE_INSTANCES,
    .run = run,
};
