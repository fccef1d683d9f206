/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SIMULATION_TURNOVER_H
#define ADJOINT_SIMULATION_TURNOVER_H

#include "simulation/trial.h"

/* The first golden, of a scene that begins without. */
void turnover_first_golden(struct trial *trial);
/* One or two new goldens, each of which the Pool is to be filled with instead. */
void turnover_goldens(struct trial *trial);

#endif
