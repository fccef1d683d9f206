/* SPDX-License-Identifier: Apache-2.0 */
/* A throw of dice for a misfortune: chances are in 1/1000, and one of 0 draws nothing, so that a
   world without misfortune is the same whether or not a part could have one. */
#ifndef ADJOINT_SIM_CHANCE_H
#define ADJOINT_SIM_CHANCE_H

#include "sim/simulation.h"

static inline bool chance_strikes(struct world *world, const char *stream, int in_1000)
{
    return in_1000 > 0 && world_between(world, stream, 1, 1000) <= in_1000;
}

static inline int64_t chance_in_span(struct world *world, const char *stream, struct span span)
{
    return world_between(world, stream, span.least_ms, span.most_ms);
}

#endif
