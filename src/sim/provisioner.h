/* SPDX-License-Identifier: Apache-2.0 */
/* The csi-provisioner sidecar of the FSx driver: makes volumes for claims and PersistentVolumes of
   them, deletes volumes whose PersistentVolume is Released, keeps its finalizer.
   Rules: external-provisioner v5.3.0 (pkg/controller/controller.go: ShouldProvision,
   getSnapshotSource, Provision, checkError) and its library sig-storage-lib-external-provisioner
   (controller.go: shouldProvision, provisionClaimOperation, shouldDelete,
   handleProtectionFinalizer), with the driver's chart's flags (--timeout=5m, 100 workers, 5
   requests a second with a burst of 10). */
#ifndef ADJOINT_SIM_PROVISIONER_H
#define ADJOINT_SIM_PROVISIONER_H

#include "sim/apiserver.h"
#include "sim/fsx_driver.h"
#include "sim/view.h"

struct provisioner;

enum provisioner_version {
    PROVISIONER_5,   /* 5.0 and later: a finalizer on volumes as long as they are Delete */
    PROVISIONER_3_4, /* 3.4.0, the driver's chart's default: none; deletes only what it made */
};

/* pace is borrowed and may change meanwhile, as is the driver. */
struct provisioner *provisioner_new(struct apiserver *server, struct fsx_driver *driver,
                                    const struct pace *pace, enum provisioner_version version);
/* Its process died: what it had in progress is forgotten, the driver goes on. */
void provisioner_free(struct provisioner *provisioner);
/* Of claims, volumes and StorageClasses: its delete rule looks at nothing else. */
struct view *provisioner_view(struct provisioner *provisioner);

#endif
