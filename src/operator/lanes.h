/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of an assignment, in two parts: before its queues are made, and after. */
#ifndef ADJOINT_SRC_OPERATOR_LANES_H
#define ADJOINT_SRC_OPERATOR_LANES_H

#include "operator/observe.h"

/* Which Pools share a lane, their caps, and what was measured. Sets seats and lanes. */
void lanes_find(struct assignment *assignment, const struct view *view);

/* How many starts each Pool is granted, and the waiters' ETAs. queues: a Pool's each, in the
   order of the lanes and of their Pools. */
void lanes_plan(struct assignment *assignment, const struct view *view, struct queue *queues);

#endif
