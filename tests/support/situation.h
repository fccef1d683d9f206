/* SPDX-License-Identifier: Apache-2.0 */
/* A situation of tests/plans, as its README describes it: objects, a key, a time, and what the
   operator remembers. */
#ifndef ADJOINT_SUPPORT_SITUATION_H
#define ADJOINT_SUPPORT_SITUATION_H

#include "base/arena.h"
#include "base/now.h"
#include "kube/store.h"
#include "operator/memo.h"
#include "operator/vouch.h"
#include "support/api_table.h"

enum { SITUATION_OBJECT_COUNT_MAX = 64 };

struct situation {
    struct arena arena;
    const char *key;
    struct now now;
    int64_t clock_steady_ms;
    const char *memory; /* JSON object; NULL: nothing is remembered */
    size_t object_count;
    const char *objects[SITUATION_OBJECT_COUNT_MAX]; /* JSON with kind, complete */
};

/* folder: that of all situations, with common/ in it. What cannot be read fails the test. */
void situation_load(struct situation *situation, const char *folder, const char *name);
void situation_release(struct situation *situation);

/* Reversed, turned by a third, ...: objects in another order of coming. */
void situation_reorder(struct situation *situation, int order);

/* Into a store, as the watches would bring them: selected, kept. The caller's (store_free). */
struct store *situation_store(const struct situation *situation);
void situation_remember(const struct situation *situation, struct memos *memos);
/* What `vouch: asked | passed` in the memory of its key says. */
void situation_vouch(const struct situation *situation, const struct store *store,
                     struct vouches *vouches);
/* Into an API server. */
void situation_put(const struct situation *situation, struct api_table *table);

#endif
