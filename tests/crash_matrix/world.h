/* SPDX-License-Identifier: Apache-2.0 */
/* A world: two namespaces (the pools' and the developer's) and the operator that looks after them.
   Worlds share one API server and know nothing of each other; each plays one cell at a time. */
#ifndef ADJOINT_CRASH_MATRIX_WORLD_H
#define ADJOINT_CRASH_MATRIX_WORLD_H

#include "api/object.h"
#include "base/text.h"
#include "crash_matrix/incarnation.h"

#define WORLD_POOLS "pools-"
#define WORLD_DEV "dev-"
#define WORLD_POOL "shop"
#define WORLD_GOLDEN "golden"
#define WORLD_SYSTEM_ID "7412345678901234567"
#define WORLD_CLASS "fsx-clone-" /* and its number: no world's refill may take another's volume */
#define WORLD_DRIVER "fsx.openzfs.csi.aws.com"
#define WORLD_THIEF "thief"

enum { WORLD_OPERATORS_MAX = 2, WORLD_NAMESPACE_BYTES = 32, WORLD_NAME_BYTES = 64 };

struct world {
    int index, count;                                              /* of count worlds */
    char pools[WORLD_NAMESPACE_BYTES], dev[WORLD_NAMESPACE_BYTES]; /* namespaces */
    char class[WORLD_NAMESPACE_BYTES];                             /* StorageClass of clones */
    struct incarnation lives[WORLD_OPERATORS_MAX];
    int life_count;      /* ever, for identities */
    size_t dead_writes;  /* writes of those that are over */
    int64_t holding_max; /* holding PVCs that may be there at once */
    /* What a person does to a claimed volume in it: see person.h. */
    bool policy_edited, state_edited, claim_edited;
    int64_t began_mono_ms;  /* of the cell that is played */
    struct text trace;      /* what happened in it */
    struct text violations; /* broken invariants; empty: none */
};

void world_init(struct world *world, int index, int count);
void world_release(struct world *world);

/* Forgets what was noted of the cell before. */
void world_begin(struct world *world, struct now now);
void world_note(struct world *world, struct now now, const char *format, ...) PRINTF_LIKE(3, 4);
void world_violate(struct world *world, struct now now, const char *format, ...) PRINTF_LIKE(3, 4);

/* Does this object lie in one of its namespaces? */
bool world_has(const struct world *world, const struct object *object);

/* slot: which of its operators. shared_lease: the same for all slots, else one for each. lag_ms:
   how late its watches are. */
void world_start_operator(struct world *world, int slot, bool shared_lease, const char *late_kind,
                          struct transport transport);
void world_end_operator(struct world *world, int slot);
int64_t world_step_operators(struct world *world, struct now now);
/* Of all that live and lived. */
size_t world_write_count(const struct world *world);

/* "alice" when it is alone, else "alice-0", ... */
void world_instance_name(int index, int count, char out[WORLD_NAME_BYTES]);

#endif
