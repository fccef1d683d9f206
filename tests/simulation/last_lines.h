/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines of a run's trace, for the report of what was broken: without those of leases, of
   which there are some every second for hours of a run that does not settle. */
#ifndef ADJOINT_SIMULATION_LAST_LINES_H
#define ADJOINT_SIMULATION_LAST_LINES_H

#include "base/text.h"

enum { LAST_LINES = 60 };

struct last_lines {
    struct text lines[LAST_LINES]; /* line n is at n % LAST_LINES */
    size_t count;
};

/* All zero is empty. */
void last_lines_release(struct last_lines *last);
void last_lines_take(struct last_lines *last, const char *line);
void last_lines_report(const struct last_lines *last, struct text *out);

#endif
