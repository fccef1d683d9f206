/* SPDX-License-Identifier: Apache-2.0 */
/* ResourceQuota: the admission plug-in and the controller in one, so that status.used is never
   late. What is counted: pods (those that have not ended), persistentvolumeclaims, services,
   secrets, configmaps, count/<resource>[.<group>], requests.storage, and the last two of a class
   under <class>.storageclass.storage.k8s.io/. Other limits are kept, not enforced; scopes are not
   known. (pkg/quota/v1/evaluator/core, k8s.io/apiserver/pkg/admission/plugin/resourcequota) */
#ifndef ADJOINT_SRC_SIM_QUOTA_H
#define ADJOINT_SRC_SIM_QUOTA_H

#include "sim/apiserver_state.h"

/* 403 if what the write adds goes beyond a quota of its namespace. */
bool quota_admit(struct write *write);
/* After a change of an object of that resource in that namespace: brings status up to date. */
void quota_settle(struct apiserver *server, const struct resource *resource, const char *namespace);

#endif
