/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SRC_PLAN_FINALIZER_H
#define ADJOINT_SRC_PLAN_FINALIZER_H

#include "api/object.h"

/* JSON patch that adds our finalizer (present) or removes it. */
const char *finalizer_patch(const struct object *object, bool present, struct arena *arena);

#endif
