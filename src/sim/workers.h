/* SPDX-License-Identifier: Apache-2.0 */
/* A controller's work queue with the workers that take from it, as client-go's workqueue has it: a
   key is in it once however often it is added, is never looked at twice at once, and one that is
   added while it is looked at is looked at again. A look may take simulated time: it is over when
   its key is handed back. */
#ifndef ADJOINT_SIM_WORKERS_H
#define ADJOINT_SIM_WORKERS_H

#include "sim/world.h"

struct workers;

struct workers_options {
    int count;                              /* looks at once */
    int64_t backoff_ms_min, backoff_ms_max; /* after failures: doubled from min up to max */
};

/* look(self, key) is called from world events; key lives until it is handed back. */
struct workers *workers_new(struct world *world, const struct workers_options *options,
                            void (*look)(void *self, const char *key), void *self);
void workers_free(struct workers *workers); /* looks that are on are forgotten */

void workers_add(struct workers *workers, const char *key);
/* Not before delay_ms from now; of two delays the shorter one counts. */
void workers_add_after(struct workers *workers, const char *key, int64_t delay_ms);

/* Its last look failed: it comes again by itself, and some controllers leave it at that. */
bool workers_has_failed(const struct workers *workers, const char *key);

/* Each look ends by one of these, inside look() or later. */
void workers_done(struct workers *workers, const char *key);   /* failures are forgotten */
void workers_failed(struct workers *workers, const char *key); /* again after the back-off */

#endif
