/* SPDX-License-Identifier: Apache-2.0 */
/* Where the numbers come from: FSx's as published and as met at 128 MB/s (a create takes about two
   minutes, completions come a minute apart), the driver's and the binder's from their sources; the
   pod's so that a claim with probes at 1 s is ready 4 s after it began and one with the default
   10 s after 11 s, and a deleted pod is gone after 9 s, as on a real node with CloudNativePG 1.30,
   Postgres 15 and that driver. */
#include "sim/simulation.h"

void simulation_pace(struct pace *out_pace)
{
    *out_pace = (struct pace){
        .fsx_service = {.least_ms = 57000, .most_ms = 63000},
        .fsx_latency_beyond = {.least_ms = 55000, .most_ms = 65000},
        .fsx_poll_ms = 15000,
        .provisioner_timeout_ms = 300000,
        .volumes_max = 100,
        .schedule = {.least_ms = 10, .most_ms = 40},
        .mount = {.least_ms = 30, .most_ms = 120},
        .container_start = {.least_ms = 800, .most_ms = 1400},
        .recovery = {.least_ms = 1100, .most_ms = 1800},
        .stop = {.least_ms = 8300, .most_ms = 8800},
        .api_latency = {.least_ms = 1, .most_ms = 4},
        .watch_lag = {.least_ms = 1, .most_ms = 5},
        .binder_resync_ms = 15000,
        .binder_requests_a_second = 20,
        .binder_burst = 30,
        .cnpg_reconcile = {.least_ms = 20, .most_ms = 60},
    };
}
