/* SPDX-License-Identifier: Apache-2.0 */
/* What a pod does once in the developer's namespace before an Instance is Ready: sanitize its data,
   and prove that its Secret lets one in. */
#ifndef ADJOINT_SRC_PLAN_ERRAND_H
#define ADJOINT_SRC_PLAN_ERRAND_H

#include "plan/desired.h"
#include "plan/instance_turn.h"

/* src/plan/errand_pod.c */
struct errand_pod {
    const struct handoff *handoff;
    enum errand errand;
    const char *data_claim_uid; /* of the data it is about */
    const char *image, *secret;
    const char *probe;      /* a query that fails until it may begin */
    const char *statements; /* that it runs; NULL: it logs in, and that is all */
};
const char *errand_pod(const struct errand_pod *pod, struct arena *arena);

/* src/plan/errand.c. Is a Cluster for this Instance made unsanitized? Not after it was Ready: its
   data is its developer's then. */
bool errand_holds_cluster(const struct object *instance, const struct object *pool);
/* That CloudNativePG makes for as long. */
const char *errand_superuser_secret(const struct object *instance, struct arena *arena);
/* The Cluster serves the golden's data. true: nothing is left to be done before Ready; else it is
   on its way and said. */
bool errands_plan(struct instance_turn *turn);
/* Their pods, when the status says Ready. */
void errands_clean_up(struct instance_turn *turn);

#endif
