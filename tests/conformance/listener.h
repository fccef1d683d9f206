/* SPDX-License-Identifier: Apache-2.0 */
/* A watch that is open, and what it said and nobody has looked at yet. */
#ifndef ADJOINT_CONFORMANCE_LISTENER_H
#define ADJOINT_CONFORMANCE_LISTENER_H

#include "base/text.h"
#include "conformance/subject.h"

struct listener;

/* accept NULL: JSON. */
struct listener *listener_open(const struct subject *subject, const char *path, const char *accept);
void listener_free(struct listener *listener); /* NULL is fine */

/* Takes the next line, if there is one: appended to out. */
bool listener_next(struct listener *listener, struct text *out);
/* Waits for the next line and takes it: appended to out. false: the watch ended, or nothing came
   for_ms long. */
bool listener_take(struct listener *listener, int64_t for_ms, struct text *out);
/* Waits for the end; false: lines come before it, or nothing for_ms long. */
bool listener_await_end(struct listener *listener, int64_t for_ms);

int listener_http_status(const struct listener *listener);           /* 0: none yet */
const struct error *listener_error(const struct listener *listener); /* after the end */

#endif
