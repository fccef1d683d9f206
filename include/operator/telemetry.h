/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator tells of itself, as texts: for a Prometheus, a kubelet, a person. They read the
   store and the memos between two steps and change nothing. No Secret is ever among them: the
   operator reads none. */
#ifndef ADJOINT_OPERATOR_TELEMETRY_H
#define ADJOINT_OPERATOR_TELEMETRY_H

#include "base/now.h"
#include "base/text.h"
#include "operator/operator.h"

/* Prometheus' text format; docs/metrics.md lists what is there. Series of a Pool end with it. */
void operator_write_metrics(const struct operator* op, struct now now, struct text *out);

/* Is it alive? A line for each watch with the seconds since its last byte. false: one of them has
   had no contact for far longer than the silence it is begun anew after, and nothing is known to be
   wrong with it, so something is stuck here. A server that cannot be reached is no reason: a
   restart would not help. */
bool operator_write_health(const struct operator* op, struct now now, struct text *out);

/* Has it read everything once? A standby is ready as well. out says what is lacking. */
bool operator_write_readiness(const struct operator* op, struct text *out);

/* One JSON object: the lease, watches, the queue, who is given which clone, and what is remembered
   of each key. */
void operator_write_state(const struct operator* op, struct now now, struct text *out);

#endif
