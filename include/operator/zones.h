/* SPDX-License-Identifier: Apache-2.0 */
/* The time zones that schedules name, read when they are needed and kept for an hour: the files
   may be replaced meanwhile. UTC needs none. */
#ifndef ADJOINT_OPERATOR_ZONES_H
#define ADJOINT_OPERATOR_ZONES_H

#include "base/map.h"
#include "plan/pool.h"

struct zones {
    struct time_zone_source source;
    struct map by_name; /* to struct kept_zone *, private */
};

void zones_init(struct zones *zones, struct time_zone_source source);
void zones_release(struct zones *zones);

/* One for each of the Pool's schedules, in the arena; what they point to is good until the next
   call. zones NULL: UTC alone is known. */
const struct schedule_zone *zones_of_pool(struct zones *zones, const struct pool *pool,
                                          int64_t mono_ms, struct arena *arena);

#endif
