/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes has a clone for some minutes and goes: a Pool does not care how long, and the fewer
   there are at once, the sooner the weeks are over. Whoever had a clone within seconds found it
   warm.

   Sizes that stay the same need no operator: what they would have brought is replayed. */
#include "simulation/weeks.h"

#include "base/timestamp.h"
#include "plan/arrivals.h"
#include "plan/replay.h"
#include "sim/value.h"
#include "simulation/people.h"
#include "simulation/scene.h"
#include "support/weeks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
#define WARM_MS (5 * SECOND_MS)
#define STAYS_MS (4 * MINUTE_MS)
#define FROM_MS (WEEKS_START_MS + RECORDED_WEEKS * WEEKS_WEEK_MS)
#define TO_MS (FROM_MS + RECORDED_WEEKS * WEEKS_WEEK_MS)

enum { RECORDED_WEEKS = 4, NAME_BYTES = 32, HITS_WANTED = 9900, HUNDRED = 100 };

struct weeks {
    struct trial *trial;
    const int64_t *times_ms; /* of those who come; wall */
    size_t count, first, next;
    size_t served, warm;
    int64_t *waits_ms;
    int64_t volumes, most, look_count; /* warm or being made: summed over the looks; at one */
};

static int64_t wall_ms(const struct trial *trial)
{
    return world_now(trial->world).wall_ms;
}

/* ---- people ---- */

/* 0: it has none yet. */
static int64_t chosen_ms(const struct trial *trial, const char *name)
{
    const struct record *record =
        people_see(trial, people_kind(trial, "instances"), SCENE_DEV, name);
    const char *text =
        record == NULL ? NULL : value_text(record->value, "status", "timings", "chosenAt", NULL);
    int64_t at_ms = 0;
    struct error error;
    return text != NULL && timestamp_parse(text, &at_ms, &error) ? at_ms : 0;
}

/* Who waits is patient. */
static void leave(struct trial *trial, const char *name)
{
    struct weeks *weeks = trial->weeks;
    int64_t at_ms = chosen_ms(trial, name);
    int64_t index = 0;
    struct error error;
    if (at_ms == 0) {
        trial_at(trial, MINUTE_MS, leave, name);
    } else if (text_parse_int64(&name[1], &index, &error)) {
        int64_t wait_ms = at_ms - weeks->times_ms[index];
        weeks->warm += wait_ms <= WARM_MS;
        weeks->waits_ms[weeks->served++] = wait_ms <= WARM_MS ? 0 : wait_ms;
        people_delete(trial, people_kind(trial, "instances"), SCENE_DEV, name);
    }
}

static void come(struct trial *trial, const char *name)
{
    struct weeks *weeks = trial->weeks;
    char next[NAME_BYTES];
    if (name != NULL) {
        people_make_instance(trial, SCENE_DEV, SCENE_POOL, name);
        trial_at(trial, STAYS_MS, leave, name);
    }
    if (weeks->next < weeks->count) {
        (void)snprintf(next, sizeof next, "w%zu", weeks->next);
        trial_at(trial, weeks->times_ms[weeks->next++] - wall_ms(trial), come, next);
    }
}

/* Its size would fall once more some day. */
static void stop_applying(struct trial *trial, const char *name)
{
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, name, NULL,
                 "{'spec':{'autosize':null}}");
}

static void look(void *self)
{
    struct weeks *weeks = self;
    struct trial *trial = weeks->trial;
    const struct record *record =
        people_see(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL);
    const cJSON *status = record == NULL ? NULL : value_at(record->value, "status", NULL);
    int64_t count = value_int64(status, 0, "warm", NULL);
    count += value_int64(status, 0, "filling", NULL);
    weeks->volumes += count;
    weeks->most = count > weeks->most ? count : weeks->most;
    weeks->look_count++;
    if (wall_ms(trial) < TO_MS) {
        (void)world_after(trial->world, MINUTE_MS, look, weeks);
    }
}

/* ---- the weeks before ---- */

static void set_record(struct trial *trial, const int64_t *times_ms, size_t count)
{
    struct arrivals *arrivals = arena_new(&trial->arena, 1, sizeof *arrivals);
    char since[TIMESTAMP_BYTES], until[TIMESTAMP_BYTES];
    weeks_record(times_ms, count, FROM_MS, arrivals);
    struct arrival_record record = arrivals_write(arrivals, &trial->arena);
    timestamp_format_seconds(record.since_ms, since);
    timestamp_format_seconds(record.until_ms, until);
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, "status",
                 "{'status':{'arrivals':{'version':%" PRId64
                 ",'since':'%s','until':'%s','counts':'%s'}}}",
                 record.version, since, until, record.counts);
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, NULL,
                 "{'spec':{'autosize':{'mode':'Apply','max':40}}}");
}

void weeks_act(struct trial *trial)
{
    struct weeks *weeks = arena_new(&trial->arena, 1, sizeof *weeks);
    int64_t *times_ms;
    weeks->trial = trial;
    weeks->count = weeks_make(trial->options->seed, 2 * RECORDED_WEEKS, &trial->arena, &times_ms);
    weeks->times_ms = times_ms;
    while (weeks->first < weeks->count && times_ms[weeks->first] < wall_ms(trial)) {
        weeks->first++;
    }
    weeks->next = weeks->first;
    weeks->waits_ms = arena_new(&trial->arena, weeks->count, sizeof(int64_t));
    trial->weeks = weeks;
    set_record(trial, times_ms, weeks->first);
    come(trial, NULL);
    trial_at(trial, TO_MS - wall_ms(trial), stop_applying, SCENE_POOL);
    look(weeks);
}

/* ---- what it brought ---- */

static int compare(const void *one, const void *other)
{
    int64_t left = *(const int64_t *)one, right = *(const int64_t *)other;
    return left < right ? -1 : left > right;
}

static struct replay applied(const struct weeks *weeks)
{
    qsort(weeks->waits_ms, weeks->served, sizeof(int64_t), compare);
    return (struct replay){
        .requests = (int64_t)weeks->served,
        .warm = (int64_t)weeks->warm,
        .wait_p95_ms = weeks->served == 0 ? 0 : weeks->waits_ms[weeks->served * 95 / HUNDRED],
        .volumes_most = weeks->most,
        .volumes_mean_hundred = weeks->volumes * HUNDRED / weeks->look_count,
    };
}

static void print_row(struct text *out, const char *title, const struct replay *replay)
{
    int64_t hits = replay_hits(replay);
    text_print(out,
               "%-30s %3" PRId64 ".%02" PRId64 "%% %6" PRId64 " s %7" PRId64 " %6" PRId64
               ".%02" PRId64 "\n",
               title, hits / HUNDRED, hits % HUNDRED, replay->wait_p95_ms / 1000,
               replay->volumes_most, replay->volumes_mean_hundred / HUNDRED,
               replay->volumes_mean_hundred % HUNDRED);
}

static void judge(struct trial *trial, const struct replay *result, const struct replay *best)
{
    if (replay_hits(result) < HITS_WANTED) {
        judge_break(trial->judge, "weeks: %" PRId64 " of %" PRId64 " found a clone", result->warm,
                    result->requests);
    }
    if (2 * result->volumes_most > 3 * best->volumes_most ||
        2 * result->volumes_mean_hundred > 3 * best->volumes_mean_hundred) {
        judge_break(trial->judge, "weeks: more than one and a half times the volumes");
    }
}

void weeks_measure(struct trial *trial)
{
    static const int64_t sizes[] = {5, 10, 20};
    struct weeks *weeks = trial->weeks;
    struct arena *arena = &trial->arena;
    struct text *out = &trial->outcome->figures;
    const int64_t *times_ms = &weeks->times_ms[weeks->first];
    size_t count = weeks->count - weeks->first;
    struct weeks_best best = weeks_best(times_ms, count, FROM_MS, TO_MS, arena);
    struct replay result = applied(weeks);
    if (weeks->served != count) {
        judge_break(trial->judge, "weeks: %zu of %zu requests were served", weeks->served, count);
    }
    text_print(out, "seed %" PRIu64 ": %zu requests in four weeks\n%-30s %7s %8s %7s %9s\n",
               trial->options->seed, count, "", "warm", "p95", "most", "mean");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct replay fixed =
            replay_fixed(times_ms, count, FROM_MS, TO_MS, sizes[i], &weeks_lane, arena);
        print_row(out, arena_print(arena, "size %" PRId64, sizes[i]), &fixed);
    }
    print_row(out, arena_print(arena, "size %" PRId64 ", best in hindsight", best.size),
              &best.replay);
    print_row(out, "Apply, by the operator", &result);
    judge(trial, &result, &best.replay);
}
