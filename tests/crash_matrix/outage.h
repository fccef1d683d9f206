/* SPDX-License-Identifier: Apache-2.0 */
/* The API server gone for some seconds: stopped and continued, or killed together with etcd and
   started again. It is everybody's, so it begins when every world that plays such a cell holds its
   write, and each world's write meets it at another point of the claim. */
#ifndef ADJOINT_CRASH_MATRIX_OUTAGE_H
#define ADJOINT_CRASH_MATRIX_OUTAGE_H

#include "base/now.h"

#include <stdbool.h>

struct loop;
struct outage;

/* script ACTION, where ACTION is pause, resume, kill or start. NULL: no outage can be had. */
struct outage *outage_new(struct loop *loop, const char *script);
void outage_free(struct outage *outage);

/* restart: killed, not stopped. Not while one runs. */
void outage_begin(struct outage *outage, bool restart);
void outage_step(struct outage *outage, struct now now);
bool outage_idle(const struct outage *outage);
/* The API server is gone now. */
bool outage_is_on(const struct outage *outage);
bool outage_failed(const struct outage *outage);

#endif
