/* SPDX-License-Identifier: Apache-2.0 */
/* What the last batch's failure means for a condition. */
#ifndef ADJOINT_SRC_PLAN_TROUBLE_H
#define ADJOINT_SRC_PLAN_TROUBLE_H

#include "plan/plan.h"

/* A lost race or a server out of reach heals by itself and is not worth a condition; being refused
   is. */
bool trouble_is_lasting(const struct trouble *trouble);

/* While its back-off runs (held) the status waits, too: writing it is what failed, or the server is
   out of reach. Else it says why nothing goes on. */
bool trouble_silences(const struct trouble *trouble, bool held);

/* CamelCase reason: QuotaExceeded, NamespaceTerminating, Forbidden, NameTaken, Invalid, ... */
const char *trouble_reason(const struct trouble *trouble);

#endif
