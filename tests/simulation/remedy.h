/* SPDX-License-Identifier: Apache-2.0 */
/* What a person does who reads conditions and follows their advice, and how one clears up in the
   end. */
#ifndef ADJOINT_SIMULATION_REMEDY_H
#define ADJOINT_SIMULATION_REMEDY_H

#include "simulation/trial.h"

/* true: something was done. */
bool remedy_apply(struct trial *trial);
/* One of those: a holding PVC whose clone has not come for twenty minutes is deleted. */
bool remedy_fill(struct trial *trial);

/* Deletes whatever is there and its owner's: Instances, the Pool, the thief's PVC, and what Retain
   left, whose volumes are handed to their provisioner. Again and again until nothing is left. */
void remedy_clear_up(struct trial *trial);

#endif
