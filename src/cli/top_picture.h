/* SPDX-License-Identifier: Apache-2.0 */
/* What `adj top` shows, as text: Pools, lanes, those who wait and those who have a clone. */
#ifndef ADJOINT_CLI_TOP_PICTURE_H
#define ADJOINT_CLI_TOP_PICTURE_H

#include "base/text.h"
#include "kube/store.h"

struct top_seen {
    const struct store *store; /* Pools and Instances */
    int64_t wall_ms;           /* now */
    const char *note;          /* a line: what is not seen, and why; NULL: nothing */
};

/* Lines, each with its break. rows: as many at most, of which the longer lists lose most, and say
   how many are not shown; 0: all. columns: lines are cut there; 0: they are not. */
void top_picture_write(const struct top_seen *seen, size_t rows, size_t columns, struct text *out);

#endif
