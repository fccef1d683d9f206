/* SPDX-License-Identifier: Apache-2.0 */
/* FSx is looked at each tenth of a second: what it does is told nowhere else. */
#include "simulation/morning.h"

#include "base/timestamp.h"
#include "demo/script.h"
#include "sim/value.h"
#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    IN_THE_FIRST_MINUTE = 13,
    LATER = 8,
    ARRIVALS = IN_THE_FIRST_MINUTE + LATER,
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    LATER_EACH_MS = 2 * MINUTE_MS,
    LOOK_MS = 100,
    NAME_BYTES = 24,
    CREATE_FAILS_IN_1000 = 50,
};
/* What follows from the model: a claim of a warm clone; a gap at most; from a clone that is there
   to the driver's next look, with what the sidecar and the binder take. */
enum { WARM_MS_MAX = 6000, GAP_MS_MAX = 63000, POLL_MS_MAX = 15500 };

struct arrival {
    char name[NAME_BYTES];
    int64_t after_ms; /* of the begin */
    int64_t came_ms, ready_ms;
};

struct morning {
    struct trial *trial;
    struct arrival arrivals[ARRIVALS];
    int64_t come_count;
    int64_t wanted_ms, idle_ms;
    size_t made_count;
    int64_t made_ms[2 * ARRIVALS]; /* clones that were there at FSx */
    uint64_t available;            /* seen so far */
};

static int64_t wall_ms(const struct trial *trial)
{
    return world_now(trial->world).wall_ms;
}

/* ---- what is seen ---- */

static void look(void *self)
{
    struct morning *morning = self;
    struct trial *trial = morning->trial;
    struct fsx_counts counts = simulation_fsx_counts(trial->simulation);
    uint64_t wanted = (uint64_t)(trial->wish.size + morning->come_count);
    for (; morning->available < counts.available && morning->made_count < 2 * (size_t)ARRIVALS;
         morning->available++) {
        morning->made_ms[morning->made_count++] = wall_ms(trial);
    }
    bool busy = counts.busy_until_ms > trial_now_ms(trial);
    morning->wanted_ms += wanted > counts.available ? LOOK_MS : 0;
    morning->idle_ms += wanted > counts.created && !busy ? LOOK_MS : 0;
    if (!trial->is_over) {
        (void)world_after(trial->world, LOOK_MS, look, morning);
    }
}

static void come(struct trial *trial, const char *number)
{
    struct morning *morning = trial->morning;
    int64_t index = 0;
    struct error error;
    if (text_parse_int64(number, &index, &error)) {
        struct arrival *arrival = &morning->arrivals[index];
        arrival->came_ms = wall_ms(trial);
        morning->come_count++;
        people_make_instance(trial, SCENE_DEV, SCENE_POOL, arrival->name);
    }
}

/* Each a second after the one before at least: creation times have no more, and in one second the
   uid decides. */
static int64_t next_arrival(struct trial *trial, int64_t after_ms, int done_count)
{
    if (done_count >= IN_THE_FIRST_MINUTE) {
        return after_ms + LATER_EACH_MS;
    }
    int64_t latest_ms = MINUTE_MS - (IN_THE_FIRST_MINUTE - 1 - done_count) * SECOND_MS;
    int64_t next_ms = after_ms + trial_draw(trial, SECOND_MS, 2 * MINUTE_MS / IN_THE_FIRST_MINUTE);
    return next_ms < latest_ms ? next_ms : latest_ms;
}

void morning_act(struct trial *trial)
{
    struct morning *morning = arena_new(&trial->arena, 1, sizeof(*morning));
    morning->trial = trial;
    morning->available = simulation_fsx_counts(trial->simulation).available;
    trial->morning = morning;
    int64_t after_ms = 0;
    for (int i = 0; i < ARRIVALS; i++) {
        struct arrival *arrival = &morning->arrivals[i];
        char number[NAME_BYTES];
        (void)snprintf(number, sizeof(number), "%d", i);
        (void)snprintf(arrival->name, sizeof(arrival->name), "i%d", i + 1);
        arrival->after_ms = after_ms;
        trial_at(trial, after_ms, come, number);
        after_ms = next_arrival(trial, after_ms, i + 1);
    }
    look(morning);
}

static int64_t time_of(const cJSON *instance, const char *step)
{
    const char *text = value_text(instance, "status", "timings", step, NULL);
    int64_t at_ms = 0;
    struct error error;
    return text != NULL && timestamp_parse(text, &at_ms, &error) ? at_ms : 0;
}

/* ---- what holds ---- */

/* Of the k-th who found nothing warm: the k-th clone that comes from FSx is theirs, and they come a
   gap apart from the one that was in flight. */
static void judge_waiter(struct morning *morning, size_t k)
{
    const struct arrival *first = &morning->arrivals[morning->trial->wish.size];
    const struct arrival *arrival = &morning->arrivals[(size_t)morning->trial->wish.size + k - 1];
    size_t next = 0;
    while (next < morning->made_count && morning->made_ms[next] < first->came_ms) {
        next++;
    }
    int64_t rest_ms = morning->made_ms[next] - arrival->came_ms;
    int64_t most_ms = rest_ms + (int64_t)k * GAP_MS_MAX;
    int64_t own_ms = morning->made_ms[next + k - 1] - arrival->came_ms;
    most_ms = most_ms < own_ms ? most_ms : own_ms;
    most_ms += POLL_MS_MAX + WARM_MS_MAX;
    if (arrival->ready_ms > most_ms) {
        judge_break(morning->trial->judge,
                    "morning: %s was Ready after %" PRId64 " ms, and not within %" PRId64,
                    arrival->name, arrival->ready_ms, most_ms);
    }
}

static void judge_morning(struct morning *morning, uint64_t creates)
{
    struct trial *trial = morning->trial;
    for (int64_t i = 0; i < trial->wish.size; i++) {
        const struct arrival *arrival = &morning->arrivals[i];
        if (arrival->ready_ms > WARM_MS_MAX) {
            judge_break(trial->judge, "morning: %s was Ready after %" PRId64 " ms", arrival->name,
                        arrival->ready_ms);
        }
    }
    for (size_t k = 1; (int64_t)k + trial->wish.size <= IN_THE_FIRST_MINUTE; k++) {
        judge_waiter(morning, k);
    }
    if (100 * morning->idle_ms >= morning->wanted_ms) {
        judge_break(trial->judge, "morning: FSx was idle for %" PRId64 " of %" PRId64 " ms",
                    morning->idle_ms, morning->wanted_ms);
    }
    if (creates != (uint64_t)(trial->wish.size + ARRIVALS)) {
        judge_break(trial->judge, "morning: CreateVolume was called %" PRIu64 " times", creates);
    }
}

/* ---- what is printed ---- */

static void print_arrival(const struct arrival *arrival, const struct script_arrival *script,
                          struct text *out)
{
    char by_script[NAME_BYTES] = "stolen";
    if (!script->is_lost) {
        (void)snprintf(by_script, sizeof(by_script), "%.1f s", (double)script->ready_ms / 1000);
    }
    text_print(out, "  %-9s  %8.1f s  %10.1f s  %12s%s\n", arrival->name,
               (double)arrival->after_ms / 1000, (double)arrival->ready_ms / 1000, by_script,
               script->is_warm ? "" : ", a create of its own");
}

static void print_morning(struct morning *morning, uint64_t creates)
{
    struct trial *trial = morning->trial;
    struct text *out = &trial->outcome->figures;
    struct script_arrival script[ARRIVALS];
    for (size_t i = 0; i < ARRIVALS; i++) {
        script[i] = (struct script_arrival){.after_ms = morning->arrivals[i].after_ms};
    }
    uint64_t script_creates =
        script_play(trial->options->seed, (size_t)trial->wish.size, script, ARRIVALS);
    text_print(out,
               "  %" PRId64 " clones are warm; FSx makes one a minute, in two\n"
               "  %-9s  %10s  %12s  %12s\n",
               trial->wish.size, "developer", "came at", "Ready in", "by script");
    for (size_t i = 0; i < ARRIVALS; i++) {
        print_arrival(&morning->arrivals[i], &script[i], out);
    }
    text_print(out,
               "  CreateVolume: %" PRIu64 " calls, %d clones handed out and %" PRId64
               " warm; by script: %" PRIu64 "\n"
               "  FSx was idle for %.1f s of the %.1f s that a clone was wanted: %.2f%%\n",
               creates, ARRIVALS, trial->wish.size, script_creates, (double)morning->idle_ms / 1000,
               (double)morning->wanted_ms / 1000,
               100 * (double)morning->idle_ms / (double)morning->wanted_ms);
}

void morning_measure(struct trial *trial)
{
    struct morning *morning = trial->morning;
    uint64_t creates = simulation_fsx_counts(trial->simulation).creates;
    for (size_t i = 0; i < ARRIVALS; i++) {
        struct arrival *arrival = &morning->arrivals[i];
        const struct record *record =
            people_see(trial, people_kind(trial, "instances"), SCENE_DEV, arrival->name);
        arrival->ready_ms =
            record == NULL ? 0 : time_of(record->value, "readyAt") - arrival->came_ms;
    }
    if (trial->options->wants_figures) {
        print_morning(morning, creates);
    }
    judge_morning(morning, creates);
}

/* ---- ETAs ---- */

void morning_fail_some(struct trial *trial)
{
    const struct misfortune misfortune = {.create_fails = CREATE_FAILS_IN_1000};
    simulation_set_misfortune(trial->simulation, &misfortune);
}

void morning_measure_etas(struct trial *trial)
{
    const struct resource *instances = people_kind(trial, "instances");
    const struct record *record = NULL;
    struct trial_outcome *out = trial->outcome;
    while ((record = objects_next(apiserver_objects(trial->server), instances, NULL, record)) !=
           NULL) {
        const char *created = value_text(record->value, "metadata", "creationTimestamp", NULL);
        int64_t created_ms = 0;
        struct error error;
        int64_t told_ms = time_of(record->value, "firstETA");
        int64_t chosen_ms = time_of(record->value, "chosenAt");
        if (told_ms != 0 && timestamp_parse(created, &created_ms, &error) &&
            chosen_ms > created_ms && out->eta_count < ETAS_MAX) {
            double error_ms =
                (double)(told_ms > chosen_ms ? told_ms - chosen_ms : chosen_ms - told_ms);
            out->eta_errors[out->eta_count++] = error_ms / (double)(chosen_ms - created_ms);
        }
    }
}
