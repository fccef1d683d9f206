/* SPDX-License-Identifier: Apache-2.0 */
/* A morning without an operator: developers who come so many milliseconds after its begin, on a
   simulated cluster with the durations of adjoint-sim, on virtual time.

   From a pool, in the seed's order: a volume is taken by Retain, deleting the holding PVC,
   stripping claimRef, a PVC by volumeName, and a Cluster with CloudNativePG's default probes; when
   it was taken another one is asked for. Who finds the pool empty asks for one, behind those; of a
   pool of 0, everybody. */
#ifndef ADJOINT_TESTS_DEMO_SCRIPT_H
#define ADJOINT_TESTS_DEMO_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_ARRIVALS_MAX = 64, SCRIPT_POOL_MAX = 64 };

struct script_arrival {
    int64_t after_ms;
    int64_t ready_ms; /* out: so long after it came its Postgres was Ready */
    bool is_warm;     /* out: FSx was not asked for a volume on that path */
    bool is_lost;     /* out: its volume was bound to somebody else's claim */
};

/* Returns the calls of CreateVolume until the last one is served, the pool's filling included. */
uint64_t script_play(uint64_t seed, size_t pool_size, struct script_arrival *arrivals,
                     size_t count);

#endif
