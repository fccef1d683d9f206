/* SPDX-License-Identifier: Apache-2.0 */
/* What people do in a run: one row each. What a row leaves open is drawn from the seed. */
#ifndef ADJOINT_SIMULATION_SCENARIO_H
#define ADJOINT_SIMULATION_SCENARIO_H

#include "simulation/trial.h"

struct scenario {
    const char *name;
    const char *order; /* the Pool's spec.claim.order; NULL: drawn */
    int64_t size_least, size_most;
    int64_t claims_least, claims_most;
    int64_t within_s;      /* people are done by then */
    bool begins_with_pool; /* filled before anybody acts */
    bool begins_without_golden;
    bool has_two_operators, has_two_leases;
    bool retains;        /* Instances' deletionPolicy; drawn when it is drawn */
    bool sanitizes;      /* the Pool, and proves that one can log in; likewise */
    bool rotates;        /* what the Pool does about stale clones is drawn */
    bool is_drawn;       /* operators, policy, too */
    bool interferes;     /* what people do keeps Instances from being served in order */
    bool is_calm;        /* nothing goes wrong but what the scenario has */
    bool is_real;        /* FSx is as slow as it is */
    bool is_uneven;      /* and its service times log-normal */
    bool is_long;        /* played only when it is asked for */
    bool is_undisturbed; /* no operator ever stands still */
    int64_t begins_ms;   /* wall; 0: at nine on a Sunday */
    int64_t early_s;     /* so long before that */
    /* What the scene has besides; NULL: nothing. */
    void (*set)(struct trial *trial);
    /* Besides the claims; NULL: nothing. */
    void (*act)(struct trial *trial);
    /* When it has settled, into trial->outcome; NULL: nothing is measured. */
    void (*measure)(struct trial *trial);
};

/* Ends with a row without a name; the first is the one that draws everything, those that are long
   come last. */
extern const struct scenario scenarios[];
const struct scenario *scenario_find(const char *name); /* NULL: none */

/* What this run has of what was open, into trial->wish. */
void scenario_wish(struct trial *trial);
/* Sets going all that people do. */
void scenario_begin(struct trial *trial);

#endif
