/* SPDX-License-Identifier: Apache-2.0 */
/* Takes away by force what a failed cell left, so that the next one in that world begins anew. */
#ifndef ADJOINT_CRASH_MATRIX_WIPE_H
#define ADJOINT_CRASH_MATRIX_WIPE_H

#include "crash_matrix/surroundings.h"

/* Strips the finalizers of all that is there, and deletes it. */
void wipe_send(struct surroundings *around, const struct world *world);
bool wipe_is_done(struct surroundings *around, const struct world *world);

#endif
