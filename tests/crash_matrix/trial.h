/* SPDX-License-Identifier: Apache-2.0 */
/* One cell being played in one world: prepare, act, wait for the write, let happen what the cell
   says, wait until it has settled, and take everything away again, which must leave no volume. */
#ifndef ADJOINT_CRASH_MATRIX_TRIAL_H
#define ADJOINT_CRASH_MATRIX_TRIAL_H

#include "crash_matrix/cell.h"

enum stage {
    STAGE_NAMESPACES,
    STAGE_POOL,
    STAGE_INSTANCE,
    STAGE_ACT,
    STAGE_WRITE,  /* waits for the cell's write */
    STAGE_PERSON, /* the write is held, a person acts */
    STAGE_OUTAGE, /* the write is held, until the API server is gone */
    STAGE_SETTLE,
    STAGE_REMEDY, /* a person does what the condition advises */
    STAGE_CLEAR,
    STAGE_STOP,
    STAGE_WIPE, /* it failed: everything is removed by force */
    STAGE_DONE,
};

struct trial {
    struct surroundings *around;
    struct world *world;
    struct cells *cells;
    struct cell *cell;
    struct expectation expected;
    enum stage stage;
    int64_t stage_since_ms, asked_at_ms; /* mono */
    enum ending ending;                  /* that was reached last */
    size_t written;                      /* writes when it last was not quiet */
    int64_t quiet_since_ms;
    size_t created_before; /* volumes, at the act */
    int step;              /* the person's */
    bool busy, refused;
    int64_t acted_at_ms;
};

void trial_begin(struct trial *trial, struct surroundings *around, struct world *world,
                 struct cells *cells, struct cell *cell, struct now now);
/* Before the operators' step of the same now. */
void trial_step(struct trial *trial, struct now now);

#endif
