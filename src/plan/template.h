/* SPDX-License-Identifier: Apache-2.0 */
/* Is a Pool's template fit to be used in other namespaces? */
#ifndef ADJOINT_SRC_PLAN_TEMPLATE_H
#define ADJOINT_SRC_PLAN_TEMPLATE_H

#include "api/pool.h"
#include "plan/instance_turn.h"

/* Every object of the developer's namespace that it refers to is listed in spec.requires. */
struct verdict template_check(const struct object *pool, struct arena *arena);

#endif
