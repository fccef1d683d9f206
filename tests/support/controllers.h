/* SPDX-License-Identifier: Apache-2.0 */
/* The other controllers of a cluster, as far as a claim needs them, acting on a table of objects:
   the volume binder and its protection of claims, a provisioner with one clone at a time,
   CloudNativePG's adoption, and the collection of what has lost all its owners. They are honest and
   prompt; being slow and wrong is for faults and for the simulator. */
#ifndef ADJOINT_SUPPORT_CONTROLLERS_H
#define ADJOINT_SUPPORT_CONTROLLERS_H

#include "support/api_table.h"

/* What became of a volume, by its handle, which is its PV's first claim: "MADE uid\n" and
   "DESTROYED uid\n" are appended as it happens. */
struct controllers {
    struct api_table *table;
    struct text *history;
    const char *system_id; /* of the golden */
};

/* Each controller looks at everything once. true: something was changed. */
bool controllers_step(struct controllers *controllers);

#endif
