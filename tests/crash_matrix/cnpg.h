/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG's rules of adoption, without Postgres: an ownerless PVC with its labels is adopted
   when it is Bound, and the Cluster is then ready with the golden's system identifier. A Cluster
   without its PVC runs initdb, and so an empty database takes the golden's place, unless its
   bootstrap is one that waits for ever: that is the hazard which is never to be seen here.
   Deletion is left to the garbage collector, as CloudNativePG leaves it. */
#ifndef ADJOINT_CRASH_MATRIX_CNPG_H
#define ADJOINT_CRASH_MATRIX_CNPG_H

#include "crash_matrix/surroundings.h"

struct cnpg;

struct cnpg *cnpg_new(struct surroundings *around);
void cnpg_free(struct cnpg *cnpg);
void cnpg_step(struct cnpg *cnpg, struct now now);

#endif
