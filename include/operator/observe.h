/* SPDX-License-Identifier: Apache-2.0 */
/* From the store to what one key's planner needs: decoded, sorted (every sort ends in uid), all in
   one arena. The objects themselves are borrowed from the store. */
#ifndef ADJOINT_OPERATOR_OBSERVE_H
#define ADJOINT_OPERATOR_OBSERVE_H

#include "base/entropy.h"
#include "operator/assignment.h"
#include "operator/key.h"
#include "operator/vouch.h"
#include "operator/zones.h"
#include "plan/instance.h"
#include "plan/pool.h"
#include "plan/sweep.h"

struct claims;

struct view {
    const struct store *store;
    const struct memos *memos;
    const struct assignment *assignment;
    const struct vouches *vouches; /* NULL: nobody vouches for anybody */
    struct now now;
    const struct entropy *entropy; /* NULL: no password is needed, this is only a look */
    int64_t clock_steady_ms;       /* as in struct instance_observation */
    const struct claims *claims;   /* NULL: what is gone from the store is not known */
    struct zones *zones;           /* NULL: none but UTC is known */
};

/* What is remembered of the key; NULL: nothing. */
const struct memo *memo_of(const struct view *view, const struct key *key);
/* The golden that the Pool names, or the newest. */
void observe_golden(const struct view *view, const struct object *pool,
                    struct golden_observation *out);

/* out->pool's holding PVCs, oldest first, and their volumes; nothing else is set. */
void observe_holdings(const struct view *view, struct arena *arena, struct pool_observation *out);

/* false: there is no such object. */
MUST_CHECK bool observe_pool(const struct view *view, const struct key *key, struct arena *arena,
                             struct pool_observation *out);
MUST_CHECK bool observe_instance(const struct view *view, const struct key *key,
                                 struct arena *arena, struct instance_observation *out);
MUST_CHECK bool observe_volume(const struct view *view, const struct key *key, struct arena *arena,
                               struct volume_observation *out);
MUST_CHECK bool observe_remnant(const struct view *view, const struct key *key,
                                struct remnant_observation *out);

/* Observes and plans key, whatever its kind. out_finding is set for volumes. false: no such object;
   the plan is empty then. */
MUST_CHECK bool observe_and_plan(const struct view *view, const struct key *key, struct plan *plan,
                                 struct volume_finding *out_finding);

/* Does the cluster-wide view keep this object? PVs that carry our labels, whose claim is one of
   ours or is in a Pool's namespace, or that are on an FSx file system (they count against its
   limit: some hundred at most each); everything of the other kinds. */
bool observe_keeps(const struct store *store, const struct object *object);

#endif
