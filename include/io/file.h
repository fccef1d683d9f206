/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_IO_FILE_H
#define ADJOINT_IO_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <sys/types.h>

/* The whole file, NUL-terminated, the caller's (memory_free). ERROR_SYSTEM with the path and the
   system's reason; ERROR_LIMIT above byte_count_max. out_byte_count may be NULL. */
MUST_CHECK bool file_read(const char *path, size_t byte_count_max, char **out_bytes,
                          size_t *out_byte_count, struct error *error);

/* Instead of what the file had; mode: of one that is new. ERROR_SYSTEM likewise. */
MUST_CHECK bool file_write(const char *path, mode_t mode, const char *bytes, size_t byte_count,
                           struct error *error);

#endif
