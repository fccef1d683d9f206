/* SPDX-License-Identifier: Apache-2.0 */
/* How a run must end. There is one end for each state of what people want, whatever happened on the
   way, so it is told from the objects and not by playing the run again without faults: every Pool
   is full and holds nothing else, every Instance is Ready and proven, and FSx, PVs and PVCs agree
   that there is nothing more. */
#ifndef ADJOINT_SIMULATION_ENDING_H
#define ADJOINT_SIMULATION_ENDING_H

#include "simulation/trial.h"

/* false: out (text of any size, emptied) says what is lacking. */
bool ending_holds(const struct trial *trial, struct text *out);

/* After everything was deleted. */
bool ending_is_bare(const struct trial *trial, struct text *out);

#endif
