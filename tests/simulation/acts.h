/* SPDX-License-Identifier: Apache-2.0 */
/* What people do with Instances they have, for the rows of scenario.c. */
#ifndef ADJOINT_SIMULATION_ACTS_H
#define ADJOINT_SIMULATION_ACTS_H

#include "simulation/trial.h"

enum { ACTS_NAME_BYTES = 32 };

/* "i1", "i2"... */
void acts_instance_name(int64_t number, char out[ACTS_NAME_BYTES]);

/* Each is reset once, somewhere between its claim and the end. */
void acts_reset(struct trial *trial);
/* Each is deleted while it is claimed: before, between and after the writes. */
void acts_cancel(struct trial *trial);
/* At once after the commit, before the binder has been. */
void acts_cancel_claimed(struct trial *trial);
/* Each hibernates, and most wake again. */
void acts_sleep(struct trial *trial);
/* Lifetimes and protections come and go. */
void acts_end(struct trial *trial);
/* Cluster, PVC or both of each go when it runs. */
void acts_delete_what_runs(struct trial *trial);

#endif
