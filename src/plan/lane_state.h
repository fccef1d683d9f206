/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a lane share: what its record says, where nothing was measured yet as FSx for
   OpenZFS is known to do it. Milliseconds. */
#ifndef ADJOINT_SRC_PLAN_LANE_STATE_H
#define ADJOINT_SRC_PLAN_LANE_STATE_H

#include "plan/lane.h"

int64_t lane_gap_ms(const struct lane_record *record);
int64_t lane_latency_ms(const struct lane_record *record);
/* wall: from then on a create that was started at that time is held up, or has failed: nothing
   tells. It is not counted on any more. Creates come in the order they were started, so one that
   was started before another one that has come is late soon. */
int64_t lane_late_at(const struct lane_record *record, int64_t started_ms);

#endif
