/* SPDX-License-Identifier: Apache-2.0 */
/* Events (v1) that a controller tells people with. They are written through its client and cost its
   tokens. One that says the same of the same object again is not written again: elsewhere it would
   be counted up, and from the fifth in five minutes on mostly not even that. */
#ifndef ADJOINT_SIM_RECORDER_H
#define ADJOINT_SIM_RECORDER_H

#include "sim/caller.h"

struct recorder;

/* component: a literal. caller is borrowed. */
struct recorder *recorder_new(struct apiserver *server, struct caller *caller,
                              const char *component);
void recorder_free(struct recorder *recorder);

void recorder_tell(struct recorder *recorder, const struct record *about, const char *reason,
                   const char *format, ...) PRINTF_LIKE(4, 5);
void recorder_warn(struct recorder *recorder, const struct record *about, const char *reason,
                   const char *format, ...) PRINTF_LIKE(4, 5);

#endif
