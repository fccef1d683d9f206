/* SPDX-License-Identifier: Apache-2.0 */
/* One run: a simulated cluster from one seed, one or two operators on it, what people do in it,
   what goes wrong, and the verdict. It has parts: the scene is set and the Pool filled; people act
   while faults strike; faults stop, and it must settle in bounded time; what asks for a person's
   help gets it, and it must settle again; then nothing is written for minutes; then everything is
   deleted, and nothing may be left. */
#ifndef ADJOINT_SIMULATION_TRIAL_H
#define ADJOINT_SIMULATION_TRIAL_H

#include "base/arena.h"
#include "base/text.h"
#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "simulation/judge.h"
#include "simulation/last_lines.h"
#include "simulation/mishap.h"

struct faults;
struct life;
struct scenario;
struct crds;
struct morning;
struct day;
struct punctual;
struct weeks;

enum { LIVES_MAX = 2, CRASHES_MAX = 2, ETAS_MAX = 32 };

/* What happens to the n-th write since the last crash, or since people began to act. */
struct crash {
    size_t write; /* from 1 */
    enum mishap mishap;
};

struct trial_options {
    const struct scenario *scenario;
    const struct crds *crds;
    uint64_t seed;
    bool calm;          /* nothing goes wrong but the crashes */
    bool wants_figures; /* of a scenario that measures something, as text */
    size_t crash_count;
    struct crash crashes[CRASHES_MAX];
    /* Each line of the trace and of the operator's log, as it comes; NULL: not wanted. */
    void (*line)(void *self, const char *line);
    void *self;
};

struct trial_outcome {
    bool passed;
    bool was_struck;    /* all its crashes happened */
    uint64_t hash;      /* of its trace */
    size_t write_count; /* from the people's acts until it had settled */
    size_t life_count;  /* Instances that became Ready, or went */
    int64_t simulated_ms;
    struct text report;  /* what was broken, and the last lines before it */
    struct text figures; /* if they are wanted; "" none */
    size_t eta_count;
    double eta_errors[ETAS_MAX]; /* of the first ETAs told: a share of the wait */
};

/* What the scenario left open, drawn. */
struct wish {
    const char *order;
    int64_t size, claim_count;
    bool retains, sanitizes;
    size_t operator_count;
    const char *rotation;  /* the Pool's strategy; NULL: it says nothing of rotation */
    int64_t surge, warm;   /* maxSurge, minWarm */
    bool follows_latest;   /* its golden is the newest */
    bool has_a_lease_each; /* then both write, and only preconditions keep them apart */
};

struct trial {
    const struct trial_options *options;
    struct wish wish;
    struct arena arena;
    struct simulation *simulation;
    struct world *world;
    struct apiserver *server;
    struct judge *judge;
    struct faults *faults;
    int64_t set_back_ms; /* the wall clock, in all */
    struct life *lives[LIVES_MAX];
    size_t life_count;
    size_t begun_count; /* operators, ever: for identities */

    bool counts_writes;
    size_t write_count;
    int64_t last_write_ms; /* mono */
    size_t crash_count;    /* those that happened */
    size_t crash_write;    /* writes since the last of them */
    int64_t acts_until_ms; /* mono: people do nothing after it, and faults stop */
    bool golden_is_there;
    const char *golden;      /* the last that was made */
    bool is_over;            /* everything was deleted */
    struct morning *morning; /* what is measured in it; NULL: nothing */
    struct day *day;         /* likewise */
    struct punctual *punctual;
    struct weeks *weeks;
    struct trial_outcome *outcome;
    struct last_lines last_lines;
};

void trial_outcome_release(struct trial_outcome *outcome);

/* out is initialised by it. */
void trial_play(const struct trial_options *options, struct trial_outcome *out);

/* ---- for what goes on in it ---- */

/* act(trial, argument) in delay_ms. The argument is copied. */
void trial_at(struct trial *trial, int64_t delay_ms,
              void (*act)(struct trial *trial, const char *argument), const char *argument);
int64_t trial_now_ms(const struct trial *trial); /* mono */
/* In [low, high], from the stream of what people do. */
int64_t trial_draw(struct trial *trial, int64_t low, int64_t high);
/* An operator's write is on its way: it counts, and a crash may be due at it. */
enum mishap trial_on_write(struct trial *trial);

#endif
