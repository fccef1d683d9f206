/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulated cluster has from the start, as YAML: definitions, for instance. */
#ifndef ADJOINT_SIM_MANIFESTS_H
#define ADJOINT_SIM_MANIFESTS_H

#include "base/error.h"

#include <stddef.h>

struct apiserver;

/* Creates each document's object. ERROR_INVALID with what the server says to the first one that it
   refuses; those before it are there. */
MUST_CHECK bool manifests_create(struct apiserver *server, const char *bytes, size_t byte_count,
                                 struct error *error);
/* All *.yaml of a folder, by name. ERROR_SYSTEM: it cannot be read, or has none. */
MUST_CHECK bool manifests_create_folder(struct apiserver *server, const char *path,
                                        struct error *error);

#endif
