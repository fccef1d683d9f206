/* SPDX-License-Identifier: Apache-2.0 */
/* GET of a collection: selectors, limit and continue, and which state resourceVersion asks for.
   (kubernetes.io/docs/reference/using-api/api-concepts, "Resource versions") */
#ifndef ADJOINT_SIM_LISTING_H
#define ADJOINT_SIM_LISTING_H

#include "sim/rendering.h"
#include "sim/reply.h"
#include "sim/target.h"

void listing_reply(struct apiserver *server, const struct target *target, const struct url *url,
                   const struct rendering *rendering, struct route_reply *out);

/* resourceVersion as a number; NULL and "" are 0. false: *out says 400. */
MUST_CHECK bool listing_revision(const struct url *url, uint64_t *out_revision,
                                 struct route_reply *out);
/* The server has not come that far: 504, as a cache says that waited for it in vain. */
void listing_reply_too_large(struct route_reply *out, uint64_t asked, uint64_t present);

#endif
