/* SPDX-License-Identifier: Apache-2.0 */
/* What several share: acts of scenarios. */
#ifndef ADJOINT_SIMULATION_SHARING_H
#define ADJOINT_SIMULATION_SHARING_H

#include "simulation/trial.h"

/* Another Pool of the same file system, and Instances of it. */
void sharing_lane(struct trial *trial);
/* Another namespace, whose developers come later. */
void sharing_pool(struct trial *trial);
/* Caps for a while: who waits for them is served when they are lifted. */
void sharing_caps(struct trial *trial);

#endif
