/* SPDX-License-Identifier: Apache-2.0 */
/* A decorator in the operator's transport that knows every write and can stop the world at one of
   them: before it is sent, after it was applied but before its reply is read, or after the reply.
   One that kills lets nothing more out; what was already on the wire gets to its end, so that what
   the API server knows at the crash does not depend on chance. One that holds keeps this write, or
   its reply, until it is let go; everything else passes. */
#ifndef ADJOINT_CRASH_MATRIX_INTERCEPTOR_H
#define ADJOINT_CRASH_MATRIX_INTERCEPTOR_H

#include "kube/transport.h"

#include <stdbool.h>
#include <stddef.h>

enum interception {
    INTERCEPT_NONE,
    INTERCEPT_KILL_BEFORE,
    INTERCEPT_KILL_APPLIED,
    INTERCEPT_KILL_REPLIED,
    INTERCEPT_HOLD_BEFORE,
    INTERCEPT_HOLD_REPLY,
};

struct interceptor;

struct interceptor *interceptor_new(struct transport inner);
/* Its calls are cancelled by then: the operator is freed first. */
void interceptor_free(struct interceptor *interceptor);
struct transport interceptor_transport(struct interceptor *interceptor);

/* Waits for the n-th write (from 1) of this name from now on, and names writes from now on. write
   is borrowed; NULL with INTERCEPT_NONE. */
void interceptor_arm(struct interceptor *interceptor, enum interception interception,
                     const char *write, int occurrence);
/* It has happened. Killed: nothing is on the wire; the operator must not be stepped any more, from
   the moment interceptor_killed. Held: it waits for interceptor_let_go. */
bool interceptor_caught(const struct interceptor *interceptor);
bool interceptor_killed(const struct interceptor *interceptor);
/* Not from inside a sink. */
void interceptor_let_go(struct interceptor *interceptor);

/* All writes ever, and the names of those since the last arm, oldest first. */
size_t interceptor_write_count(const struct interceptor *interceptor);
size_t interceptor_name_count(const struct interceptor *interceptor);
const char *interceptor_name(const struct interceptor *interceptor, size_t index);

#endif
