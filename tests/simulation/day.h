/* SPDX-License-Identifier: Apache-2.0 */
/* A working day: four Pools on two file systems, developers of four namespaces who come, reset,
   hibernate and go, one create in twenty failing, the operator killed every ten minutes, and new
   goldens at noon. */
#ifndef ADJOINT_SIMULATION_DAY_H
#define ADJOINT_SIMULATION_DAY_H

#include "simulation/trial.h"

/* scenario.h's set, act and measure. measure breaks the run unless each volume that was made is
   handed out, warm or retired, what was made at noon has taken the place of what was there before,
   and what other people have is still there. It prints how long developers waited, what they found
   warm, how long a file system was idle while a clone was wanted, and what became of the creates.
 */
void day_set(struct trial *trial);
void day_act(struct trial *trial);
void day_measure(struct trial *trial);

#endif
