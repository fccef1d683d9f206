/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL that sanitizes an Instance's data. */
#ifndef ADJOINT_SRC_PLAN_STATEMENTS_H
#define ADJOINT_SRC_PLAN_STATEMENTS_H

#include "plan/desired.h"
#include "plan/instance_turn.h"

/* What runs them calls itself so (application_name). */
#define STATEMENTS_APPLICATION "adjoint-sanitize"

/* Does the Pool have any? */
bool statements_wanted(const struct pool *pool);
/* Can what the Pool names be had? config_map: that of spec.sanitize; NULL: it is not seen. Without
   it no clone is spent, and none is let out. */
struct verdict statements_check(const struct object *pool, const struct object *config_map,
                                struct arena *arena);
/* All of it in the order it is run in, when it can be had. */
const char *statements_text(const struct handoff *handoff, const struct object *config_map,
                            struct arena *arena);

#endif
