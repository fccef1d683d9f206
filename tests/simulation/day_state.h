/* SPDX-License-Identifier: Apache-2.0 */
/* What day.c (which lets it happen) and day_figures.c (which looks at it) share. */
#ifndef ADJOINT_SIMULATION_DAY_STATE_H
#define ADJOINT_SIMULATION_DAY_STATE_H

#include "simulation/day.h"

enum { DAY_VISITS_MAX = 110, DAY_POOLS = 4, DAY_LANES = 2 };

struct day_pool {
    const char *name, *golden, *next_golden; /* next: that of noon */
    size_t lane;                             /* the number of its file system */
};
extern const struct day_pool day_pools[DAY_POOLS];
const char *day_class(size_t lane);

/* One Instance of a developer's. */
struct visit {
    char name[24];
    const char *namespace;
    size_t pool;
    int64_t came_ms;     /* wall; 0: not yet */
    int64_t chosen_ms;   /* wall; 0: no clone yet */
    int64_t ready_in_ms; /* 0: not yet */
    bool is_gone, gave_up;
    bool found_warm; /* a clone that none of those before it waited for */
};

struct day {
    struct trial *trial;
    int64_t sizes[DAY_POOLS];
    bool rotates[DAY_POOLS];
    int64_t noon_ms, rotated_ms; /* wall; a clone of the morning's golden was last seen warm */
    size_t visit_count;
    struct visit visits[DAY_VISITS_MAX];
    int reset_count, death_count;
    /* FSx was idle while a clone was wanted; and while it was only that a create that had failed
       kept its place. */
    int64_t wanted_ms[DAY_LANES], idle_ms[DAY_LANES], kept_ms[DAY_LANES];
};

/* Looks each ten seconds until everything is deleted. */
void day_look(void *day);
/* Are there more warm clones of its Pool than wait for one? */
bool day_finds_warm(const struct day *day, const struct visit *visit);

#endif
