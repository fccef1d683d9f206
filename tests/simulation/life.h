/* SPDX-License-Identifier: Apache-2.0 */
/* An operator over a link of its own: started, stepped when bytes came or its time is there, paused
   as SIGSTOP does it, stopped, killed, and followed by another with another identity. */
#ifndef ADJOINT_SIMULATION_LIFE_H
#define ADJOINT_SIMULATION_LIFE_H

#include "simulation/trial.h"

struct life;

enum { LATENCY_LEAST_MS = 1, LATENCY_MOST_MS = 4 }; /* when nothing is wrong */

/* index: of the trial's lives. */
struct life *life_new(struct trial *trial, size_t index);
void life_free(struct life *life);

/* A new operator, at once. Nothing if there is one. */
void life_begin(struct life *life);
/* It is dead at once, and buried when what runs now has returned. A successor begins
   restart_after_ms later. */
void life_kill(struct life *life, int64_t restart_after_ms);
/* SIGTERM; then as above, when it has stopped. */
void life_stop(struct life *life, int64_t restart_after_ms);
/* Not stepped for so long; bytes come in meanwhile. */
void life_pause(struct life *life, int64_t for_ms);
/* The API server is away for it. */
void life_cut(struct life *life, int64_t for_ms);
/* Its watches end with this Status. */
void life_fail_watches(struct life *life, const struct link_refusal *refusal);
/* One way, from now on; of its successors, too. */
void life_set_latency(struct life *life, int64_t least_ms, int64_t most_ms);

bool life_leads(const struct life *life);
/* Volumes that its operator says nobody looks after; 0 when it does not lead. */
size_t life_leaked_volumes(const struct life *life);
/* Sends the request again, so much later, whatever has become of its operator. */
void life_send_late(struct life *life, const struct link_request *request, int64_t delay_ms);

#endif
