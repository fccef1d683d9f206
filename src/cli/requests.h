/* SPDX-License-Identifier: Apache-2.0 */
/* When clones were asked for, as a file has it: a line each, an RFC 3339 time in its first column.
   A first line that is no time is a heading. */
#ifndef ADJOINT_CLI_REQUESTS_H
#define ADJOINT_CLI_REQUESTS_H

#include "base/arena.h"
#include "base/error.h"

/* Sorted; ERROR_INVALID names the line that has no time. text is changed. */
MUST_CHECK bool requests_read(char *text, struct arena *arena, int64_t **out_times_ms,
                              size_t *out_count, struct error *error);

#endif
