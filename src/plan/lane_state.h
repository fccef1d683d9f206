/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a lane share: what its record says, where nothing was measured yet as FSx for
   OpenZFS is known to do it. Milliseconds. */
#ifndef ADJOINT_SRC_PLAN_LANE_STATE_H
#define ADJOINT_SRC_PLAN_LANE_STATE_H

#include "plan/lane.h"

int64_t lane_gap_ms(const struct lane_record *record);
int64_t lane_latency_ms(const struct lane_record *record);
/* One that takes more is held up, or failed: nothing tells. It is not counted on any more. */
int64_t lane_late_after_ms(const struct lane_record *record);

#endif
