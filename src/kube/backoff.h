/* SPDX-License-Identifier: Apache-2.0 */
/* How long to wait after a failure, for everyone in kube/ who has to. */
#ifndef ADJOINT_KUBE_BACKOFF_H
#define ADJOINT_KUBE_BACKOFF_H

#include "base/random.h"

#include <stdint.h>

/* After so many failures in a row (>= 1): ms_min, doubled with each, at most ms_max, of which
   chance takes up to a half away, so that two replicas do not stay in step. at_least_ms is a
   server's Retry-After (0: none): the result is never less, and chance adds up to a quarter of it.
   Always > 0. */
int64_t backoff_ms(int failures, int64_t ms_min, int64_t ms_max, int64_t at_least_ms,
                   struct random *random);

#endif
