/* SPDX-License-Identifier: Apache-2.0 */
/* A decorator that brings what the watch of one kind says some time late: an operator that sees two
   kinds at different moments, as every one does now and then. Lists, reads and replies are not
   late. */
#ifndef ADJOINT_CRASH_MATRIX_LAG_H
#define ADJOINT_CRASH_MATRIX_LAG_H

#include "base/now.h"
#include "kube/transport.h"

struct lag;

/* plural: of the kind, in its path; borrowed. NULL: none is late. */
struct lag *lag_new(struct transport inner, const char *plural, int64_t lag_ms);
void lag_free(struct lag *lag); /* its calls are cancelled by then */
struct transport lag_transport(struct lag *lag);
/* Hands over what is due. Not from inside a sink. */
void lag_step(struct lag *lag, struct now now);

#endif
