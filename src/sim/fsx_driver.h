/* SPDX-License-Identifier: Apache-2.0 */
/* The FSx for OpenZFS CSI driver's controller service, volumes only: what it refuses, what it asks
   of FSx, how it waits and what it makes of errors.
   Rules: driver v1.2.0, pkg/driver/controller.go (CreateVolume, DeleteVolume, snapshots),
   pkg/cloud/cloud.go (a look each 15 s for 15 min), pkg/util (parameters); retries of the AWS SDK
   for Go v2 (8 attempts, jitter up to 20 s); and what was met with the real driver at a stand-in
   for FSx. */
#ifndef ADJOINT_SIM_FSX_DRIVER_H
#define ADJOINT_SIM_FSX_DRIVER_H

#include "sim/csi.h"
#include "sim/fsx.h"

#define FSX_DRIVER_NAME "fsx.openzfs.csi.aws.com"

struct fsx_driver;
struct csi_call;

/* All borrowed; pace and misfortune are read at each call. */
struct fsx_driver *fsx_driver_new(struct world *world, struct fsx *fsx, const struct pace *pace,
                                  const struct misfortune *misfortune);
void fsx_driver_free(struct fsx_driver *driver); /* nobody is answered: its process died */

/* answer.done is called once from a world event, unless the call was left. */
struct csi_call *fsx_driver_create_volume(struct fsx_driver *driver,
                                          const struct csi_create_volume *create,
                                          struct csi_answer answer);
struct csi_call *fsx_driver_delete_volume(struct fsx_driver *driver, const char *handle,
                                          struct csi_answer answer);
struct csi_call *fsx_driver_create_snapshot(struct fsx_driver *driver, const char *name,
                                            const char *volume, struct csi_answer answer);
struct csi_call *fsx_driver_delete_snapshot(struct fsx_driver *driver, const char *handle,
                                            struct csi_answer answer);

/* The caller waits no longer; the driver does not notice and goes on. */
void csi_call_leave(struct csi_call *call);

#endif
