/* SPDX-License-Identifier: Apache-2.0 */
/* What a write through each path of an object may change: the object's own path leaves status
   alone, /status everything else, /finalize all but a namespace's spec.finalizers.
   (pkg/registry/.../strategy.go: PrepareForUpdate of each) */
#ifndef ADJOINT_SRC_SIM_SUBRESOURCE_H
#define ADJOINT_SRC_SIM_SUBRESOURCE_H

#include "sim/apiserver_state.h"

/* Served for updates and patches. NULL: the object itself, always. */
bool subresource_exists(const struct resource *resource, const char *subresource);
/* Of an update: puts back in write->value what this path does not write. */
void subresource_restrict(struct write *write);
/* POST pods/<name>/binding: write->value, a Binding, becomes the pod on that node, with
   write->before set. false: refused. */
bool subresource_bind(struct write *write);

#endif
