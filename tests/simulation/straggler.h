/* SPDX-License-Identifier: Apache-2.0 */
/* A write that arrives when nobody expects it any more. */
#ifndef ADJOINT_SIMULATION_STRAGGLER_H
#define ADJOINT_SIMULATION_STRAGGLER_H

#include "sim/link.h"
#include "simulation/trial.h"

/* By the link, so much later; nobody hears what became of it. */
void straggler_send(struct trial *trial, struct link *link, const struct link_request *request,
                    int64_t delay_ms);

#endif
