/* SPDX-License-Identifier: Apache-2.0 */
/* What the server says about itself: health, version, and which resources it serves. Plain
   discovery only; kubectl 1.36 falls back to it from the aggregated one. */
#ifndef ADJOINT_SIM_DISCOVERY_H
#define ADJOINT_SIM_DISCOVERY_H

#include "sim/apiserver.h"
#include "sim/reply.h"
#include "sim/url.h"

/* false: the url is none of these, and *out is untouched. */
bool discovery_reply(const struct apiserver *server, const struct url *url,
                     struct route_reply *out);

#endif
