/* SPDX-License-Identifier: Apache-2.0 */
/* The binder looks at everything anew each 15 s, on its own time. */
#ifndef ADJOINT_CONFORMANCE_RESYNC_H
#define ADJOINT_CONFORMANCE_RESYNC_H

#include "conformance/subject.h"

enum { RESYNC_EACH_MS = 15000 };

/* mono_ms of one, seen by what it alone finds: the volume that comes after the claim naming it. */
int64_t resync_find(const struct subject *subject);
/* Until so long before the next one. */
void resync_rest_until_before(const struct subject *subject, int64_t resync_ms, int64_t before_ms);

#endif
