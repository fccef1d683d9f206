/* SPDX-License-Identifier: Apache-2.0 */
/* What Instances that were asked for in a burst, or hour after hour, have got. */
#ifndef ADJOINT_CLI_LOAD_H
#define ADJOINT_CLI_LOAD_H

#include "cli/field_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One Instance; times in ms. */
struct load_claim {
    const char *name;
    int64_t asked_ms; /* since the start */
    bool ready, waited;
    /* of one that is ready */
    int64_t ready_ms;          /* from the request to Ready, on our clock */
    int64_t bind_ms, start_ms; /* volume chosen to PVC Bound, and from there to Ready: operator's */
    int64_t queue_ms;          /* what is left of ready_ms: until a volume was chosen */
    const char *why;           /* it did not become ready; NULL: nothing is known */
};

/* How the Pool's lane was used, by the Pool's status. */
struct load_lane {
    const char *name;         /* NULL: none was told */
    int64_t seen_ms, busy_ms; /* the Pool was seen; and clones were being made */
    int64_t filling_ms;       /* times how many of them */
    int64_t gap_ms;           /* as the lane was measured; 0: not */
    int64_t warm_least;       /* clones; -1: the Pool was not seen */
};

struct load_report {
    const char *test, *pool, *pool_namespace, *namespace;
    int64_t lasted_ms;
    size_t count;
    const struct load_claim *claims; /* in the order in which they were asked for */
    struct load_lane lane;
    size_t left; /* Clusters and PersistentVolumeClaims of theirs, after all were deleted */
};

/* Of a struct load_report; the picture: each one's time to Ready, over when it was asked for. */
extern const struct field_forms LOAD_FORMS;

#endif
