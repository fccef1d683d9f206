/* SPDX-License-Identifier: Apache-2.0 */
/* How many clones a Pool keeps: spec.size, or what spec.autosize makes of it. */
#ifndef ADJOINT_SRC_PLAN_POOL_SIZING_H
#define ADJOINT_SRC_PLAN_POOL_SIZING_H

#include "plan/autosize.h"
#include "plan/pool_turn.h"

/* Sets turn->size, from what the status has: it is asked often. */
void pool_size_now(struct pool_turn *turn);
/* After pool_note_arrivals: what is recommended, once a day, and what is kept, for the status. */
void pool_plan_size(struct pool_turn *turn);
/* src/plan/pool_schedules.c. Sets turn->schedules; size: what is kept without them. */
void pool_look_at_schedules(struct pool_turn *turn, int64_t size);
/* What the status has of them. */
struct schedule_record pool_schedule_record(const struct pool_turn *turn);
/* For the condition Scheduled; reason NULL: there is none to speak of. */
struct pool_remark pool_schedule_remark(const struct pool_turn *turn);

/* For the condition Sized; reason NULL: there is nothing to say. */
struct pool_remark pool_size_remark(const struct pool_turn *turn, bool *out_good);

/* The lane as the Pool sees it: its Pools have it in turn. Where nothing was measured, as FSx is.
 */
struct replay_lane pool_sizing_lane(const struct pool_observation *seen);

#endif
