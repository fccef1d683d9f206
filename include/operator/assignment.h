/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of every pool and the lanes that fill them, computed once a revision of the store and
   good for that revision only: which waiting Instance gets which volume, who stands where, and
   which Pool may start the next clones. Pairs whose claim is on its way are assumed and leave it.
 */
#ifndef ADJOINT_OPERATOR_ASSIGNMENT_H
#define ADJOINT_OPERATOR_ASSIGNMENT_H

#include "kube/store.h"
#include "operator/memo.h"
#include "operator/zones.h"
#include "plan/lane.h"

struct assignment_place {
    const char *instance_namespace, *instance_name;
    const char *pool_namespace, *pool_name;
    const char *volume; /* NULL: waits */
    int64_t position;   /* 0: not waiting */
    int64_t eta_ms;     /* wall; 0: not known */
    bool eligible;
    bool waits; /* eligible, or could be in a moment */
    bool undecided;
    bool current_only; /* takes no stale one */
};

/* A Pool on its lane. */
struct lane_seat {
    struct lane *lane;
    const char *file_system; /* NULL: not known yet */
    size_t at;               /* among the lane's Pools */
    size_t queue;            /* among all Pools, in the order of the lanes */
};

/* The maps borrow from the store and the memos and are for the revision alone. Places and lanes may
   be looked at later, to be shown. */
struct assignment {
    struct arena arena;
    struct arena scratch;   /* only while it is computed */
    struct map by_instance; /* key text to struct assignment_place * */
    struct map chosen;      /* volume names that are taken; the values mean nothing */
    struct map given;       /* likewise, of those that a place has */
    struct map owned;       /* Instance uids to the PV that carries them, const struct object ** */
    struct map reserved;    /* likewise, of PVs that a reset reserved */
    struct map holders; /* uids of claims to the PV that names them, likewise; of two, the first */
    bool two_hold;      /* some claim is named by two PVs */
    struct map twins;   /* names of PVs to another of the same handle, likewise */
    struct map seats;   /* key text of Pools to struct lane_seat * */
    size_t lane_count;
    struct lane *lanes;
    size_t place_count;
    struct assignment_place *places; /* sorted by pool, then order */
};

void assignment_init(struct assignment *assignment);
void assignment_release(struct assignment *assignment);

/* Anew from the store. zones NULL: none but UTC is known. */
void assignment_compute(struct assignment *assignment, const struct store *store,
                        const struct memos *memos, struct zones *zones, struct now now);

/* NULL: it does not wait. */
const struct assignment_place *assignment_find(const struct assignment *assignment,
                                               const char *instance_key);
/* NULL: there is no such Pool. */
struct lane_seat *assignment_seat(const struct assignment *assignment, const char *pool_namespace,
                                  const char *pool_name);
/* Instances of a pool that wait and have been given no volume. */
int64_t assignment_waiting(const struct assignment *assignment, const char *pool_namespace,
                           const char *pool_name);
/* Those of them that take no stale one. */
int64_t assignment_waiting_current(const struct assignment *assignment, const char *pool_namespace,
                                   const char *pool_name);
/* Instances of a pool that do not wait, but might in a moment: see instance_undecided. */
int64_t assignment_undecided(const struct assignment *assignment, const char *pool_namespace,
                             const char *pool_name);

#endif
