/* SPDX-License-Identifier: Apache-2.0 */
/* The snapshot controller with the csi-snapshotter sidecar of the FSx driver: VolumeSnapshots of
   claims, and static pairs of VolumeSnapshot and content, become ready; deletion goes on as long
   as FSx refuses it, and the snapshot says readyToUse all the while.
   Rules: external-snapshotter v8.2.0 (pkg/common-controller, pkg/sidecar-controller), and what was
   met with it and the real driver: a static content is ready at once without a question to FSx,
   whatever its handle; refused deletions come again after 1, 2, 4... s. */
#ifndef ADJOINT_SIM_SNAPSHOTTER_H
#define ADJOINT_SIM_SNAPSHOTTER_H

#include "sim/apiserver.h"
#include "sim/fsx_driver.h"
#include "sim/view.h"

struct snapshotter;

struct snapshotter *snapshotter_new(struct apiserver *server, struct fsx_driver *driver,
                                    const struct pace *pace);
void snapshotter_free(struct snapshotter *snapshotter);
/* Of VolumeSnapshots, contents, their classes, claims and volumes. */
struct view *snapshotter_view(struct snapshotter *snapshotter);

#endif
