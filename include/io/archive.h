/* SPDX-License-Identifier: Apache-2.0 */
/* A .tar.gz that is written: POSIX ustar through zlib. libarchive would do the same and bring
   libxml2 and ICU, forty megabytes, into an image of which the rest has a tenth of that. */
#ifndef ADJOINT_IO_ARCHIVE_H
#define ADJOINT_IO_ARCHIVE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct archive;

/* Only its owner may read it. ERROR_EXISTS: something has that name, and is left alone;
   ERROR_SYSTEM. */
MUST_CHECK bool archive_create(const char *path, struct archive **out, struct error *error);

/* A regular file. name: a path of ASCII letters, at most 100 bytes behind its last slash and 155
   before it. What cannot be written shows when it is closed. */
void archive_add(struct archive *archive, const char *name, const char *bytes, size_t byte_count,
                 int64_t modified_ms);

/* Frees it. false: it could not be written (ERROR_SYSTEM), and is removed. */
MUST_CHECK bool archive_close(struct archive *archive, struct error *error);

#endif
