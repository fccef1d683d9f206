/* SPDX-License-Identifier: Apache-2.0 */
/* What a developer's Instance may change of its Cluster: never what the operator's rights would
   let it do and the developer's would not. */
#ifndef ADJOINT_SRC_PLAN_OVERRIDES_H
#define ADJOINT_SRC_PLAN_OVERRIDES_H

#include "api/instance.h"
#include "base/arena.h"
#include "plan/instance_turn.h"

/* Parameters and labels by their names; the schema (crds/) lets nothing else through. */
struct verdict overrides_check(const struct instance *instance, struct arena *arena);

/* As a merge patch of the Cluster's spec, durability included. */
const char *overrides_spec(const struct instance *instance, struct arena *arena);

#endif
