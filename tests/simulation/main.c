/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation: many small clusters, one after the other, each from one seed. The last lines say
   how many runs passed, and how fast they were. */
#include "base/limits.h"
#include "base/log.h"
#include "base/memory.h"
#include "simulation/crds.h"
#include "simulation/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { EXIT_USAGE = 2, ETAS_MIN = 100 };
#define ETA_ERROR_MAX 15.0

static void print_log(void *self, const char *line)
{
    if (self != NULL) {
        (void)fputs(line, stdout);
    }
}

static double cpu_seconds_of(int who)
{
    struct rusage usage;
    (void)getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000000;
}

static double cpu_seconds(void)
{
    return cpu_seconds_of(RUSAGE_SELF) + cpu_seconds_of(RUSAGE_CHILDREN);
}

static void play(struct series *series)
{
    if (series->options->crash_count > 0) {
        series_of_one(series);
    } else if (series->options->pairs) {
        series_of_pairs(series);
    } else if (series->options->exhaustive) {
        series_of_writes(series);
    } else {
        series_of_seeds(series);
    }
}

/* Of seeds alone it is known before how many runs there are. */
static void print_count(const struct series *series)
{
    const struct options *options = series->options;
    bool of_seeds = options->crash_count == 0 && !options->pairs && !options->exhaustive;
    if (options->verbose && of_seeds) {
        (void)printf("[==========] simulation: Running %lld test(s).\n",
                     (long long)options->seed_count);
    }
}

/* So much of all is off by less, in percent. */
static double eta_error(const struct tally *tally, size_t count, double share)
{
    size_t below = 0, bucket = 0;
    while (bucket < ETA_BUCKETS - 1 &&
           (double)(below + tally->eta_errors[bucket]) < share * (double)count) {
        below += tally->eta_errors[bucket++];
    }
    return (double)bucket / 10;
}

/* Of many runs: what is off in one of them is chance. */
static void print_etas(const struct series *series)
{
    struct tally *tally = series->tally;
    size_t count = 0;
    for (size_t i = 0; i < ETA_BUCKETS; i++) {
        count += tally->eta_errors[i];
    }
    if (count == 0 || series->options->scenario == NULL) {
        return;
    }
    double median = eta_error(tally, count, 0.5);
    (void)printf("first ETA told: %zu waits; absolute error, as a share of the wait: median %.1f%%,"
                 " p90 %.1f%%\n",
                 count, median, eta_error(tally, count, 0.9));
    if (count >= ETAS_MIN && median > ETA_ERROR_MAX) {
        (void)printf("[  FAILED  ] more than %.0f%%\n", ETA_ERROR_MAX);
        tally->failed++;
    }
}

static void print_rates(const struct series *series, double seconds)
{
    const struct tally *tally = series->tally;
    size_t runs = tally->passed + tally->failed;
    double some = seconds > 0 ? seconds : 1;
    (void)printf("%.1f runs/s, %.1f claim lives/s of CPU; %.1f s for %.1f h of simulated time\n",
                 (double)runs / some, (double)tally->lives / some, seconds,
                 (double)tally->simulated_ms / 3600000);
    print_etas(series);
    if (series->options->verbose) {
        (void)printf("[  PASSED  ] %zu test(s).\n", tally->passed);
    }
    (void)printf("%zu passed, %zu failed\n", tally->passed, tally->failed);
}

static int play_options(const struct options *options)
{
    struct error error;
    struct crds *crds = NULL;
    if (!crds_read(options->crds, &crds, &error)) {
        (void)fprintf(stderr, "simulation: %s\n", error.message);
        return EXIT_USAGE;
    }
    struct tally tally = {.passed = 0};
    struct series series = {.options = options, .crds = crds, .tally = &tally};
    double began = cpu_seconds();
    print_count(&series);
    crew_play(&series, play);
    print_rates(&series, cpu_seconds() - began);
    crds_free(crds);
    return tally.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error;
    memory_adopt_libraries();
    if (!options_read(argc, argv, &options, &error)) {
        (void)fprintf(stderr, "simulation: %s\n", error.message);
        return EXIT_USAGE;
    }
    if (options.help) {
        struct text help cleanup_text;
        text_init(&help, LIMIT_BODY_BYTES);
        options_help(&help);
        (void)fputs(help.bytes, stdout);
        return EXIT_SUCCESS;
    }
    /* The address is only "wanted". */
    log_configure(options.replay ? LOG_DEBUG : LOG_ERROR, print_log,
                  options.replay ? &options : NULL);
    return play_options(&options);
}
