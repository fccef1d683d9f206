/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and not threads: a run has cJSON's hooks, the log and the heap to itself. */
#include "simulation/crew.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = OPTIONS_JOBS_MAX, COPY_BYTES = 64 * 1024 };

struct member {
    pid_t process;
    FILE *output;
};

static _Noreturn void work(const struct series *series, void (*play)(struct series *series),
                           FILE *output, struct tally *tally)
{
    struct series own = *series;
    (void)fflush(stdout);
    if (dup2(fileno(output), STDOUT_FILENO) < 0) {
        _exit(EXIT_FAILURE);
    }
    own.tally = tally;
    play(&own);
    tally->is_whole = true;
    exit(EXIT_SUCCESS);
}

static bool begin(struct series *series, void (*play)(struct series *series), struct tally *tally,
                  struct member *out)
{
    out->output = tmpfile();
    (void)fflush(stdout);
    out->process = out->output == NULL ? -1 : fork();
    if (out->process == 0) {
        work(series, play, out->output, tally);
    }
    return out->process > 0;
}

static void copy(FILE *output)
{
    char bytes[COPY_BYTES];
    size_t count = 0;
    rewind(output);
    while ((count = fread(bytes, 1, sizeof(bytes), output)) > 0) {
        (void)fwrite(bytes, 1, count, stdout);
    }
    (void)fclose(output);
}

static void end(struct series *series, const struct tally *tally, struct member *member)
{
    int status = 0;
    (void)waitpid(member->process, &status, 0);
    copy(member->output);
    series->tally->passed += tally->passed;
    series->tally->failed += tally->failed;
    series->tally->lives += tally->lives;
    series->tally->simulated_ms += tally->simulated_ms;
    for (size_t i = 0; i < ETA_BUCKETS; i++) {
        series->tally->eta_errors[i] += tally->eta_errors[i];
    }
    if (!tally->is_whole) {
        (void)printf("[  FAILED  ] a process ended with %d in seed %" PRIu64 "\n", status,
                     tally->seed);
        series->tally->failed++;
    }
}

void crew_play(struct series *series, void (*play)(struct series *series))
{
    size_t count = (size_t)series->options->jobs;
    struct member members[JOBS_MAX];
    assert(count >= 1 && count <= JOBS_MAX);
    series->part_count = count;
    if (count == 1) {
        play(series);
        return;
    }
    struct tally *tallies = mmap(NULL, count * sizeof(*tallies), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED) {
        (void)fputs("simulation: no memory to share\n", stderr);
        exit(EXIT_FAILURE);
    }
    for (series->part = 0; series->part < count; series->part++) {
        if (!begin(series, play, &tallies[series->part], &members[series->part])) {
            (void)fputs("simulation: no process can be started\n", stderr);
            exit(EXIT_FAILURE);
        }
    }
    for (size_t i = 0; i < count; i++) {
        end(series, &tallies[i], &members[i]);
    }
    (void)munmap(tallies, count * sizeof(*tallies));
}
