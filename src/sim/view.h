/* SPDX-License-Identifier: Apache-2.0 */
/* A controller's cache, as late as an informer's: it shows what has been delivered, not what is.
   Deliveries come in the order of the changes of one resource; between resources the lags may
   differ. One set for each controller, because one controller's lateness is not another's. */
#ifndef ADJOINT_SIM_VIEW_H
#define ADJOINT_SIM_VIEW_H

#include "sim/apiserver.h"

struct view;

/* resources: ended by NULL; each is borrowed. What is there already is shown at once. changed is
   called from a world event for each of that (before: NULL), and then after each delivery (before:
   what the view showed until then, NULL for a new object; after: NULL for one that went). It may
   write, but not free the view. NULL: nobody wants to know. */
struct view *
view_new(struct apiserver *server, const char *name, const struct resource *const *resources,
         void (*changed)(void *self, const struct record *before, const struct record *after),
         void *self);
void view_free(struct view *view);

/* How late a change of it (NULL: of any) is delivered: drawn in [least, most] for each. Starts at 1
   to 5 ms. */
void view_set_lag(struct view *view, const struct resource *resource, int64_t least_ms,
                  int64_t most_ms);
/* Nothing is delivered until mono_ms (a stalled watch); then all of it, in order. 0: no more. */
void view_stall(struct view *view, const struct resource *resource, int64_t until_ms);
/* A version that the controller itself just wrote and puts into its cache (assume-cache): shown
   until a delivery catches up with it; older ones are passed over, and changed is not called for
   them. */
void view_assume(struct view *view, const struct record *record);

/* Borrowed until the next delivery. */
const struct record *view_get(const struct view *view, const struct resource *resource,
                              const char *namespace, const char *name);
const struct record *view_next(const struct view *view, const struct resource *resource,
                               const char *namespace, const struct record *after);

#endif
