/* SPDX-License-Identifier: Apache-2.0 */
/* The whole cluster as the matrix sees it, by watches of its own: what the other controllers react
   to and what the checker judges by. Kinds come by separate watches, so two of them may be from
   different moments; what the operator under test believes is not asked. */
#ifndef ADJOINT_CRASH_MATRIX_MIRROR_H
#define ADJOINT_CRASH_MATRIX_MIRROR_H

#include "kube/store.h"
#include "kube/transport.h"

#include "base/now.h"

struct mirror;

struct mirror *mirror_new(struct transport transport, struct store_listener listener);
void mirror_free(struct mirror *mirror);
void mirror_step(struct mirror *mirror, struct now now);
bool mirror_synced(const struct mirror *mirror);
const struct store *mirror_store(const struct mirror *mirror);

#endif
