/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to an ACTION_EVENTS, into the memo of the Pool that asked. */
#ifndef ADJOINT_SRC_OPERATOR_FILL_REPORT_H
#define ADJOINT_SRC_OPERATOR_FILL_REPORT_H

#include "kube/client.h"
#include "operator/memo.h"
#include "plan/plan.h"

/* Of several complaints the last. One that cannot be read counts as none: it is asked for again. */
void fill_report_absorb(struct memo *memo, const struct action *action, const struct reply *reply,
                        struct now now);

#endif
