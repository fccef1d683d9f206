/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes against what they would have done, as a picture. */
#ifndef ADJOINT_CLI_SIZE_CHART_H
#define ADJOINT_CLI_SIZE_CHART_H

#include "base/text.h"
#include "plan/replay.h"

enum { SIZE_ROWS_BEYOND = 3 }; /* those that are told beyond the one that is enough */

struct size_row {
    int64_t size;
    struct replay replay;
};

/* An SVG document: the share that found a clone, and what one in twenty waited. */
void size_chart_write(const struct size_row *rows, size_t count, int64_t recommended,
                      struct text *out);

#endif
