/* SPDX-License-Identifier: Apache-2.0 */
/* All of it on one loop: the worlds side by side, the controllers a control plane without nodes
   lacks, the mirror and the checker. */
#ifndef ADJOINT_CRASH_MATRIX_MATRIX_H
#define ADJOINT_CRASH_MATRIX_MATRIX_H

#include "crash_matrix/cell.h"

struct matrix;

struct matrix_options {
    int world_count;
    const char *kubeconfig;
    const char *outage_script; /* NULL: no outages */
    const char *traces;        /* a folder for what happened in each cell; NULL: none */
};

MUST_CHECK bool matrix_open(const struct matrix_options *options, struct matrix **out,
                            struct error *error);
void matrix_free(struct matrix *matrix);

/* Plays cells[from..count) of the list, to the end of the last. */
void matrix_play(struct matrix *matrix, struct cells *cells, size_t from);

#endif
