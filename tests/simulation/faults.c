/* SPDX-License-Identifier: Apache-2.0 */
/* Chance comes from a stream of its own: with and without faults, people do the same. */
#include "simulation/faults_state.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char *const family_names[FAMILY_COUNT] = {[DEATHS] = "deaths",
                                                       [LOSSES] = "losses",
                                                       [REFUSALS] = "refusals",
                                                       [LAG] = "lag",
                                                       [COMPACTION] = "compaction",
                                                       [PARTITION] = "partition",
                                                       [AWAY] = "away",
                                                       [PAUSE] = "pause",
                                                       [CLOCK] = "clock",
                                                       [SLOW] = "slow",
                                                       [FSX] = "fsx",
                                                       [NODES] = "nodes",
                                                       [CNPG] = "cnpg",
                                                       [BINDER] = "binder",
                                                       [VIEWS] = "views"};

int64_t faults_draw(const struct faults *faults, int64_t low, int64_t high)
{
    return world_between(faults->trial->world, "faults", low, high);
}

bool faults_chance(const struct faults *faults, int in_a_thousand)
{
    return faults_draw(faults, 0, 999) < in_a_thousand;
}

/* Between a and b, small ones as likely as large ones. */
int64_t faults_draw_span(const struct faults *faults, int64_t least, int64_t most)
{
    int64_t high = least;
    while (high < most && faults_chance(faults, 700)) {
        high *= 2;
    }
    return faults_draw(faults, least, high < most ? high : most);
}

struct faults *faults_new(struct trial *trial)
{
    static const int chances[] = {5, 20, 60, 200};
    struct faults *faults = memory_new(1, sizeof(*faults));
    faults->trial = trial;
    /* A quarter of the runs is free of trouble: there the strictest invariants hold. */
    bool any = !trial->options->calm && faults_draw(faults, 0, 3) != 0;
    for (int family = 0; family < FAMILY_COUNT; family++) {
        faults->has[family] = any && faults_draw(faults, 0, 3) == 0;
        faults->chance[family] = chances[faults_draw(faults, 0, 3)];
        if (faults->has[family]) {
            size_t used = strlen(faults->description);
            (void)snprintf(faults->description + used, sizeof(faults->description) - used, "%s%s",
                           used == 0 ? "" : " ", family_names[family]);
        }
    }
    return faults;
}

void faults_free(struct faults *faults)
{
    memory_free(faults);
}

const char *faults_describe(const struct faults *faults)
{
    return faults->description[0] == '\0' ? "none" : faults->description;
}

bool faults_leave_order(const struct faults *faults)
{
    static const enum family between[] = {DEATHS,    LOSSES, REFUSALS, LAG, COMPACTION,
                                          PARTITION, AWAY,   PAUSE,    SLOW};
    for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++) {
        if (faults->has[between[i]]) {
            return false;
        }
    }
    return true;
}

/* ---- what happens by itself ---- */

static struct life *any_life(const struct faults *faults)
{
    const struct trial *trial = faults->trial;
    return trial->lives[faults_draw(faults, 0, (int64_t)trial->life_count - 1)];
}

static void die(struct faults *faults)
{
    if (faults_chance(faults, 800)) {
        life_kill(any_life(faults), faults_draw_span(faults, 10, 30 * SECOND_MS));
    } else {
        life_stop(any_life(faults), faults_draw_span(faults, 10, 10 * SECOND_MS));
    }
}

static void change_lags(struct faults *faults)
{
    for (int kind = 0; kind < LAG_KINDS; kind++) {
        faults->lag_ms[kind] =
            faults_chance(faults, 500) ? 0 : faults_draw_span(faults, 20, 2 * (int64_t)MINUTE_MS);
    }
}

static void compact(struct faults *faults)
{
    struct objects *objects = apiserver_objects(faults->trial->server);
    world_trace(faults->trial->world, "history is compacted");
    objects_compact(objects, objects_revision(objects));
    if (faults_chance(faults, 500)) {
        life_cut(any_life(faults), faults_draw_span(faults, 1, SECOND_MS));
        return;
    }
    const struct link_refusal gone = {.http_status = 410, .reason = "Expired"};
    const struct link_refusal internal = {.http_status = 500, .reason = "InternalError"};
    life_fail_watches(any_life(faults), faults_chance(faults, 700) ? &gone : &internal);
}

static void change_latency(struct faults *faults)
{
    int64_t most_ms =
        faults_chance(faults, 300) ? LATENCY_MOST_MS : faults_draw_span(faults, 100, 5 * SECOND_MS);
    life_set_latency(any_life(faults), LATENCY_LEAST_MS, most_ms);
}

static void part(struct faults *faults)
{
    faults->spell = (enum spell)faults_draw(faults, SPELL_NONE + 1, SPELL_COUNT - 1);
    faults->spell_until_ms =
        trial_now_ms(faults->trial) + faults_draw_span(faults, 500, (int64_t)MINUTE_MS);
}

static void go_away(struct faults *faults)
{
    int64_t for_ms = faults_draw_span(faults, 100, (int64_t)MINUTE_MS);
    world_trace(faults->trial->world, "the API server is away");
    for (size_t i = 0; i < faults->trial->life_count; i++) {
        life_cut(faults->trial->lives[i], for_ms);
    }
}

static void stand_still(struct faults *faults)
{
    life_pause(any_life(faults), faults_chance(faults, 500)
                                     ? MINUTE_MS
                                     : faults_draw_span(faults, 1000, 20 * SECOND_MS));
}

static void set_clock(struct faults *faults)
{
    int64_t by_ms =
        faults_draw_span(faults, SECOND_MS, HOUR_MS) * (faults_chance(faults, 500) ? 1 : -1);
    world_trace(faults->trial->world, "the wall clock is set by %lld ms", (long long)by_ms);
    faults->trial->set_back_ms += by_ms < 0 ? -by_ms : 0;
    world_step_wall_clock(faults->trial->world, by_ms);
}

static void worsen(struct faults *faults)
{
    struct misfortune misfortune = {.delete_of_vanished_fails = true};
    if (faults->has[FSX]) {
        bool is_full = faults_chance(faults, 150); /* then none succeeds */
        misfortune.create_fails = is_full ? 1000 : (int)faults_draw(faults, 0, 100);
        misfortune.create_slow = (int)faults_draw(faults, 0, 200);
        misfortune.create_throttled = (int)faults_draw(faults, 0, 200);
        misfortune.describe_throttled = (int)faults_draw(faults, 0, 200);
        misfortune.delete_fails = (int)faults_draw(faults, 0, 200);
    }
    if (faults->has[NODES]) {
        misfortune.mount_fails = (int)faults_draw(faults, 0, 300);
        misfortune.schedule_late = (int)faults_draw(faults, 0, 300);
        misfortune.psql_fails = (int)faults_draw(faults, 0, 500);
    }
    if (faults->has[CNPG]) {
        misfortune.cnpg_restarts = faults_chance(faults, 500);
        misfortune.cnpg_swallows_exists = faults_chance(faults, 500);
    }
    if (faults->has[BINDER]) {
        misfortune.binder_event_lost = (int)faults_draw(faults, 0, 300);
        misfortune.binder_before_1_36 = faults_chance(faults, 500);
    }
    if (faults->has[VIEWS]) {
        misfortune.view_lag_most_ms = faults_draw_span(faults, 20, (int64_t)MINUTE_MS);
    }
    simulation_set_misfortune(faults->trial->simulation, &misfortune);
}

struct rhythm {
    struct faults *faults;
    void (*strike)(struct faults *faults);
    int64_t least_ms, most_ms; /* between two */
};

static void beat(void *self)
{
    struct rhythm *rhythm = self;
    struct faults *faults = rhythm->faults;
    if (faults->on) {
        rhythm->strike(faults);
        (void)world_after(faults->trial->world,
                          faults_draw(faults, rhythm->least_ms, rhythm->most_ms), beat, rhythm);
    }
}

static const struct {
    enum family family;
    void (*strike)(struct faults *faults);
    int least_s, most_s;
} rhythms[] = {{DEATHS, die, 2, 90},         {LAG, change_lags, 5, 60},
               {COMPACTION, compact, 2, 60}, {PARTITION, part, 5, 120},
               {AWAY, go_away, 5, 120},      {PAUSE, stand_still, 10, 150},
               {CLOCK, set_clock, 10, 120},  {SLOW, change_latency, 2, 60}};

void faults_begin(struct faults *faults)
{
    faults->on = true;
    worsen(faults);
    for (size_t i = 0; i < sizeof(rhythms) / sizeof(*rhythms); i++) {
        if (!faults->has[rhythms[i].family]) {
            continue;
        }
        struct rhythm *rhythm = arena_new(&faults->trial->arena, 1, sizeof(*rhythm));
        *rhythm = (struct rhythm){.faults = faults,
                                  .strike = rhythms[i].strike,
                                  .least_ms = rhythms[i].least_s * (int64_t)SECOND_MS,
                                  .most_ms = rhythms[i].most_s * (int64_t)SECOND_MS};
        (void)world_after(faults->trial->world, faults_draw(faults, 0, rhythm->least_ms), beat,
                          rhythm);
    }
}

void faults_end(struct faults *faults)
{
    const struct misfortune none = {.delete_of_vanished_fails = true};
    faults->on = false;
    for (size_t i = 0; i < faults->trial->life_count; i++) {
        life_set_latency(faults->trial->lives[i], LATENCY_LEAST_MS, LATENCY_MOST_MS);
    }
    simulation_set_misfortune(faults->trial->simulation, &none);
}
