/* SPDX-License-Identifier: Apache-2.0 */
/* FSx's own book: every volume ever created, which are destroyed, and whose data is on each. Kept
   apart from what Kubernetes believes, so that a volume nobody knows of any more is found. */
#ifndef ADJOINT_CRASH_MATRIX_LEDGER_H
#define ADJOINT_CRASH_MATRIX_LEDGER_H

#include "base/map.h"
#include "crash_matrix/world.h"

struct ledger_volume {
    char *handle, *volume; /* the CSI handle and the PV's name */
    struct world *world;   /* NULL: of a cell that is over */
    bool for_pool;         /* made for a PVC in the pools' namespace */
    bool destroyed;
    char *owner_uid;       /* the Instance whose PVC it was Bound to, once; NULL: none */
    bool busy;             /* the provisioner's request for it is on the wire */
    int64_t wait_until_ms; /* mono: its next one */
};

struct ledger {
    size_t count, capacity;
    struct ledger_volume **volumes; /* in the order they were created */
    struct map by_name;             /* the PV's */
};

void ledger_init(struct ledger *ledger);
void ledger_release(struct ledger *ledger);

/* CreateVolume: idempotent by the PVC's uid, as FSx is by its token. */
struct ledger_volume *ledger_create(struct ledger *ledger, struct world *world,
                                    const struct object *claim);
/* By the PV's name; NULL: not one of ours. */
struct ledger_volume *ledger_find(const struct ledger *ledger, const char *volume);

size_t ledger_created(const struct ledger *ledger, const struct world *world);
size_t ledger_alive(const struct ledger *ledger, const struct world *world);
/* The cell is over. */
void ledger_close(struct ledger *ledger, const struct world *world);

#endif
