/* SPDX-License-Identifier: Apache-2.0 */
/* The Job controller, as far as Jobs of one pod that is not tried again need it (backoffLimit 0):
   it makes the pod of the template and tells of its end in the Job's status.
   Rules: kubernetes pkg/controller/job. */
#ifndef ADJOINT_SIM_JOBS_H
#define ADJOINT_SIM_JOBS_H

#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct jobs;

struct jobs *jobs_new(struct apiserver *server, const struct pace *pace); /* pace is borrowed */
void jobs_free(struct jobs *jobs);
struct view *jobs_view(struct jobs *jobs);

#endif
