/* SPDX-License-Identifier: Apache-2.0 */
/* The CustomResourceDefinitions of Adjoint, read once and posted in each run as a person would. */
#ifndef ADJOINT_SIMULATION_CRDS_H
#define ADJOINT_SIMULATION_CRDS_H

#include "base/error.h"
#include "sim/apiserver.h"

struct crds;

/* From the files of a folder: crds/. */
MUST_CHECK bool crds_read(const char *folder, struct crds **out, struct error *error);
void crds_free(struct crds *crds);
MUST_CHECK bool crds_post(const struct crds *crds, struct apiserver *server, struct error *error);

#endif
