/* SPDX-License-Identifier: Apache-2.0 */
/* What a fan-out has shown: clone by clone in the order in which they came, and what that looks
   like. */
#ifndef ADJOINT_CLI_FANOUT_REPORT_H
#define ADJOINT_CLI_FANOUT_REPORT_H

#include "cli/field_options.h"
#include "cli/figures.h"

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

extern const struct field_forms FANOUT_FORMS; /* of a struct fanout_report */

#endif
