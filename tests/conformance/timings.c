/* SPDX-License-Identifier: Apache-2.0 */
/* The binder is alone with its claims: what it used of its client's allowance for preparing them
   comes back before they move. */
#include "conformance/timings.h"

#include "conformance/resync.h"
#include "conformance/round.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SAMPLES_MAX = 512,
    SCOPE_BYTES = 48,
    SETTLE_MS = 3000,
    BEFORE_RESYNC_MS = 2500,
    FACTOR = 2,
    SLACK_MS = 50,      /* what else runs on the machine adds this, and can double what is short */
    VIRTUAL_ROUNDS = 4, /* for one of a real cluster */
    REPEATS = 3,
    /* kube-controller-manager's --kube-api-qps and --kube-api-burst, which each of its controllers
       has for itself. */
    WRITES_A_SECOND = 20,
    WRITES_AT_ONCE = 30,
    MS_PER_SECOND = 1000,
};

/* What the binder writes at the least from the beginning of a claim until it is Bound: the new PVC
   and its status; claimRef, where it has no uid yet; and that the PV is Released, where the PVC is
   deleted first, and Bound again. */
static const int binder_writes[ORDER_COUNT] = {
    [ORDER_SEED] = 5, [ORDER_RELEASE] = 3, [ORDER_SWAP] = 2};

static const struct {
    int at_once, rounds;
} sizes[TIMINGS_SIZES] = {{1, 10}, {10, 3}, {50, 1}};

static int compare(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;
    return (*a > *b) - (*a < *b);
}

static struct timing timing_of(int64_t *samples, int count)
{
    int64_t sum_ms = 0;
    if (count == 0) {
        return (struct timing){0};
    }
    qsort(samples, (size_t)count, sizeof(*samples), compare);
    for (int i = 0; i < count; i++) {
        sum_ms += samples[i];
    }
    return (struct timing){
        .p50_ms = samples[count / 2], .mean_ms = sum_ms / count, .max_ms = samples[count - 1]};
}

static int collect(const struct round *round, int64_t *samples, struct tally *tally)
{
    int count = 0;
    for (int i = 0; i < round->count; i++) {
        const struct claim *claim = &round->claims[i];
        if (claim->took_ms == 0 || claim->has_failed) {
            tally->failed++;
            (void)fprintf(stderr, "FAILED  %s: %s, %d at once: claim %d is not Bound: %s\n",
                          round->subject->name, claim_order_name(claim->order), round->count, i,
                          claim->failure.bytes);
        } else {
            tally->passed++;
            samples[count++] = claim->took_ms;
        }
    }
    return count;
}

/* Claims that are to go one at a time are prepared together. */
static void measure(const struct subject *subject, enum claim_order order, int size,
                    struct timings *timings, struct tally *tally)
{
    int64_t samples[SAMPLES_MAX];
    int sample_count = 0;
    bool in_turn = sizes[size].at_once == 1;
    int rounds = in_turn               ? 1
                 : subject->is_virtual ? VIRTUAL_ROUNDS * sizes[size].rounds
                                       : sizes[size].rounds;
    for (int i = 0; i < rounds; i++) {
        char scope[SCOPE_BYTES];
        (void)snprintf(scope, sizeof(scope), "round-%s-%d", subject->tag, ++timings->round_count);
        struct round *round =
            round_new(subject, scope, order, in_turn ? sizes[size].rounds : sizes[size].at_once);
        subject_rest(subject, SETTLE_MS);
        if (!in_turn && order != ORDER_BARE) {
            resync_rest_until_before(subject, timings->resync_ms, BEFORE_RESYNC_MS);
        }
        (in_turn ? round_move_in_turn : round_move)(round);
        sample_count += collect(round, samples + sample_count, tally);
        round_free(round);
    }
    timings->of[order][size] = timing_of(samples, sample_count);
}

static int64_t typical(const struct timings *timings, enum claim_order order, int size)
{
    const struct timing *timing = &timings->of[order][size];
    return sizes[size].at_once == 1 ? timing->p50_ms : timing->mean_ms;
}

/* What two writes take just then goes with it. */
static void measure_order(const struct subject *subject, enum claim_order order, int size,
                          struct timings *timings, struct tally *tally)
{
    measure(subject, ORDER_BARE, size, timings, tally);
    timings->bare_ms[order][size] = typical(timings, ORDER_BARE, size);
    measure(subject, order, size, timings, tally);
}

struct tally timings_measure(const struct subject *subject, struct timings *out)
{
    struct tally tally = {0};
    *out = (struct timings){.resync_ms = resync_find(subject)};
    for (enum claim_order order = ORDER_BARE + 1; order < ORDER_COUNT; order++) {
        for (int size = 0; size < TIMINGS_SIZES; size++) {
            measure_order(subject, order, size, out, &tally);
        }
    }
    return tally;
}

/* ---- comparing ---- */

/* What the API server itself takes longer for so many requests at once, which depends on the
   machine, is not held against the controllers: it delays the claims' own two writes, and the
   binder's, which are about as many. */
static bool is_near(const struct timings *simulator, const struct timings *cluster,
                    enum claim_order order, int size)
{
    int64_t one_ms = typical(simulator, order, size);
    int64_t other_ms = typical(cluster, order, size);
    int64_t bare_ms = cluster->bare_ms[order][size] - simulator->bare_ms[order][size];
    int64_t slack_ms = SLACK_MS + (bare_ms > 0 ? 2 * bare_ms : 0);
    int64_t apart_ms = one_ms > other_ms ? one_ms - other_ms : other_ms - one_ms;
    return apart_ms <= slack_ms || (one_ms <= FACTOR * other_ms && other_ms <= FACTOR * one_ms);
}

/* Other work on the machine comes and goes, and only adds. So the measurement counts during which
   two writes took least, whichever is nearer. */
static void measure_again(const struct subject *cluster, enum claim_order order, int size,
                          struct timings *timings, struct tally *tally)
{
    struct timing before = timings->of[order][size];
    int64_t bare_ms = timings->bare_ms[order][size];
    measure_order(cluster, order, size, timings, tally);
    if (timings->bare_ms[order][size] > bare_ms) {
        timings->of[order][size] = before;
        timings->bare_ms[order][size] = bare_ms;
    }
}

struct tally timings_repeat(const struct subject *cluster, const struct timings *simulator,
                            struct timings *of_cluster)
{
    struct tally tally = {0};
    for (enum claim_order order = ORDER_BARE + 1; order < ORDER_COUNT; order++) {
        for (int size = 0; size < TIMINGS_SIZES; size++) {
            for (int i = 0; i < REPEATS && !is_near(simulator, of_cluster, order, size); i++) {
                measure_again(cluster, order, size, of_cluster, &tally);
            }
        }
    }
    return tally;
}

/* However quick or busy the machine: so many writes take the binder's client so long. */
static void judge_allowance(const char *side, const struct timings *timings, struct tally *tally)
{
    for (enum claim_order order = ORDER_BARE + 1; order < ORDER_COUNT; order++) {
        for (int size = 0; size < TIMINGS_SIZES; size++) {
            int64_t beyond = binder_writes[order] * sizes[size].at_once - WRITES_AT_ONCE;
            int64_t least_ms = beyond * MS_PER_SECOND / WRITES_A_SECOND;
            int64_t last_ms = timings->of[order][size].max_ms;
            bool holds = last_ms >= least_ms;
            tally->passed += holds;
            tally->failed += !holds;
            if (!holds) {
                (void)fprintf(stderr,
                              "FAILED  %s: %s: the last of %d claims is Bound after %" PRId64
                              " ms, and the binder's client needs %" PRId64 "\n",
                              side, claim_order_name(order), sizes[size].at_once, last_ms,
                              least_ms);
            }
        }
    }
}

/* ---- the table ---- */

static void print_timing(const struct timings *timings, enum claim_order order, int size)
{
    if (timings == NULL) {
        (void)printf(" %24s", "-");
    } else {
        const struct timing *timing = &timings->of[order][size];
        (void)printf(" %8" PRId64 "%8" PRId64 "%8" PRId64, timing->p50_ms, timing->mean_ms,
                     timing->max_ms);
    }
}

static void judge(const struct timings *simulator, const struct timings *cluster,
                  enum claim_order order, int size, struct tally *tally)
{
    int64_t theirs_ms = typical(cluster, order, size);
    bool near = order == ORDER_BARE || is_near(simulator, cluster, order, size);
    (void)printf(" %8.2fx%s",
                 (double)typical(simulator, order, size) / (double)(theirs_ms == 0 ? 1 : theirs_ms),
                 near ? "" : " FAILED: beyond a factor of two");
    tally->passed += near && order != ORDER_BARE;
    tally->failed += !near;
}

struct tally timings_compare(const struct timings *simulator, const struct timings *cluster)
{
    struct tally tally = {0};
    (void)printf("\n%-24s %24s %24s %9s\n%-24s %24s %24s %9s\n", "Bound after, ms", "simulator",
                 "cluster", "ratio", "", "p50    mean     max", "p50    mean     max", "");
    for (enum claim_order order = 0; order < ORDER_COUNT; order++) {
        for (int size = 0; size < TIMINGS_SIZES; size++) {
            (void)printf("%-14s %2d at once", claim_order_name(order), sizes[size].at_once);
            print_timing(simulator, order, size);
            print_timing(cluster, order, size);
            if (simulator != NULL && cluster != NULL) {
                judge(simulator, cluster, order, size, &tally);
            }
            (void)printf("\n");
        }
    }
    if (simulator != NULL) {
        judge_allowance("simulator", simulator, &tally);
    }
    if (cluster != NULL) {
        judge_allowance("cluster", cluster, &tally);
    }
    return tally;
}
