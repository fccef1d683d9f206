/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and updates on their way through all rules, in the real server's order: that order
   decides which of several reasons to refuse a client is told.
   (k8s.io/apiserver/pkg/registry/generic/registry/store.go, endpoints/handlers/{create,update,
   patch}.go) */
#ifndef ADJOINT_SRC_SIM_WRITE_H
#define ADJOINT_SRC_SIM_WRITE_H

#include "sim/apiserver_state.h"

/* write->value is what the client sent; write->name is set as soon as it is known. */
bool write_create(struct write *write);
/* write->before is what is there; write->value what the client would have instead. is_put: the
   client sent all of it, so that a uid in it is a precondition. */
bool write_update(struct write *write, bool is_put);
/* write->value becomes the patched object (of scale: the patched Scale). */
bool write_patch(struct write *write, enum patch_type type, const cJSON *patch);

#endif
