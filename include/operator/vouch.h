/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of one Pool in one namespace make Clusters that differ in their names alone, so one
   passed pre-flight vouches for the others for a while: the Cluster's dry run costs the API server
   more than the rest of a claim (CloudNativePG's schema and webhooks). While the first of them asks
   the others wait for its answer. Not where a ResourceQuota counts objects: there each asks for
   itself. Forgetting all of it costs some dry runs. */
#ifndef ADJOINT_OPERATOR_VOUCH_H
#define ADJOINT_OPERATOR_VOUCH_H

#include "base/map.h"
#include "base/now.h"
#include "kube/store.h"
#include "plan/instance.h"

struct vouches {
    struct map by_key; /* to struct vouched *, private */
};

void vouches_init(struct vouches *vouches);
void vouches_release(struct vouches *vouches);

/* For this Instance of that Pool; vouches NULL: nobody does. */
enum vouch vouches_of(const struct vouches *vouches, const struct store *store,
                      const struct object *instance, const struct object *pool, struct now now);

/* The Instance's whole pre-flight goes on the wire: returns what to say when it is answered, the
   caller's (memory_free). What was not passed vouches for nothing: then each asks for itself. */
char *vouches_asked(struct vouches *vouches, const struct object *instance,
                    const struct object *pool, struct now now);
void vouches_answered(struct vouches *vouches, const char *asked, bool passed, struct now now);
/* Something that had been vouched for was refused: nothing in this namespace is, now. */
void vouches_forget(struct vouches *vouches, const char *namespace);

#endif
