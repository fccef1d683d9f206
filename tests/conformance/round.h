/* SPDX-License-Identifier: Apache-2.0 */
/* Many claims of one order in a namespace and a class of their own, watched and moved together. */
#ifndef ADJOINT_CONFORMANCE_ROUND_H
#define ADJOINT_CONFORMANCE_ROUND_H

#include "conformance/claim.h"

enum { ROUND_CLAIMS_MAX = 50 };

struct listener;

struct round {
    const struct subject *subject;
    const char *scope; /* its namespace and its class; borrowed */
    struct claim claims[ROUND_CLAIMS_MAX];
    int count;
    /* Private. */
    struct listener *volumes, *namespaced;
    bool (*step)(struct claim *claim);
};

/* Makes the namespace of that name, its class, and its inert class `SCOPE-inert`. */
void round_make_scope(const struct subject *subject, const char *scope);

/* Makes scope and warm volumes. The caller's: round_free. */
struct round *round_new(const struct subject *subject, const char *scope, enum claim_order order,
                        int count);
void round_free(struct round *round);

/* Until all are Bound or have failed. At once; or one after the other, each when the binder's
   client has its whole allowance again. */
void round_move(struct round *round);
void round_move_in_turn(struct round *round);

#endif
