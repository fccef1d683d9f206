/* SPDX-License-Identifier: Apache-2.0 */
/* csi-provisioner and the FSx driver, as far as volumes can be lost by them: they make a PV with a
   claimRef that has the PVC's uid and no label of ours, destroy what one revision shows Released
   with policy Delete, and nothing else ever, and add or drop their finalizer when the policy
   changes, by a patch without a resourceVersion (external-provisioner 5). Times are not FSx's: a
   clone takes as long as its requests. */
#ifndef ADJOINT_CRASH_MATRIX_PROVISIONER_H
#define ADJOINT_CRASH_MATRIX_PROVISIONER_H

#include "crash_matrix/surroundings.h"

struct provisioner;

struct provisioner *provisioner_new(struct surroundings *around);
void provisioner_free(struct provisioner *provisioner);
void provisioner_step(struct provisioner *provisioner, struct now now);

#endif
