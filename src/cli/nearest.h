/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody may have meant who typed a word that is none of ours. */
#ifndef ADJOINT_CLI_NEAREST_H
#define ADJOINT_CLI_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *typed;
    const char *word; /* so far; NULL: nothing is near */
    size_t distance;
};

void nearest_init(struct nearest *nearest, const char *typed);

/* Offers a word, borrowed; of two that are equally near the first stays. Near is: at most a third
   of the typed letters (at least one) inserted, left out, replaced, or swapped with its neighbour;
   or all of them typed but not the rest of the word. */
void nearest_offer(struct nearest *nearest, const char *word);

#endif
