/* SPDX-License-Identifier: Apache-2.0 */
/* A StorageClass' parameters as the FSx driver reads them: each value is a number, a boolean or
   raw JSON text, so that strings come with quotes of their own; a key it does not know is an error.
   Rules: driver v1.2.0 pkg/util/util.go, docs/parameters.md, CreateOpenZFSVolumeConfiguration. */
#ifndef ADJOINT_SIM_FSX_PARAMETERS_H
#define ADJOINT_SIM_FSX_PARAMETERS_H

#include "sim/csi.h"

struct fsx_parameters {
    char *parent; /* ParentVolumeId */
    char *text;   /* all of them, to compare */
    bool has_origin_snapshot, is_full_copy;
    bool deletes_children; /* OptionsOnDeletion */
};

/* CSI_OK, or what the driver answers, with its message. release it either way. */
enum csi_code fsx_parameters_read(const cJSON *parameters, struct fsx_parameters *out_parameters,
                                  char *message, size_t message_bytes);
void fsx_parameters_release(struct fsx_parameters *parameters);

#endif
