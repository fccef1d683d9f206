/* SPDX-License-Identifier: Apache-2.0 */
/* What a database's log asks of storage: small writes, each safe before the next. */
#ifndef ADJOINT_IO_SYNC_WRITES_H
#define ADJOINT_IO_SYNC_WRITES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Appends count times byte_count bytes (at most SYNC_WRITE_BYTES_MAX) to a new file in the folder,
   which has no name any more when it begins, with fdatasync(2) after each, and gives how long each
   took with that, in microseconds. ERROR_SYSTEM. */
enum { SYNC_WRITE_BYTES_MAX = 64 * 1024 };
MUST_CHECK bool sync_writes_time(const char *folder, size_t count, size_t byte_count,
                                 int64_t *out_us, struct error *error);

#endif
