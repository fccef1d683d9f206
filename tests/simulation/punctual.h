/* SPDX-License-Identifier: Apache-2.0 */
/* Two Pools of one file system are to be full at nine, each by the clocks of its own people. */
#ifndef ADJOINT_SIMULATION_PUNCTUAL_H
#define ADJOINT_SIMULATION_PUNCTUAL_H

#include "simulation/trial.h"

/* A scenario's act and measure: it fails unless both are full at nine, or a gap later at most, and
   were not begun more than an hour before. */
void punctual_act(struct trial *trial);
void punctual_measure(struct trial *trial);

#endif
