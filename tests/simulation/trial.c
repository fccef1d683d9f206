/* SPDX-License-Identifier: Apache-2.0 */
/* Whether it has settled is asked each second and not at each change: the ending looks at
   everything. */
#include "simulation/trial.h"

#include "simulation/ending.h"
#include "simulation/faults.h"
#include "simulation/people.h"
#include "simulation/recording.h"
#include "simulation/remedy.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)

/* A fill that hangs is told of after twenty minutes, and a provisioner's back-off is five: what is
   not settled in three hours never is. */
#define SETTLE_MS (180 * MINUTE_MS)
/* Nobody is asked while the operator is at it. */
#define HELP_AFTER_MS (2 * MINUTE_MS)
/* Faults leave nothing behind after so long: a watch that fell silent is given up after 90 s, a
   list after 30 s. */
#define AFTERMATH_MS (2 * MINUTE_MS)
/* It is settled when nothing was written for so long; and then for so much longer. */
#define QUIET_MS (20 * SECOND_MS)
#define SILENCE_MS (3 * MINUTE_MS)
#define LOOK_MS SECOND_MS
#define REPORT_BYTES (256 * 1024)

int64_t trial_now_ms(const struct trial *trial)
{
    return world_now(trial->world).mono_ms;
}

int64_t trial_draw(struct trial *trial, int64_t low, int64_t high)
{
    return world_between(trial->world, "people", low, high);
}

/* ---- appointments ---- */

struct appointment {
    struct trial *trial;
    void (*act)(struct trial *trial, const char *argument);
    const char *argument;
};

static void keep_appointment(void *self)
{
    const struct appointment *appointment = self;
    appointment->act(appointment->trial, appointment->argument);
}

void trial_at(struct trial *trial, int64_t delay_ms,
              void (*act)(struct trial *trial, const char *argument), const char *argument)
{
    struct appointment *appointment = arena_new(&trial->arena, 1, sizeof(*appointment));
    *appointment = (struct appointment){
        .trial = trial, .act = act, .argument = arena_copy(&trial->arena, argument)};
    (void)world_after(trial->world, delay_ms, keep_appointment, appointment);
}

/* ---- writes ---- */

enum mishap trial_on_write(struct trial *trial)
{
    const struct trial_options *options = trial->options;
    trial->last_write_ms = trial_now_ms(trial);
    if (!trial->counts_writes) {
        return MISHAP_NONE;
    }
    trial->write_count++;
    trial->crash_write++;
    if (trial->crash_count < options->crash_count &&
        options->crashes[trial->crash_count].write == trial->crash_write) {
        trial->crash_write = 0;
        return options->crashes[trial->crash_count++].mishap;
    }
    return MISHAP_NONE;
}

/* ---- its parts ---- */

static bool goes_on(const struct trial *trial)
{
    return judge_verdict(trial->judge) == NULL;
}

static bool run_until(struct trial *trial, int64_t until_ms)
{
    while (goes_on(trial) && world_run_next(trial->world, until_ms)) {
    }
    return goes_on(trial);
}

static bool is_quiet(const struct trial *trial, int64_t for_ms)
{
    return trial_now_ms(trial) - trial->last_write_ms >= for_ms;
}

static bool someone_leads(const struct trial *trial)
{
    bool leads = false;
    for (size_t i = 0; i < trial->life_count; i++) {
        leads = leads || life_leads(trial->lives[i]);
    }
    return leads;
}

/* Until holds() and nothing is written any more. A person helps when nothing goes on. */
static bool settle(struct trial *trial, bool (*holds)(const struct trial *trial, struct text *out),
                   void (*help)(struct trial *trial))
{
    int64_t deadline_ms = trial_now_ms(trial) + SETTLE_MS;
    int64_t helped_ms = trial_now_ms(trial);
    int64_t leads_ms = trial_now_ms(trial); /* somebody does, and knows all, since then */
    cleanup_text struct text lacking;
    text_init(&lacking, REPORT_BYTES);
    while (run_until(trial, trial_now_ms(trial) + LOOK_MS)) {
        int64_t now_ms = trial_now_ms(trial);
        leads_ms = someone_leads(trial) ? leads_ms : now_ms;
        if (is_quiet(trial, QUIET_MS) && now_ms - leads_ms >= QUIET_MS && holds(trial, &lacking)) {
            return true;
        }
        if (is_quiet(trial, HELP_AFTER_MS) && now_ms - helped_ms >= HELP_AFTER_MS) {
            helped_ms = now_ms;
            help(trial);
        }
        if (now_ms >= deadline_ms) {
            (void)holds(trial, &lacking);
            judge_break(trial->judge, "I10: it does not settle: %s", lacking.bytes);
        }
    }
    return false;
}

static void help(struct trial *trial)
{
    (void)remedy_apply(trial);
}

/* What was asked for is written down some minutes later, which is no other news. */
static bool record(struct trial *trial)
{
    cleanup_text struct text lacking;
    text_init(&lacking, REPORT_BYTES);
    if (!run_until(trial, trial_now_ms(trial) + recording_ms(trial)) ||
        !settle(trial, ending_holds, help)) {
        return false;
    }
    if (!recording_is_whole(trial, &lacking)) {
        judge_break(trial->judge, "I21: what was asked for is not recorded: %s", lacking.bytes);
    }
    return goes_on(trial);
}

static bool be_silent(struct trial *trial)
{
    int64_t since_ms = trial->last_write_ms;
    if (!run_until(trial, trial_now_ms(trial) + SILENCE_MS)) {
        return false;
    }
    if (trial->last_write_ms != since_ms) {
        judge_break(trial->judge, "I10: it writes although it had settled");
    }
    return goes_on(trial);
}

/* What the rest of the run begins with. */
static bool prepare(struct trial *trial)
{
    const struct scenario *scenario = trial->options->scenario;
    struct error error;
    if (!scene_set(trial, &error)) {
        judge_break(trial->judge, "the scene cannot be set: %s", error.message);
        return false;
    }
    if (!scenario->begins_with_pool) {
        return goes_on(trial);
    }
    for (size_t i = 0; i < trial->life_count; i++) {
        life_begin(trial->lives[i]);
    }
    people_make_pool(trial, SCENE_POOL, trial->wish.size);
    return settle(trial, ending_holds, help);
}

static bool act(struct trial *trial)
{
    trial->counts_writes = true;
    faults_begin(trial->faults);
    for (size_t i = 0; i < trial->life_count; i++) {
        life_begin(trial->lives[i]);
    }
    scenario_begin(trial);
    if (!run_until(trial, trial->acts_until_ms)) {
        return false;
    }
    faults_end(trial->faults);
    world_trace(trial->world, "faults are over");
    int64_t aftermath_ms = faults_leave_order(trial->faults) ? 0 : AFTERMATH_MS;
    if (!run_until(trial, trial_now_ms(trial) + aftermath_ms) ||
        !settle(trial, ending_holds, help)) {
        return false;
    }
    if (trial->options->scenario->measure != NULL) {
        trial->options->scenario->measure(trial);
    }
    return record(trial) && be_silent(trial);
}

static bool end(struct trial *trial)
{
    trial->counts_writes = false;
    trial->is_over = true;
    world_trace(trial->world, "everything is deleted");
    remedy_clear_up(trial);
    return settle(trial, ending_is_bare, remedy_clear_up);
}

/* ---- from beginning to end ---- */

static void take_line(void *self, const char *line)
{
    struct trial *trial = self;
    last_lines_take(&trial->last_lines, line);
    if (trial->options->line != NULL) {
        trial->options->line(trial->options->self, line);
    }
}

static void trial_init(struct trial *trial, const struct trial_options *options)
{
    struct simulation_options chosen = scene_options(options);
    *trial = (struct trial){.options = options};
    arena_init(&trial->arena, 0);
    trial->simulation = simulation_new(&chosen);
    trial->world = simulation_world(trial->simulation);
    trial->server = simulation_apiserver(trial->simulation);
    world_trace_to(trial->world, take_line, trial);
    scenario_wish(trial);
    trial->faults = faults_new(trial);
    trial->judge = judge_new(
        trial->simulation, &(struct judge_options){.pools = SCENE_POOLS,
                                                   .thief = SCENE_THIEF,
                                                   .others = SCENE_OTHERS,
                                                   .system_id = SCENE_SYSTEM_ID,
                                                   .sanitizes = trial->wish.sanitizes,
                                                   .is_strict = !options->scenario->interferes &&
                                                                options->crash_count == 0 &&
                                                                !trial->wish.has_a_lease_each &&
                                                                faults_leave_order(trial->faults)});
    if (trial->wish.operator_count > 1 && trial->wish.has_a_lease_each) {
        judge_note_rivals(trial->judge);
    }
    trial->life_count = trial->wish.operator_count;
    for (size_t i = 0; i < trial->life_count; i++) {
        trial->lives[i] = life_new(trial, i);
    }
}

static void trial_release(struct trial *trial)
{
    for (size_t i = 0; i < trial->life_count; i++) {
        life_free(trial->lives[i]);
    }
    judge_free(trial->judge);
    faults_free(trial->faults);
    simulation_free(trial->simulation);
    last_lines_release(&trial->last_lines);
    arena_release(&trial->arena);
}

static void report(struct trial *trial, struct trial_outcome *out)
{
    const char *verdict = judge_verdict(trial->judge);
    out->passed = verdict == NULL;
    out->was_struck = trial->crash_count == trial->options->crash_count;
    out->hash = world_trace_hash(trial->world);
    out->write_count = trial->write_count;
    out->life_count = judge_lives(trial->judge);
    out->simulated_ms = trial_now_ms(trial);
    if (verdict != NULL) {
        text_print(&out->report, "  %s\n  at %" PRId64 " ms, with faults: %s; the last lines:\n",
                   verdict, out->simulated_ms, faults_describe(trial->faults));
        last_lines_report(&trial->last_lines, &out->report);
    }
}

void trial_play(const struct trial_options *options, struct trial_outcome *out)
{
    struct trial trial;
    *out = (struct trial_outcome){.passed = false};
    text_init(&out->report, REPORT_BYTES);
    text_init(&out->figures, REPORT_BYTES);
    trial_init(&trial, options);
    trial.outcome = out;
    if (prepare(&trial) && act(&trial)) {
        (void)end(&trial);
    }
    report(&trial, out);
    trial_release(&trial);
}

void trial_outcome_release(struct trial_outcome *outcome)
{
    text_release(&outcome->report);
    text_release(&outcome->figures);
}
