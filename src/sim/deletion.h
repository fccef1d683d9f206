/* SPDX-License-Identifier: Apache-2.0 */
/* Deletes: what goes at once, what is marked and waits for its finalizers, for the kubelet, for the
   namespace controller. (k8s.io/apiserver/pkg/registry/generic/registry/store.go: Delete,
   rest/delete.go; pkg/registry/core/{pod,namespace}, apiextensions-apiserver's
   customresourcedefinition) */
#ifndef ADJOINT_SRC_SIM_DELETION_H
#define ADJOINT_SRC_SIM_DELETION_H

#include "sim/apiserver_state.h"

/* record: the present version, kept by the caller. false: refused. */
bool deletion_start(struct apiserver *server, const struct record *record,
                    const struct preconditions *preconditions, bool dry_run,
                    struct outcome *outcome);

#endif
