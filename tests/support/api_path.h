/* SPDX-License-Identifier: Apache-2.0 */
/* What a request's path is about. */
#ifndef ADJOINT_SUPPORT_API_PATH_H
#define ADJOINT_SUPPORT_API_PATH_H

#include "api/kind.h"

struct api_path {
    enum object_kind kind;         /* KIND_COUNT: of no kind in the table */
    char namespace[64], name[254]; /* "" when there is none */
    bool status;
};

struct api_path api_path_parse(const char *path);

#endif
