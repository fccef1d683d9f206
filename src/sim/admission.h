/* SPDX-License-Identifier: Apache-2.0 */
/* Admission plug-ins that are on by default, as far as this simulation has what they look at:
   NamespaceLifecycle, StorageObjectInUseProtection, DefaultStorageClass,
   PersistentVolumeClaimResize. ResourceQuota is in sim/quota.h. */
#ifndef ADJOINT_SRC_SIM_ADMISSION_H
#define ADJOINT_SRC_SIM_ADMISSION_H

#include "sim/apiserver_state.h"

/* Before anything is judged: may change the value. false: refused. */
bool admission_mutate(struct write *write);
/* An update that has been found valid. */
bool admission_validate(struct write *write);
/* Namespaces that cannot be deleted. */
bool admission_delete(const struct resource *resource, const char *name, struct outcome *outcome);

#endif
