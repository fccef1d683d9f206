/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of one resource as they were at a revision, in order of (namespace, name): what a
   list's later pages are made from, so that they agree with its first. */
#ifndef ADJOINT_SIM_PAST_H
#define ADJOINT_SIM_PAST_H

#include "sim/objects.h"

#include <stddef.h>

struct past {
    const struct record **records; /* borrowed until the next change */
    size_t count;
};

/* revision: not compacted, and not of the future. namespace NULL: all. */
void past_init(struct past *past, const struct objects *objects, const struct resource *resource,
               const char *namespace, uint64_t revision);
void past_release(struct past *past);

#endif
