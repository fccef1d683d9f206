/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a trial share: the stages, one function each, called until it enters another.
   A stage that does not end says in missing what it waits for. */
#ifndef ADJOINT_CRASH_MATRIX_TRIAL_STAGES_H
#define ADJOINT_CRASH_MATRIX_TRIAL_STAGES_H

#include "crash_matrix/trial.h"

enum { TRIAL_QUIET_MS = 2000 }; /* without a write: settled */

/* trial_fault.c */
void trial_step_act(struct trial *trial, struct now now, struct text *missing);
void trial_step_write(struct trial *trial, struct now now, struct text *missing);
void trial_step_person(struct trial *trial, struct now now, struct text *missing);
void trial_step_outage(struct trial *trial, struct now now, struct text *missing);
void trial_step_remedy(struct trial *trial, struct now now, struct text *missing);

/* trial_end.c */
void trial_step_settle(struct trial *trial, struct now now, struct text *missing);
void trial_step_clear(struct trial *trial, struct now now, struct text *missing);
void trial_step_stop(struct trial *trial, struct now now, struct text *missing);
void trial_step_wipe(struct trial *trial, struct now now, struct text *missing);

/* trial.c */
void trial_enter(struct trial *trial, enum stage stage, struct now now);
void trial_fail(struct trial *trial, struct now now, const char *why);
/* true once at the beginning of a stage and then each second. */
bool trial_asks_again(struct trial *trial, struct now now);
/* The ending is there, somebody leads, and nothing has been written for quiet_ms. Appends the
   ending's name, or what is missing. */
bool trial_has_settled(struct trial *trial, const struct expectation *expected, struct now now,
                       int64_t quiet_ms, struct text *out);
/* The operator that faults happen to. */
struct incarnation *trial_life(struct trial *trial);

#endif
