/* SPDX-License-Identifier: Apache-2.0 */
/* Ten seconds are short beside a create, and few enough looks for ten hours. */
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/value.h"
#include "simulation/day_state.h"
#include "simulation/others.h"
#include "simulation/people.h"
#include "simulation/scene.h"

#include <inttypes.h>
#include <stdlib.h>

#define MINUTE_MS INT64_C(60000)

enum { LOOK_MS = 10 * 1000 };

static const struct record *pool_record(const struct day *day, size_t pool)
{
    return people_see(day->trial, people_kind(day->trial, "pools"), SCENE_POOLS,
                      day_pools[pool].name);
}

/* Warm clones of each Pool; true: one of them is of the golden before. */
static bool count_warm(const struct day *day, int64_t out_warm[DAY_POOLS])
{
    const struct objects *objects = apiserver_objects(day->trial->server);
    const char *goldens[DAY_POOLS];
    const struct record *record = NULL;
    bool stale = false;
    for (size_t i = 0; i < DAY_POOLS; i++) {
        const struct record *pool = pool_record(day, i);
        out_warm[i] = 0;
        goldens[i] = pool == NULL ? NULL : judge_golden_uid(day->trial->judge, pool->value);
    }
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        const char *pool = text_equal(value_label(record->value, "adjoint.dev/state"), "warm")
                               ? value_label(record->value, "adjoint.dev/pool")
                               : NULL;
        for (size_t i = 0; pool != NULL && i < DAY_POOLS; i++) {
            if (text_equal(pool, day_pools[i].name)) {
                out_warm[i]++;
                stale = stale || !text_equal(value_annotation(record->value, //
                                                              "adjoint.dev/golden-uid"),
                                             goldens[i]);
            }
        }
    }
    return stale;
}

static bool waits(const struct visit *visit)
{
    return visit->came_ms != 0 && !visit->is_gone && visit->chosen_ms == 0;
}

static int64_t count_waiting(const struct day *day, size_t pool)
{
    int64_t count = 0;
    for (size_t i = 0; i < day->visit_count; i++) {
        count += day->visits[i].pool == pool && waits(&day->visits[i]);
    }
    return count;
}

bool day_finds_warm(const struct day *day, const struct visit *visit)
{
    int64_t warm[DAY_POOLS];
    (void)count_warm(day, warm);
    return warm[visit->pool] > count_waiting(day, visit->pool);
}

static int64_t time_of(const cJSON *instance, const char *step)
{
    const char *text = value_text(instance, "status", "timings", step, NULL);
    int64_t at_ms = 0;
    struct error error;
    return text != NULL && timestamp_parse(text, &at_ms, &error) ? at_ms : 0;
}

static void look_at_visits(struct day *day)
{
    const struct resource *instances = people_kind(day->trial, "instances");
    for (size_t i = 0; i < day->visit_count; i++) {
        struct visit *visit = &day->visits[i];
        if (visit->came_ms == 0 || visit->is_gone || visit->ready_in_ms != 0) {
            continue;
        }
        const struct record *record =
            people_see(day->trial, instances, visit->namespace, visit->name);
        if (record != NULL) {
            int64_t ready_ms = time_of(record->value, "readyAt");
            visit->chosen_ms = time_of(record->value, "chosenAt");
            visit->ready_in_ms = ready_ms == 0 ? 0 : ready_ms - visit->came_ms;
        }
    }
}

struct creates {
    const struct day *day;
    int64_t pending[DAY_LANES], failed[DAY_LANES];
};

/* Those whose PVC has no PV: whatever FSx makes of it has not been seen yet, or never will be. */
static void count_create(void *self, const struct fsx_volume_seen *volume)
{
    struct creates *creates = self;
    const struct trial *trial = creates->day->trial;
    const struct record *record = NULL;
    if (!text_starts_with(volume->name, "pvc-") || volume->is_deleting ||
        people_see(trial, &resource_persistent_volumes, NULL, volume->name) != NULL) {
        return;
    }
    while ((record = objects_next(apiserver_objects(trial->server),
                                  &resource_persistent_volume_claims, SCENE_POOLS, record)) !=
           NULL) {
        if (text_ends_with(volume->name, record->uid)) {
            size_t lane =
                value_equal_text(record->value, day_class(1), "spec", "storageClassName", NULL);
            creates->failed[lane] += volume->is_failed;
            creates->pending[lane] += !volume->is_failed;
        }
    }
}

static void look_at_lanes(struct day *day)
{
    struct trial *trial = day->trial;
    struct creates creates = {.day = day};
    int64_t warm[DAY_POOLS];
    int64_t lacking[DAY_LANES] = {0};
    int64_t wall_ms = world_now(trial->world).wall_ms;
    if (count_warm(day, warm) && wall_ms > day->noon_ms) {
        day->rotated_ms = wall_ms;
    }
    simulation_fsx_volumes(trial->simulation, count_create, &creates);
    for (size_t i = 0; i < DAY_POOLS; i++) {
        int64_t lacks = day->sizes[i] + count_waiting(day, i) - warm[i];
        lacking[day_pools[i].lane] += lacks > 0 ? lacks : 0;
    }
    for (size_t i = 0; i < DAY_LANES; i++) {
        struct fsx_counts counts = simulation_fsx_counts_of(trial->simulation, i);
        bool busy = counts.busy_until_ms > trial_now_ms(trial);
        day->wanted_ms[i] += lacking[i] > 0 ? LOOK_MS : 0;
        int64_t unasked = busy ? 0 : lacking[i] - creates.pending[i];
        day->idle_ms[i] += unasked > creates.failed[i] ? LOOK_MS : 0;
        day->kept_ms[i] += unasked > 0 && unasked <= creates.failed[i] ? LOOK_MS : 0;
    }
}

void day_look(void *self)
{
    struct day *day = self;
    look_at_visits(day);
    if (trial_now_ms(day->trial) < day->trial->acts_until_ms || day->trial->acts_until_ms == 0) {
        look_at_lanes(day);
    }
    if (!day->trial->is_over) {
        (void)world_after(day->trial->world, LOOK_MS, day_look, day);
    }
}

/* ---- in the end ---- */

static int compare_waits(const void *one, const void *other)
{
    int64_t left = *(const int64_t *)one;
    int64_t right = *(const int64_t *)other;
    return left < right ? -1 : left > right;
}

struct waits {
    size_t count, warm, gave_up;
    int64_t ready_in_ms[DAY_VISITS_MAX]; /* sorted */
};

static struct waits waits_of(const struct day *day)
{
    struct waits found = {.count = 0};
    for (size_t i = 0; i < day->visit_count; i++) {
        const struct visit *visit = &day->visits[i];
        found.gave_up += visit->gave_up;
        if (visit->ready_in_ms == 0) {
            continue;
        }
        found.warm += visit->found_warm;
        found.ready_in_ms[found.count++] = visit->ready_in_ms;
    }
    qsort(found.ready_in_ms, found.count, sizeof(*found.ready_in_ms), compare_waits);
    return found;
}

static double percentile(const struct waits *waits, size_t percent)
{
    return waits->count == 0
               ? 0
               : (double)waits->ready_in_ms[(waits->count - 1) * percent / 100] / 1000;
}

static double share_of(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static void print_day(const struct day *day, const struct waits *waits,
                      const struct judge_volumes *volumes, const struct fsx_counts *fsx)
{
    struct text *out = &day->trial->outcome->figures;
    text_print(
        out,
        "  %zu claims, %zu of them given up, %d resets, the operator killed %d times\n"
        "  Ready in %.1f s (p50), %.1f s (p95), %.1f s (longest); %.0f%% found a warm clone\n",
        day->visit_count, waits->gave_up, day->reset_count, day->death_count, percentile(waits, 50),
        percentile(waits, 95), percentile(waits, 100),
        share_of((int64_t)waits->warm, (int64_t)waits->count));
    for (size_t i = 0; i < DAY_LANES; i++) {
        text_print(out,
                   "  lane %zu: a clone was wanted for %" PRId64
                   " min, FSx idle for %.1f%% of it, and for %.1f%% as a failed create kept its "
                   "place\n",
                   i + 1, day->wanted_ms[i] / MINUTE_MS,
                   share_of(day->idle_ms[i], day->wanted_ms[i]),
                   share_of(day->kept_ms[i], day->wanted_ms[i]));
    }
    text_print(out,
               "  %" PRIu64 " volumes = %zu handed out + %zu warm + %zu retired + %" PRIu64
               " failed; the last clone of the morning's golden went %" PRId64 " min after noon\n",
               fsx->created, volumes->handed_out, volumes->warm, volumes->retired, fsx->failed,
               day->rotated_ms == 0 ? 0 : (day->rotated_ms - day->noon_ms) / MINUTE_MS);
}

void day_measure(struct trial *trial)
{
    struct day *day = trial->day;
    struct fsx_counts fsx = simulation_fsx_counts(trial->simulation);
    struct judge_volumes volumes = judge_count_volumes(trial->judge);
    int64_t warm[DAY_POOLS];
    look_at_visits(day);
    struct waits waits = waits_of(day);
    if (trial->options->wants_figures) {
        print_day(day, &waits, &volumes, &fsx);
    }
    if (fsx.created != volumes.handed_out + volumes.warm + volumes.retired + fsx.failed) {
        judge_break(trial->judge,
                    "day: of %" PRIu64
                    " volumes %zu are handed out, %zu warm, %zu retired, %" PRIu64
                    " failed, and %zu none of it",
                    fsx.created, volumes.handed_out, volumes.warm, volumes.retired, fsx.failed,
                    volumes.others);
    }
    if (count_warm(day, warm)) {
        judge_break(trial->judge, "day: a clone of the morning's golden is still warm");
    }
    for (size_t i = 0; i < day->visit_count; i++) {
        const struct visit *visit = &day->visits[i];
        if (!visit->is_gone && visit->ready_in_ms == 0) {
            judge_break(trial->judge, "day: %s was never served", visit->name);
        }
    }
    others_judge(trial);
}
