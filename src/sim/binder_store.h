/* SPDX-License-Identifier: Apache-2.0 */
/* The binder's own picture of the cluster, apart from its informers': what its workers have taken
   from them, and what it wrote itself. Of two versions the older one is thrown away. */
#ifndef ADJOINT_SIM_BINDER_STORE_H
#define ADJOINT_SIM_BINDER_STORE_H

#include "sim/binder_objects.h"
#include "sim/shelf.h"

struct binder_store {
    struct binder_volume *volumes; /* private: sorted by name */
    size_t volume_count, volume_capacity;
    struct shelf claims;
};

void binder_store_init(struct binder_store *store);
void binder_store_release(struct binder_store *store);

/* false: it has a newer version. */
bool binder_store_put_volume(struct binder_store *store, const struct record *record);
bool binder_store_put_claim(struct binder_store *store, const struct record *record);
void binder_store_drop_volume(struct binder_store *store, const char *name);
void binder_store_drop_claim(struct binder_store *store, const char *namespace, const char *name);

/* Borrowed until the next change; NULL: it has none. */
const struct binder_volume *binder_store_volume(const struct binder_store *store, const char *name);
const struct record *binder_store_claim(const struct binder_store *store, const char *namespace,
                                        const char *name);

/* The volume that the claim gets; NULL: none. A volume whose claimRef names the claim comes before
   class, phase and delayed binding are asked; otherwise the smallest Available one of its class,
   unless binding is delayed. Volumes of the fewest access modes are looked at first. */
const struct binder_volume *binder_store_match(const struct binder_store *store,
                                               const struct binder_claim *claim, bool is_delayed);

#endif
