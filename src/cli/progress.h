/* SPDX-License-Identifier: Apache-2.0 */
/* Where something stands while somebody waits for it, on err: one line that is written over on a
   terminal, and a new line at each change elsewhere. */
#ifndef ADJOINT_CLI_PROGRESS_H
#define ADJOINT_CLI_PROGRESS_H

#include "cli/cli.h"

struct progress {
    struct cli *cli;
    struct text shown; /* "" nothing yet */
    int64_t shown_s;   /* the seconds beside it */
    bool line_is_open; /* the cursor stands behind it */
};

void progress_init(struct progress *progress, struct cli *cli);
void progress_release(struct progress *progress);

/* Written when standing has changed; on a terminal also when another second has passed. left: how
   long it will last, beside it. */
void progress_show(struct progress *progress, const char *standing, const char *left,
                   int64_t elapsed_ms);
/* Clears the line that is written over. */
void progress_end(struct progress *progress);

/* When to show it again although nothing has changed, as a time that has elapsed; NOW_NEVER. */
int64_t progress_next_ms(const struct progress *progress, int64_t elapsed_ms);

#endif
