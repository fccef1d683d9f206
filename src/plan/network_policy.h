/* SPDX-License-Identifier: Apache-2.0 */
/* What an Instance's Postgres may reach, when its Pool restricts it (spec.networkPolicy). */
#ifndef ADJOINT_SRC_PLAN_NETWORK_POLICY_H
#define ADJOINT_SRC_PLAN_NETWORK_POLICY_H

#include "plan/instance_turn.h"

/* Can one be made that leaves the way to the API server open? */
struct verdict network_policy_check(const struct instance_observation *seen);
/* Is its name free, and would it be let in? */
const char *network_policy_probe(const struct instance_observation *seen, struct arena *arena);
/* Makes it, puts it right or takes it away, as the Pool says now. The Instance's PVC is there. */
void network_policy_plan(struct instance_turn *turn);
/* May the Cluster be made? */
bool network_policy_ready(const struct instance_turn *turn);
/* Why it is not as it must be, in the API server's words; NULL: it is, or it is on its way. */
const char *network_policy_refusal(const struct instance_turn *turn);

#endif
