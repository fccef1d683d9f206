/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of every pool, computed once a revision of the store and good for that revision only:
   which waiting Instance gets which volume, and who stands where. Pairs whose claim is on its way
   are assumed and leave it. */
#ifndef ADJOINT_OPERATOR_ASSIGNMENT_H
#define ADJOINT_OPERATOR_ASSIGNMENT_H

#include "kube/store.h"
#include "operator/memo.h"

struct assignment_place {
    const char *instance_namespace, *instance_name;
    const char *pool_namespace, *pool_name;
    const char *volume; /* NULL: waits */
    int64_t position;   /* 0: not waiting */
    bool eligible;
    bool waits; /* eligible, or could be in a moment */
    bool undecided;
};

struct assignment {
    struct arena arena;
    struct map by_instance; /* key text to struct assignment_place * */
    struct map chosen;      /* volume names that are taken, to themselves */
    struct map owned;       /* Instance uids to the name of the PV that carries them */
    size_t place_count;
    struct assignment_place *places; /* sorted by pool, then order */
};

void assignment_init(struct assignment *assignment);
void assignment_release(struct assignment *assignment);

/* Anew from the store. */
void assignment_compute(struct assignment *assignment, const struct store *store,
                        const struct memos *memos, struct now now);

/* NULL: it does not wait. */
const struct assignment_place *assignment_find(const struct assignment *assignment,
                                               const char *instance_key);
/* Instances of a pool that wait and have been given no volume. */
int64_t assignment_waiting(const struct assignment *assignment, const char *pool_namespace,
                           const char *pool_name);
/* Instances of a pool that do not wait, but might in a moment: see instance_undecided. */
int64_t assignment_undecided(const struct assignment *assignment, const char *pool_namespace,
                             const char *pool_name);

#endif
