/* SPDX-License-Identifier: Apache-2.0 */
/* How a cell may end, read from the mirror and from FSx's book alone. Whatever the ending, the pool
   is full with exactly its size, every volume that FSx has is the pool's, an Instance's or a
   thief's own, and nothing half-done is left. */
#ifndef ADJOINT_CRASH_MATRIX_ENDING_H
#define ADJOINT_CRASH_MATRIX_ENDING_H

#include "crash_matrix/surroundings.h"

enum ending {
    ENDING_READY = 1, /* every Instance, with all that proves it */
    ENDING_GONE = 2,  /* no Instance, and nothing of it */
    ENDING_KEPT = 4,  /* it waits for a person, for a reason that is foreseen; its data is kept */
    ENDING_LEFT = 8,  /* no Instance; Cluster, PVC and volume run on, and carry no label of ours */
};

struct expectation {
    unsigned endings; /* any of them */
    int instance_count;
    bool has_pool;
    int64_t pool_size;
    const char *const *reasons; /* for ENDING_KEPT; ends with NULL */
};

/* Appends the ending's name, or what is missing; out_ending is set when it is reached. */
bool ending_reached(struct surroundings *around, const struct world *world,
                    const struct expectation *expected, enum ending *out_ending, struct text *out);

/* All of the world is deleted and destroyed; else appends what is not. */
bool ending_nothing_left(struct surroundings *around, const struct world *world, struct text *out);

#endif
