/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs, counted: by seeds, or exhaustively by the writes of a scenario. */
#ifndef ADJOINT_SIMULATION_SERIES_H
#define ADJOINT_SIMULATION_SERIES_H

#include "simulation/options.h"

enum { ETA_BUCKETS = 1001 }; /* the last one is for all that is more */

struct tally {
    size_t passed, failed, lives;
    int64_t simulated_ms;
    size_t eta_errors[ETA_BUCKETS]; /* of trial.h's, by tenths of a percent */
    uint64_t seed;                  /* of the run that is played */
    bool is_whole;                  /* all was played (crew.h) */
};

struct series {
    const struct options *options;
    const struct crds *crds;
    struct tally *tally;
    size_t part, part_count; /* which of the runs are played here: crew.h */
};

/* A seed each; the parts are one behind the other. One in 25 is played twice: what differs between
   two runs of a seed is a mistake of the simulation, and makes replay worthless. */
void series_of_seeds(struct series *series);
/* Each mishap at each write of the scenario without faults. */
void series_of_writes(struct series *series);
/* A death at each write and another at each that comes after it. */
void series_of_pairs(struct series *series);
/* One run, in the first part. */
void series_of_one(struct series *series);

#endif
