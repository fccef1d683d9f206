/* SPDX-License-Identifier: Apache-2.0 */
/* What all scenes find on a subject: the definitions of crds/. */
#ifndef ADJOINT_CONFORMANCE_PREPARATION_H
#define ADJOINT_CONFORMANCE_PREPARATION_H

#include "conformance/subject.h"

MUST_CHECK bool preparation_make(const struct subject *subject, struct error *error);

#endif
