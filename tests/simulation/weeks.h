/* SPDX-License-Identifier: Apache-2.0 */
/* Four weeks of a company (support/weeks.h), and a Pool that sizes itself by the four weeks before,
   which are in its record. */
#ifndef ADJOINT_SIMULATION_WEEKS_H
#define ADJOINT_SIMULATION_WEEKS_H

#include "simulation/trial.h"

/* A scenario's act and measure. measure prints what it brought, beside sizes that stay the same,
   and breaks the run unless 99 of 100 found a clone, for at most one and a half times the volumes
   of the smallest size of which that is true in hindsight. */
void weeks_act(struct trial *trial);
void weeks_measure(struct trial *trial);

#endif
