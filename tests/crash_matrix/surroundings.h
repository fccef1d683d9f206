/* SPDX-License-Identifier: Apache-2.0 */
/* What everybody in the matrix stands in: the hand on the API server, the sight of it, FSx's book,
   and the worlds. */
#ifndef ADJOINT_CRASH_MATRIX_SURROUNDINGS_H
#define ADJOINT_CRASH_MATRIX_SURROUNDINGS_H

#include "crash_matrix/api.h"
#include "crash_matrix/ledger.h"
#include "crash_matrix/mirror.h"
#include "crash_matrix/world.h"

struct checker;
struct outage;

struct surroundings {
    struct transport transport; /* the HTTP client's */
    struct api *api;
    struct mirror *mirror;
    struct ledger ledger;
    struct checker *checker;
    struct outage *outage;
    int world_count;
    struct world *worlds;
};

/* NULL: no world's. */
struct world *surroundings_world_of(struct surroundings *around, const struct object *object);

#endif
