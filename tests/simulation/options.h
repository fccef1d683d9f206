/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SIMULATION_OPTIONS_H
#define ADJOINT_SIMULATION_OPTIONS_H

#include "simulation/trial.h"

enum { OPTIONS_JOBS_MAX = 256 };

struct options {
    int64_t seed_count, first_seed;
    int64_t jobs;                    /* processes */
    const struct scenario *scenario; /* NULL: all, in turn */
    bool exhaustive;                 /* each write of a run without faults, and each mishap at it */
    bool pairs;                      /* likewise, two deaths at each pair of writes */
    bool calm;                       /* no faults */
    bool replay;                     /* prints all that happens */
    bool verbose;                    /* a line for each run */
    bool help;
    const char *crds;   /* folder */
    size_t crash_count; /* --crash WRITE:MISHAP, to play one cell of an exhaustive run */
    struct crash crashes[CRASHES_MAX];
};

MUST_CHECK bool options_read(int argc, char **argv, struct options *out, struct error *error);
/* The usage, with the names of scenarios and mishaps. */
void options_help(struct text *out);

#endif
