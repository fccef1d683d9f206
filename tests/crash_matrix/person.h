/* SPDX-License-Identifier: Apache-2.0 */
/* What a person does to a claim while one of its writes is on its way: one row each, and how it may
   end. */
#ifndef ADJOINT_CRASH_MATRIX_PERSON_H
#define ADJOINT_CRASH_MATRIX_PERSON_H

#include "crash_matrix/ending.h"

struct person {
    const char *name;
    /* The request of this step, from 0; the next is sent when it is answered. false: there is no
       such step, or what it is about is not there. */
    bool (*request)(struct surroundings *around, const struct world *world, int step,
                    struct arena *arena, struct api_request *out);
    unsigned endings;
    const char *const *reasons; /* as in struct expectation */
    bool claims;                /* makes an Instance where there is none */
    bool empties_pool;          /* its size is 0 then */
    /* Of a claimed volume: its policy to Delete, its state to warm, its claimRef away. */
    bool edits_policy, edits_state, edits_claim;
    /* What the condition of ENDING_KEPT advises: after it the Instance must be Ready. */
    bool (*remedy)(struct surroundings *around, const struct world *world, int step,
                   struct arena *arena, struct api_request *out);
};

/* Ends with a row without a name. */
extern const struct person people[];
const struct person *person_find(const char *name); /* NULL: nobody */

#endif
