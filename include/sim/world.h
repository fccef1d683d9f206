/* SPDX-License-Identifier: Apache-2.0 */
/* Time and chance of one simulated cluster: a queue of things that will happen, run in order of
   (time, order of being asked for), and a random stream for each part, so that a part which draws
   more does not change what the others draw. Nothing in sim/ reads a clock: whoever owns the world
   moves it, at once (tests), or as the wall clock does times a speed (io). From the seed follows
   everything. */
#ifndef ADJOINT_SIM_WORLD_H
#define ADJOINT_SIM_WORLD_H

#include "base/error.h"
#include "base/now.h"
#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world;
struct world_event;

/* Starts at mono_ms 0; wall_ms: what the wall clock shows then. */
struct world *world_new(uint64_t seed, int64_t wall_ms);
void world_free(struct world *world); /* events that did not happen are dropped */

struct now world_now(const struct world *world);
/* From here on the wall clock shows so much more (or less): an NTP step. mono_ms is not moved. */
void world_step_wall_clock(struct world *world, int64_t by_ms);

/* run(self) once, delay_ms (>= 0) from now. The event is the world's and is gone when run begins.
   A self that dies first must cancel it; NULL is fine. */
struct world_event *world_after(struct world *world, int64_t delay_ms, void (*run)(void *self),
                                void *self);
void world_cancel(struct world *world, struct world_event *event);

/* mono_ms of the next event; NOW_NEVER: none. */
int64_t world_next_at(const struct world *world);
/* Runs the next event, with the time moved to its own; false: there is none at or before until_ms,
   and the time is until_ms (for NOW_NEVER it stays). */
bool world_run_next(struct world *world, int64_t until_ms);

/* The stream of that name; the same pointer each time. */
struct random *world_random(struct world *world, const char *name);
/* A whole number in [low, high], drawn from the stream. */
int64_t world_between(struct world *world, const char *stream, int64_t low, int64_t high);

/* ---- the trace: one line for each thing that happened; what differs between two runs of a seed
   differs here first. The line given starts with the time in seconds: "12.345 ". ---- */
void world_trace(struct world *world, const char *format, ...) PRINTF_LIKE(2, 3);
uint64_t world_trace_hash(const struct world *world);
/* Each line as it comes; NULL: no more. */
void world_trace_to(struct world *world, void (*give)(void *self, const char *line), void *self);

#endif
