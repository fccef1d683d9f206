/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules let through becomes the present, and what hangs on it follows at once: quotas'
   usage, resources that a definition brings or takes away. */
#ifndef ADJOINT_SRC_SIM_COMMIT_H
#define ADJOINT_SRC_SIM_COMMIT_H

#include "sim/apiserver_state.h"

/* value: ownership is taken. The new version, kept for the caller. */
struct record *commit_put(struct apiserver *server, const struct resource *resource, cJSON *value);
/* The last version with the deletion's revision, kept for the caller. */
struct record *commit_remove(struct apiserver *server, const struct record *record);

#endif
