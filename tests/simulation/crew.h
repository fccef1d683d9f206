/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes at a series, each with its part of the runs. What they print comes in the order
   of the parts when all are through, so that it does not depend on how many there were. */
#ifndef ADJOINT_SIMULATION_CREW_H
#define ADJOINT_SIMULATION_CREW_H

#include "simulation/series.h"

/* play(series) with options->jobs processes, series->part and part_count set; the counts are added
   to series. A process that dies counts as a failed run, and its last seed is told. */
void crew_play(struct series *series, void (*play)(struct series *series));

#endif
