/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants, judged after every event the mirror brings. What needs two kinds at one moment
   (does the Instance still live?) is noted as a suspicion and judged by a read: watches of two
   kinds may be from different moments. What is broken goes to the world's violations.

   Checked here: one PV a CSI handle; a claimRef's uid on one PV; one claimed volume an Instance; a
   volume with user data never another Instance's and never in a pool again; policy Retain on what
   is claimed; never Released with policy Delete, and never destroyed, while its Instance lives; a
   state never back; no more holding PVCs than the pool's size; a thief's PVC never bound to a
   volume of ours. */
#ifndef ADJOINT_CRASH_MATRIX_CHECKER_H
#define ADJOINT_CRASH_MATRIX_CHECKER_H

#include "crash_matrix/surroundings.h"

struct checker *checker_new(struct surroundings *around);
void checker_free(struct checker *checker);

/* The mirror's listener; self is the checker. */
void checker_changed(void *self, const struct object *before, const struct object *after);
/* DeleteVolume was called for it. */
void checker_destroyed(struct checker *checker, struct ledger_volume *volume,
                       const struct object *object, struct now now);
/* Begins the reads that are wanted. Before the mirror's step of the same now. */
void checker_step(struct checker *checker, struct now now);

#endif
