/* SPDX-License-Identifier: Apache-2.0 */
/* What the binder's files share. */
#ifndef ADJOINT_SIM_BINDER_STATE_H
#define ADJOINT_SIM_BINDER_STATE_H

#include "sim/binder.h"
#include "sim/binder_store.h"
#include "sim/caller.h"
#include "sim/recorder.h"
#include "sim/workers.h"

/* What the one claim worker is at. */
struct claim_sync {
    const char *key; /* NULL: nothing */
    struct record *claim, *volume;
    size_t step;                           /* of a binding */
    const char *event_reason, *event_text; /* said once the claim's phase is written */
};

/* What the one volume worker is at. */
struct volume_sync {
    const char *key;
    struct record *volume;
};

struct binder {
    struct world *world;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct view *view;
    struct caller *caller;
    struct recorder *recorder;
    struct binder_store store;
    struct workers *claim_workers, *volume_workers;
    struct claim_sync claim_sync;
    struct volume_sync volume_sync;
    struct world_event *resync;
};

enum { BINDER_KEY_BYTES = 520 };
/* "namespace/name", as the claims' queue has it. */
void binder_claim_key(const char *namespace, const char *name, char out_key[BINDER_KEY_BYTES]);

/* Of the queues; look(self, key) as sim/workers.h wants it, self is the binder. */
void binder_look_at_claim(void *self, const char *key);
void binder_look_at_volume(void *self, const char *key);

/* The look at the claim is over. A failed one comes again by back-off, before 1.36 by the resync
   only. */
void binder_claim_is_done(struct binder *binder, bool is_ok);
/* Binds claim_sync's claim to its volume: up to four writes, the look is over after the last. */
void binder_bind(struct binder *binder);

/* The claim with its status for that phase, of that volume (NULL: none); NULL: nothing changes. */
cJSON *binder_claim_status(const struct record *claim, const char *phase,
                           const struct record *volume);
cJSON *binder_volume_phase(const struct record *volume, const char *phase);

#endif
