/* SPDX-License-Identifier: Apache-2.0 */
/* Runs share nothing, so a failure is played again from its seed alone. */
#include "simulation/series.h"

#include "simulation/scenario.h"

#include <inttypes.h>
#include <stdio.h>

enum { MIXED_EVERY = 2, TWICE_EVERY = 25 };

static void print_line(void *self, const char *line)
{
    (void)self;
    (void)printf("%s\n", line);
}

static void print_command(const struct trial_options *options)
{
    (void)printf("  replay: make simulate SCENARIO=%s FIRST_SEED=%" PRIu64
                 " SEEDS=1 SIMULATE='--replay",
                 options->scenario->name, options->seed);
    for (size_t i = 0; i < options->crash_count; i++) {
        (void)printf(" --crash %zu:%s", options->crashes[i].write,
                     mishap_row(options->crashes[i].mishap)->name);
    }
    (void)printf("%s'\n", options->calm && options->crash_count == 0 ? " --calm" : "");
}

/* As cmocka's programs do, so that tests/run can count. */
static void print_title(const char *mark, const struct trial_options *options)
{
    (void)printf("[%s] %s, seed %" PRIu64, mark, options->scenario->name, options->seed);
    for (size_t i = 0; i < options->crash_count; i++) {
        (void)printf(", %s at write %zu%s", mishap_row(options->crashes[i].mishap)->name,
                     options->crashes[i].write, i == 0 ? "" : " after it");
    }
    (void)printf("\n");
}

static void print_outcome(const struct series *series, const struct trial_options *options,
                          const struct trial_outcome *outcome)
{
    if (series->options->verbose || !outcome->passed) {
        (void)printf("  trace %016" PRIx64 ", %zu writes, %" PRId64 " s\n", outcome->hash,
                     outcome->write_count, outcome->simulated_ms / 1000);
    }
    (void)printf("%s", outcome->figures.bytes);
    if (!outcome->passed) {
        (void)printf("%s", outcome->report.bytes);
        print_command(options);
        print_title("  FAILED  ", options);
    } else if (series->options->verbose) {
        print_title("       OK ", options);
    }
    (void)fflush(stdout);
}

static void play_again(const struct trial_options *options, struct trial_outcome *out)
{
    struct trial_outcome again;
    trial_play(options, &again);
    if (out->passed && again.hash != out->hash) {
        out->passed = false;
        text_print(&out->report,
                   "  the same seed is not the same run twice: trace %016" PRIx64 "\n", again.hash);
    }
    trial_outcome_release(&again);
}

static void note_etas(struct tally *tally, const struct trial_outcome *out)
{
    for (size_t i = 0; i < out->eta_count; i++) {
        double tenths = out->eta_errors[i] * (ETA_BUCKETS - 1);
        tally->eta_errors[tenths < ETA_BUCKETS - 1 ? (size_t)tenths : ETA_BUCKETS - 1]++;
    }
}

/* twice: and once more, to compare. out is the caller's. */
static void play(struct series *series, struct trial_options *options, bool twice,
                 struct trial_outcome *out)
{
    options->crds = series->crds;
    if (series->options->replay) {
        options->line = print_line;
    }
    if (series->options->verbose) {
        print_title(" RUN      ", options);
    }
    series->tally->seed = options->seed;
    trial_play(options, out);
    if (twice) {
        play_again(options, out);
    }
    print_outcome(series, options, out);
    series->tally->passed += out->passed;
    series->tally->failed += !out->passed;
    series->tally->lives += out->life_count;
    series->tally->simulated_ms += out->simulated_ms;
    note_etas(series->tally, out);
}

/* Half of the seeds draw everything; the others take the rows in turn. */
static const struct scenario *scenario_of_seed(const struct series *series, uint64_t seed)
{
    size_t named = 0;
    if (series->options->scenario != NULL) {
        return series->options->scenario;
    }
    while (scenarios[named + 1].name != NULL && !scenarios[named + 1].is_long) {
        named++;
    }
    return seed % MIXED_EVERY == 0 ? &scenarios[0] : &scenarios[1 + seed / MIXED_EVERY % named];
}

void series_of_seeds(struct series *series)
{
    const struct options *given = series->options;
    int64_t parts = (int64_t)series->part_count;
    int64_t part = (int64_t)series->part;
    int64_t end = given->seed_count * (part + 1) / parts;
    for (int64_t i = given->seed_count * part / parts; i < end; i++) {
        uint64_t seed = (uint64_t)(given->first_seed + i);
        struct trial_options options = {
            .scenario = scenario_of_seed(series, seed), .seed = seed, .calm = given->calm};
        options.calm = options.calm || options.scenario->is_calm;
        options.wants_figures = given->scenario != NULL;
        struct trial_outcome outcome;
        play(series, &options, i % TWICE_EVERY == 0 && !given->replay, &outcome);
        trial_outcome_release(&outcome);
    }
}

void series_of_one(struct series *series)
{
    const struct options *given = series->options;
    struct trial_outcome outcome;
    struct trial_options options = {.scenario = given->scenario,
                                    .seed = (uint64_t)given->first_seed,
                                    .calm = true,
                                    .crash_count = given->crash_count};
    for (size_t i = 0; i < given->crash_count; i++) {
        options.crashes[i] = given->crashes[i];
    }
    if (series->part == 0) {
        play(series, &options, false, &outcome);
        trial_outcome_release(&outcome);
    }
}

/* ---- exhaustive ---- */

static bool play_with(struct series *series, const struct scenario *scenario,
                      const struct crash *crashes, size_t crash_count, size_t *out_writes)
{
    struct trial_outcome outcome;
    struct trial_options options = {.scenario = scenario,
                                    .seed = (uint64_t)series->options->first_seed,
                                    .calm = true,
                                    .crash_count = crash_count};
    for (size_t i = 0; i < crash_count; i++) {
        options.crashes[i] = crashes[i];
    }
    play(series, &options, false, &outcome);
    bool struck = outcome.was_struck;
    if (out_writes != NULL) {
        *out_writes = outcome.write_count;
    }
    trial_outcome_release(&outcome);
    return struck;
}

/* How many writes it has when nothing goes wrong. Each part has to know, and one tells. */
static size_t count_writes(struct series *series, const struct scenario *scenario)
{
    struct tally untold = {.passed = 0};
    struct series own = *series;
    size_t writes = 0;
    own.tally = series->part == 0 ? series->tally : &untold;
    (void)play_with(&own, scenario, NULL, 0, &writes);
    return writes;
}

static bool is_of_part(const struct series *series, size_t write)
{
    return write % series->part_count == series->part;
}

static void strike_each(struct series *series, const struct scenario *scenario)
{
    size_t writes = count_writes(series, scenario);
    for (size_t write = 1; write <= writes; write++) {
        if (!is_of_part(series, write)) {
            continue;
        }
        for (int mishap = MISHAP_NONE + 1; mishap < MISHAP_COUNT; mishap++) {
            struct crash crash = {.write = write, .mishap = (enum mishap)mishap};
            (void)play_with(series, scenario, &crash, 1, NULL);
        }
    }
}

void series_of_writes(struct series *series)
{
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        bool meant = series->options->scenario == NULL ? !scenario->is_drawn && !scenario->is_long
                                                       : series->options->scenario == scenario;
        if (meant) {
            strike_each(series, scenario);
        }
    }
}

static void strike_pairs(struct series *series, const struct scenario *scenario)
{
    static const enum mishap deaths[] = {MISHAP_KILLED_BEFORE, MISHAP_KILLED_APPLIED};
    enum { DEATH_COUNT = 2 };
    size_t writes = count_writes(series, scenario);
    for (size_t write = 1; write <= writes; write++) {
        for (size_t pair = 0; is_of_part(series, write) && pair < DEATH_COUNT * DEATH_COUNT;
             pair++) {
            struct crash crashes[] = {
                {.write = write, .mishap = deaths[pair / DEATH_COUNT]},
                {.write = 1, .mishap = deaths[pair % DEATH_COUNT]},
            };
            while (play_with(series, scenario, crashes, 2, NULL)) {
                crashes[1].write++;
            }
        }
    }
}

void series_of_pairs(struct series *series)
{
    static const char *const claims[] = {"claim-swap", "claim-release"};
    if (series->options->scenario != NULL) {
        strike_pairs(series, series->options->scenario);
        return;
    }
    for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
        strike_pairs(series, scenario_find(claims[i]));
    }
}
