/* SPDX-License-Identifier: Apache-2.0 */
/* What a pool is for, measured: ten clones are warm, thirteen developers come within a minute, and
   then one every two minutes, on an FSx as slow as it is. And how far off the times are that those
   who wait are told. */
#ifndef ADJOINT_SIMULATION_MORNING_H
#define ADJOINT_SIMULATION_MORNING_H

#include "simulation/trial.h"

/* scenario.h's act and measure. measure breaks the run when one of these does not hold: the first
   ten are Ready in the time that a warm claim takes; the others take the clones as they come from
   FSx, which are a gap apart; FSx is idle for less than 1% of the time that a clone is wanted; it
   is asked for no more volumes than were handed out and are warm. Beside it, in the same model,
   the policy of a pool by script (demo/script.h). */
void morning_act(struct trial *trial);
void morning_measure(struct trial *trial);

/* FSx's service times vary and 5% of its creates fail: what the first ETA was off by, of each who
   waited, as a share of the wait. */
void morning_fail_some(struct trial *trial);
void morning_measure_etas(struct trial *trial);

#endif
