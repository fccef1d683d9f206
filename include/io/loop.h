/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop: libuv, one a process. Before it blocks, each turn calls one step function, which
   says when it wants to be called again; signals and the HTTP client only wake it. */
#ifndef ADJOINT_IO_LOOP_H
#define ADJOINT_IO_LOOP_H

#include "base/now.h"

#include <stdbool.h>

struct loop;
struct uv_loop_s;

struct loop *loop_new(void);
void loop_free(struct loop *loop); /* closes what is left of its own handles */

/* step(self, now) runs once a turn and returns the mono_ms to be called at again at the latest
   (NOW_NEVER: only when something happened). NULL removes it. */
void loop_set_step(struct loop *loop, int64_t (*step)(void *self, struct now now), void *self);

/* SIGTERM and SIGINT call stop_asked once each, from the loop. SIGPIPE is ignored. */
void loop_on_stop_signal(struct loop *loop, void (*stop_asked)(void *self, int signal_number),
                         void *self);

/* Runs until loop_stop. May be called again. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

struct now loop_now(const struct loop *loop);

/* For io's own files. */
struct uv_loop_s *loop_uv(struct loop *loop);

#endif
