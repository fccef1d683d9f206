/* SPDX-License-Identifier: Apache-2.0 */
/* What a write is, in words that are the same in every run of a scenario: a volume's name is
   random, so its new state stands for it. */
#ifndef ADJOINT_CRASH_MATRIX_WRITE_NAME_H
#define ADJOINT_CRASH_MATRIX_WRITE_NAME_H

#include "base/text.h"
#include "kube/transport.h"

#include <stdbool.h>

/* An operator's write: no read, and not the lease's. */
bool write_name_is_write(const struct request *request);

/* Appends "create PersistentVolumeClaim alice-1", "PersistentVolume becomes claimed", ... */
void write_name_append(const struct request *request, struct text *out);

#endif
