/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool's clones beside the claims that want them; volume_claimable and volume_was_claimed are in
   plan/pool.h. */
#ifndef ADJOINT_SRC_PLAN_CLONES_H
#define ADJOINT_SRC_PLAN_CLONES_H

#include "api/volume.h"
#include "plan/pool.h"

/* Another PV of its storage; NULL: there is none. Such a clone is neither handed out nor destroyed.
 */
const char *clone_twin(const struct pool_observation *seen, const struct object *volume);
/* Has a claim chosen it, or is one about to? */
bool clone_is_chosen(const struct pool_observation *seen, const struct object *volume);
/* Claimable ones that a claim has chosen, or has not. */
int64_t clones_claimable(const struct pool_observation *seen, bool chosen);
/* Are there Instances for which there is no clone yet? */
bool clones_awaited(const struct pool_observation *seen);

#endif
