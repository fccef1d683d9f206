/* SPDX-License-Identifier: Apache-2.0 */
/* What the last batch's failure means for a condition. */
#ifndef ADJOINT_SRC_PLAN_TROUBLE_H
#define ADJOINT_SRC_PLAN_TROUBLE_H

#include "plan/plan.h"

/* A lost race or a server out of reach heals by itself and is not worth a condition; being refused
   is. */
bool trouble_is_lasting(const struct trouble *trouble);

/* CamelCase reason: QuotaExceeded, NamespaceTerminating, Forbidden, NameTaken, Invalid, ... */
const char *trouble_reason(const struct trouble *trouble);

#endif
