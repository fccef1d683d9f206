/* SPDX-License-Identifier: Apache-2.0 */
/* Of everybody who asked a Pool for a clone it is written down when, whoever led meanwhile. */
#ifndef ADJOINT_SIMULATION_RECORDING_H
#define ADJOINT_SIMULATION_RECORDING_H

#include "simulation/trial.h"

/* Until everything is counted that was asked for; longer where the clock was set back: who asked
   before that did so at a time that has yet to come again. */
int64_t recording_ms(const struct trial *trial);

/* false: out says which Instance is not counted by its Pool. */
bool recording_is_whole(const struct trial *trial, struct text *out);

#endif
