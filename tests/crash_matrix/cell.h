/* SPDX-License-Identifier: Apache-2.0 */
/* One field of the matrix: a scenario, one of its writes, and what happens at it; and what came of
   it. */
#ifndef ADJOINT_CRASH_MATRIX_CELL_H
#define ADJOINT_CRASH_MATRIX_CELL_H

#include "base/arena.h"
#include "crash_matrix/person.h"
#include "crash_matrix/scenario.h"

enum mode {
    MODE_PLAIN,   /* nothing happens: to learn the writes */
    MODE_BEFORE,  /* killed before the write is sent */
    MODE_APPLIED, /* after it was applied, before its reply is read */
    MODE_REPLIED, /* after the reply */
    MODE_PERSON,  /* a person acts while it waits to be sent */
    MODE_PAUSE,   /* the API server stands still */
    MODE_RESTART, /* it and etcd are killed and started again */
    MODE_COUNT,
};
const char *mode_name(enum mode mode); /* "before", ... */

enum result {
    RESULT_NONE, /* not played yet */
    RESULT_PASSED,
    RESULT_FAILED,
    RESULT_MISSED,  /* the write did not come this time: writes of status can be merged */
    RESULT_NOTHING, /* what the person is after was not there */
    RESULT_COUNT,
};

struct cell_write {
    const char *name;
    int occurrence; /* the n-th of this name */
};

struct cell {
    const struct scenario *scenario;
    enum mode mode;
    const struct person *person; /* MODE_PERSON */
    int number;                  /* of the write, from 1; 0: MODE_PLAIN */
    struct cell_write write;

    bool taken; /* it is played, or was */
    enum result result;
    const char *ending; /* its name, or why it failed */
    /* MODE_PLAIN: what was written. */
    size_t write_count;
    const struct cell_write *writes;
};

struct cells {
    struct arena arena; /* of all strings */
    size_t count, capacity;
    struct cell **cells;
};

void cells_init(struct cells *cells);
void cells_release(struct cells *cells);
struct cell *cells_add(struct cells *cells, struct cell cell);
/* One for each write that is named; dry runs count once. Into the cells' arena. */
const struct cell_write *
cells_list_writes(struct cells *cells, const struct interceptor *interceptor, size_t *out_count);

/* "claim-swap 4 applied" */
void cell_title(const struct cell *cell, struct text *out);

#endif
