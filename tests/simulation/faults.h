/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in a run, drawn from its seed: first which families there are at all and how bad
   each is (so that some runs are all of one kind of trouble, and some of none), then each event.
   The families are those of the fault menu:

   deaths      F1   operators die, at a write or at any time, or get SIGTERM (F17)
   losses      F2   requests or replies are lost; a write arrives half a minute later
   refusals    F3   statuses, applied or not
   lag         F4   watches of the operator are late, each kind by itself
   compaction  F5   watches break or fail, and history before now is gone
   partition   F7   reads pass and writes do not, or the reverse; or nothing does, in silence
   away        -    the API server is not there
   pause       F9   an operator stands still for a minute
   clock       F10  the wall clock is set forward or back an hour
   slow        F11  requests take seconds
   fsx         F12  FSx and its driver
   nodes       F13  kubelet and scheduler
   cnpg        F14  CloudNativePG
   binder      F15  kube-controller-manager's binder
   views       F4   caches of all other controllers are late

   F6 (an API server whose cache is behind) is lag here: lists and reads of the operator are quorum
   reads, so only watches can be behind. F8 is what people do: scenario.h. F16 is a deed of theirs,
   too. Out of memory (F17) is a death. */
#ifndef ADJOINT_SIMULATION_FAULTS_H
#define ADJOINT_SIMULATION_FAULTS_H

#include "simulation/life.h"

struct faults;

/* Draws; nothing happens before faults_begin. */
struct faults *faults_new(struct trial *trial);
void faults_free(struct faults *faults);

void faults_begin(struct faults *faults);
/* Nothing goes wrong from now on, and what stood still goes on. */
void faults_end(struct faults *faults);

/* The families of this run, with spaces between; "none". */
const char *faults_describe(const struct faults *faults);
/* true: nothing of it lies between an operator and the API server. */
bool faults_leave_order(const struct faults *faults);

struct link_faults faults_of_link(struct faults *faults, struct life *life);

#endif
