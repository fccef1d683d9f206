/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SRC_OPERATOR_METRICS_LANES_H
#define ADJOINT_SRC_OPERATOR_METRICS_LANES_H

#include "base/text.h"
#include "operator/operator.h"

/* What is known of each file system, by the leader alone: others have not looked. */
void metrics_write_lanes(const struct operator* op, struct text *out);

#endif
