/* SPDX-License-Identifier: Apache-2.0 */
/* What faults.c (which draws, and lets things happen) and faults_link.c (which decides on each
   request) share. */
#ifndef ADJOINT_SIMULATION_FAULTS_STATE_H
#define ADJOINT_SIMULATION_FAULTS_STATE_H

#include "simulation/faults.h"

enum family {
    DEATHS,
    LOSSES,
    REFUSALS,
    LAG,
    COMPACTION,
    PARTITION,
    AWAY,
    PAUSE,
    CLOCK,
    SLOW,
    FSX,
    NODES,
    CNPG,
    BINDER,
    VIEWS,
    FAMILY_COUNT,
};

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS,
    LAG_KINDS = 16,
    DESCRIPTION_BYTES = 160,
};

enum spell { SPELL_NONE, SPELL_WRITES_FAIL, SPELL_READS_FAIL, SPELL_SILENCE, SPELL_COUNT };

struct faults {
    struct trial *trial;
    bool on;
    bool has[FAMILY_COUNT];
    int chance[FAMILY_COUNT]; /* in 1/1000, of a request's */
    enum spell spell;
    int64_t spell_until_ms;
    int64_t lag_ms[LAG_KINDS];
    char description[DESCRIPTION_BYTES];
};

/* In [low, high]; and in [least, most] with small ones as likely as large ones. */
int64_t faults_draw(const struct faults *faults, int64_t low, int64_t high);
int64_t faults_draw_span(const struct faults *faults, int64_t least, int64_t most);
bool faults_chance(const struct faults *faults, int in_a_thousand);

#endif
