/* SPDX-License-Identifier: Apache-2.0 */
/* The volumes that FSx has, by DescribeVolumes. */
#ifndef ADJOINT_CLI_FSX_VOLUMES_H
#define ADJOINT_CLI_FSX_VOLUMES_H

#include "base/arena.h"
#include "io/aws.h"

#include <stdint.h>

struct fsx_volume {
    const char *id, *name, *file_system, *lifecycle; /* "" when FSx does not say it */
    int64_t created_ms;                              /* wall; 0: not said */
    bool by_driver; /* its tags say that the CSI driver made it (driver v1.2.0) */
};

struct fsx_volumes {
    size_t count;
    struct fsx_volume *items; /* in the arena */
};

/* All of the account's region, page by page. ERROR_LIMIT when there are more than pages are asked
   for; others as aws_call. */
MUST_CHECK bool fsx_volumes_read(const struct aws_account *account, struct arena *arena,
                                 struct fsx_volumes *out, struct error *error);

/* NULL: there is none of that id. */
const struct fsx_volume *fsx_volumes_find(const struct fsx_volumes *volumes, const char *id);

#endif
