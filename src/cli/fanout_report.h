/* SPDX-License-Identifier: Apache-2.0 */
/* What a fan-out has shown: clone by clone in the order in which they came, and what that looks
   like. */
#ifndef ADJOINT_CLI_FANOUT_REPORT_H
#define ADJOINT_CLI_FANOUT_REPORT_H

#include "cli/figures.h"

#include "base/text.h"

struct fanout_clone {
    const char *name;
    int64_t ms; /* from the request to Bound */
};

struct fanout_report {
    const char *namespace, *snapshot, *storage_class;
    size_t asked;                      /* clones */
    size_t count;                      /* of those that came */
    const struct fanout_clone *clones; /* by time */
    /* Computed by fanout_report_count. */
    int64_t p50_ms, p95_ms, gap_ms, gap_ms_min, gap_ms_max; /* the gap: half are shorter */
    int64_t amplification_percent;                          /* the last's time of the first's */
    int straightness;                                       /* percent */
    enum fanout_shape shape;
};

void fanout_report_count(struct fanout_report *report);

/* format: NULL for a table, else "json" or "csv". */
void fanout_report_write(const struct fanout_report *report, const char *format, struct text *out);
void fanout_report_draw(const struct fanout_report *report, struct text *out);

#endif
