/* SPDX-License-Identifier: Apache-2.0 */
/* An operator, an API server and the other controllers around one Pool, with what must hold at
   every moment checked at every turn. People's writes go to the table directly. */
#ifndef ADJOINT_SUPPORT_CLAIM_WORLD_H
#define ADJOINT_SUPPORT_CLAIM_WORLD_H

#include "api/volume.h"
#include "base/map.h"
#include "support/controllers.h"
#include "support/operator_fixture.h"

struct claim_world {
    struct operator_fixture fixture;
    struct controllers controllers;
    struct text history;
    struct arena arena;
    struct map owners; /* handle to the uid of the Instance whose PVC it was ever bound to */
    int64_t checked_version, rested_version; /* of the table, when that was done last */
    struct map asked; /* uids of Instances that were deleted with deletionPolicy Delete */
};

/* A golden that can be cloned, and Pool pools/orders of so many clones. */
void claim_world_init(struct claim_world *world, int size);
void claim_world_release(struct claim_world *world);

/* A person's write, JSON with ' for ". */
void claim_world_put(struct claim_world *world, const char *format, ...) PRINTF_LIKE(2, 3);
void claim_world_add_instance(struct claim_world *world, const char *name, const char *policy);
void claim_world_delete_instance(struct claim_world *world, const char *name);

/* One turn of everybody, and the invariants. false: nothing moved. */
bool claim_world_turn(struct claim_world *world);
/* Turns until nothing moves, at each moment somebody wants to be woken, until so much has passed.
 */
void claim_world_pass(struct claim_world *world, int64_t ms);

/* Decoded, the caller's (object_free); NULL: not there. */
struct object *claim_world_get(const struct claim_world *world, enum object_kind kind,
                               const char *namespace, const char *name);
/* Volumes in this state. */
size_t claim_world_count(const struct claim_world *world, enum volume_state state);

#endif
