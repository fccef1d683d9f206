/* SPDX-License-Identifier: Apache-2.0 */
/* A file that somebody rotates under us, and its last good bytes. */
#ifndef ADJOINT_IO_ACCESS_FILE_H
#define ADJOINT_IO_ACCESS_FILE_H

#include "base/error.h"

#include <stdbool.h>

enum access_file_kind { ACCESS_FILE_TOKEN, ACCESS_FILE_CERTIFICATES, ACCESS_FILE_KEY };

struct access_file {
    enum access_file_kind kind;
    const char *path; /* borrowed; NULL: there is no such file, and bytes stay NULL */
    char *bytes;      /* NUL-terminated; a token without white space around it */
};

void access_file_release(struct access_file *file);

/* What the file says now: *out is the caller's, and NULL when it says what bytes say already.
   ERROR_SYSTEM: not there, not readable; ERROR_INVALID: empty, cut or garbage. Changes nothing. */
MUST_CHECK bool access_file_read(const struct access_file *file, char **out, struct error *error);

/* Takes bytes; NULL changes nothing. True when it changed something. */
bool access_file_take(struct access_file *file, char *bytes);

#endif
